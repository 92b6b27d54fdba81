/// The bodies that are on their way from files to clients, each on a worker, so that no disk and no client keeps anybody else.
///
/// - Thread: main.
@HostActor
final class Downloads {
    /// At one time.
    nonisolated static let most = 32

    private let workers = WorkerPool()
    private var running: [UInt64: Download] = [:]
    private var last: UInt64 = 0
    private var isStopped = false

    var count: Int { running.count }

    /// Why no more can begin now.
    var refusal: ControlError? {
        if isStopped { return ControlError(.busy, "the host is stopping") }
        guard running.count >= Self.most else { return nil }
        return ControlError(.busy, "\(running.count) files are being sent: try again later")
    }

    /// Sends a body. The connection is closed when it is sent, or cannot be.
    /// - Parameter client: a connected socket, owned from here on.
    func begin(_ client: Int32, _ file: BodyFile, _ head: DownloadHead) {
        let download = Download(to: client, file, head)
        guard !isStopped else { return }
        last += 1
        let id = last
        running[id] = download
        workers.submit { [weak self] in
            download.send()
            HostActor.enqueue { self?.running[id] = nil }
        }
    }

    /// Nothing is sent any more. Twice is harmless.
    func stop() {
        isStopped = true
        for download in running.values { download.abandon() }
        running = [:]
    }
}
