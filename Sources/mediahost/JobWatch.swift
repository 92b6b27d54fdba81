internal import CGLib
internal import Glibc
internal import HostCore

/// Waits for a job with the user: shows how far it is, hears Ctrl-C.
///
/// - Thread: one.
final class JobWatch {
    /// How soon a key and the end of the time are seen.
    static let interval = Duration.milliseconds(200)

    private let progress = Progress()
    private let deadline: ContinuousClock.Instant?
    private let limit: Int
    private var source: guint = 0
    private(set) var isInterrupted = false

    /// - Parameter limit: seconds; nil: as long as the host lets it run.
    init(limit: Int?) {
        self.limit = limit ?? 0
        deadline = limit.map { .now + .seconds($0) }
    }

    deinit { end() }

    /// Nothing is shown any more, and Ctrl-C is as it was.
    func end() {
        progress.end()
        if source != 0 { g_source_remove(source) }
        source = 0
    }

    /// Until the job has ended.
    /// - Returns: its result.
    /// - Throws: why it has none; `timeout` where it took too long: it is cancelled then.
    func follow(_ first: Value, _ client: ControlClient) throws(ControlError) -> Value {
        let id = first["id"]?.string ?? ""
        var job = first
        listen()
        while true {
            if let result = try ControlClient.result(of: job) { return result }
            progress.show(ProgressText.line(of: job))
            while g_main_context_iteration(nil, 0) != 0 {}
            let isLate = deadline.map { $0 <= .now } ?? false
            if (isInterrupted || isLate), job["state"]?.string == "running" {
                // From here on a second Ctrl-C ends this at once.
                if source != 0 { g_source_remove(source) }
                source = 0
                job = try cancel(id, job, client)
                if isLate { throw ControlError(.timeout, "it did not end within \(limit) s, and is cancelled") }
                continue
            }
            job = try client.job(id, patience: Self.interval)
        }
    }

    /// It may have ended just now.
    private func cancel(_ id: String, _ job: Value, _ client: ControlClient) throws(ControlError) -> Value {
        do throws(ControlError) {
            return try client.cancel(job: id)
        } catch {
            guard error.code == .state else { throw error }
            return try client.job(id)
        }
    }

    private func listen() {
        guard source == 0 else { return }
        // Taken back in `end`, before this is gone.
        source = g_unix_signal_add(
            SIGINT,
            { context in
                if let context { Unmanaged<JobWatch>.fromOpaque(context).takeUnretainedValue().isInterrupted = true }
                return 1
            }, Unmanaged.passUnretained(self).toOpaque())
    }
}
