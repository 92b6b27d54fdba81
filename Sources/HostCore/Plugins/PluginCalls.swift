internal import GStreamerKit
internal import PluginABI

/// The commands and requests of one instance that wait for their answer, none of them for ever.
@HostActor
struct PluginCalls {
    typealias Answer = Result<PluginAnswer, PluginCallError>

    /// Hears how far a call is.
    typealias Progress = @HostActor @Sendable (_ fraction: Double, _ text: String) -> Void

    /// What was asked.
    enum Kind: Sendable {
        case command, request
    }

    /// How long one may take without a sign of life: an answer, or progress. Writing the longest clip to a slow card
    /// takes less.
    nonisolated static let deadline = ClockTime.seconds(120)

    private struct Waiting {
        var kind: Kind
        var progress: Progress
        var continuation: CheckedContinuation<Answer, Never>
        var timer: HostTimer
        /// The plugin was told that nobody wants it any more.
        var isCancelled = false
    }

    private var waiting: [UInt64: Waiting] = [:]
    private var last: UInt64 = 0
    /// How many were answered, and how many of them with an error.
    private(set) var answered = 0
    private(set) var failed = 0

    nonisolated init() {}

    mutating func nextToken() -> UInt64 {
        last += 1
        return last
    }

    mutating func wait(
        for token: UInt64, _ kind: Kind, until timer: HostTimer, _ progress: @escaping Progress,
        _ continuation: CheckedContinuation<Answer, Never>
    ) {
        waiting[token] = Waiting(kind: kind, progress: progress, continuation: continuation, timer: timer)
    }

    /// What the plugin is to be told of that nobody wants any more: once. Nil where nobody waits, or it was told.
    mutating func cancel(_ token: UInt64) -> Kind? {
        guard let call = waiting[token], !call.isCancelled else { return nil }
        waiting[token]?.isCancelled = true
        return call.kind
    }

    /// A sign of life: another deadline takes the place of the one before.
    /// - Parameter timer: makes it; not called where nobody waits.
    /// - Returns: who hears of it.
    mutating func extend(_ token: UInt64, until timer: () -> HostTimer) -> Progress? {
        guard let call = waiting[token] else { return nil }
        call.timer.cancel()
        waiting[token]?.timer = timer()
        return call.progress
    }

    mutating func finish(_ token: UInt64, _ answer: Answer) {
        guard let call = waiting.removeValue(forKey: token) else { return }
        call.timer.cancel()
        answered += 1
        if case .failure = answer { failed += 1 }
        call.continuation.resume(returning: answer)
    }

    /// Nobody will answer any more.
    mutating func failAll(_ text: String, _ forget: (UInt64) -> Bool) {
        for token in waiting.keys {
            _ = forget(token)
            finish(token, .failure(PluginCallError(Int32(MH_E_CANCELLED), text)))
        }
    }
}
