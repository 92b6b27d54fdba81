package import PluginKit
internal import Synchronization

/// Counts on a streaming thread, where nothing may wait, allocate or log, and asks for the control thread now and then.
package final class BufferCounter: StreamTap {
    private let count = Atomic<Int>(0)
    private let every: Int
    private let passed: Counter?
    private let reached: @Sendable () -> Void

    /// - Parameters:
    ///   - passed: the metric that goes with it; none in tests.
    ///   - reached: called on a streaming thread after `every` buffers, and after as many more.
    package init(every: Int, passed: Counter? = nil, reached: @escaping @Sendable () -> Void) {
        self.every = max(every, 1)
        self.passed = passed
        self.reached = reached
    }

    /// - Thread: any.
    package var buffers: Int { count.load(ordering: .relaxed) }

    package func buffer(_ buffer: borrowing StreamBuffer) { add() }

    /// - Thread: stream.
    package func add() {
        passed?.add()
        if count.add(1, ordering: .relaxed).newValue.isMultiple(of: every) { reached() }
    }
}
