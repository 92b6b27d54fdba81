/// A closure on its way to a worker thread.
final class WorkItem: Sendable {
    private let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) { self.work = work }

    /// Runs and releases the item behind `context`.
    static let run: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
        guard let context else { return }
        Unmanaged<WorkItem>.fromOpaque(context).takeRetainedValue().work()
    }
}
