/// The answer to one request, given exactly once, from any thread.
///
/// The first answer counts, later ones return false. If the last copy goes without one, the client is told so.
public struct RouteReply: Sendable {
    private let pending: PendingReply

    init(_ pending: PendingReply) { self.pending = pending }

    /// Whether the client has gone.
    /// - Thread: any.
    public var isCancelled: Bool { pending.isCancelled }

    /// - Thread: any.
    @discardableResult public func succeed(_ response: RouteResponse) -> Bool { pending.respond(response) }

    /// With the HTTP status that goes with the error's code.
    /// - Thread: any.
    @discardableResult public func reject(_ error: PluginError) -> Bool { pending.reject(error) }
}
