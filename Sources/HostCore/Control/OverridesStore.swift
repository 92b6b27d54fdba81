internal import GStreamerKit

/// Changes the file of saved settings, one change after the other, without keeping the control thread.
///
/// - Thread: main.
@HostActor
final class OverridesStore {
    /// A disk can hang.
    static let limit = ClockTime.seconds(10)

    private let workers: WorkerPool
    private let clock: any HostClock
    private var isBusy = false
    private var queue: [CheckedContinuation<Void, Never>] = []

    init(workers: WorkerPool, clock: any HostClock) {
        self.workers = workers
        self.clock = clock
    }

    /// Runs `work` on a worker when everything before it is done, and `then` before anything behind it begins.
    /// - Throws: what `work` throws, or that it takes too long.
    func run<Result: Sendable>(
        _ work: @escaping @Sendable () throws(PluginFailure) -> Result,
        then: (Result) -> Void = { _ in }
    ) async throws(PluginFailure) -> Result {
        await takeTurn()
        defer { passTurn() }
        let outcome = await workers.result(within: Self.limit, clock: clock) {
            () -> Swift.Result<Result, PluginFailure> in
            do throws(PluginFailure) { return .success(try work()) } catch { return .failure(error) }
        }
        guard let outcome else {
            throw PluginFailure("the disk with the saved settings did not answer within \(Self.limit)")
        }
        let result = try outcome.get()
        then(result)
        return result
    }

    /// Returns when what was asked for until now is done.
    func settle() async {
        await takeTurn()
        passTurn()
    }

    private func takeTurn() async {
        guard isBusy else {
            isBusy = true
            return
        }
        await withCheckedContinuation { queue.append($0) }
    }

    /// The turn goes from one to the next without being free in between.
    private func passTurn() {
        if queue.isEmpty { isBusy = false } else { queue.removeFirst().resume() }
    }
}
