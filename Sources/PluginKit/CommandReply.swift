/// The answer to one command, given exactly once, from any thread.
///
/// The first answer counts, later ones return false. If the last copy goes without one, the caller is told that the
/// command ended without an answer, so nobody waits for ever.
public struct CommandReply<Result: PluginRecord>: Sendable {
    private let pending: PendingReply

    init(_ pending: PendingReply) { self.pending = pending }

    /// Whether nobody waits any longer. Long work looks here now and then and rejects with `.cancelled`.
    /// - Thread: any.
    public var isCancelled: Bool { pending.isCancelled }

    /// - Thread: any.
    @discardableResult public func succeed(_ result: Result) -> Bool { pending.succeed(result.pluginValue) }

    /// - Thread: any.
    @discardableResult public func reject(_ error: PluginError) -> Bool { pending.reject(error) }

    /// How far it is, 0 to 1.
    /// - Thread: main, worker.
    public func progress(_ fraction: Double, _ text: String = "") { pending.progress(fraction, text) }
}

extension CommandReply where Result == NoFields {
    /// - Thread: any.
    @discardableResult public func succeed() -> Bool { succeed(NoFields()) }
}
