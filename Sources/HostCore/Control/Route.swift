/// One thing the API offers: a method, a path and what answers.
///
/// ```swift
/// Route(.get, "/v1/status", "what the host is doing") { _ throws(ControlError) in host.status() }
/// ```
public struct Route: Sendable {
    public enum Method: String, Sendable, CaseIterable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    public typealias Handler = @HostActor @Sendable (ControlRequest) async -> ControlResponse

    public let method: Method
    /// Begins with a slash. A segment `{name}` stands for any one segment and becomes a parameter. A last segment
    /// `{name...}` stands for all that follows, which stays as on the wire.
    public let path: String
    /// One sentence for lists and docs.
    public let summary: String
    /// A plugin answers: the body is not looked at and comes as `ControlRequest.content`.
    public let isPlugins: Bool
    /// What a request may carry; not looked at where a plugin answers.
    let contract: RouteContract
    /// Which methods a path of this pattern takes, where they are not those of the patterns; nil where they are.
    let methods: (@HostActor @Sendable ([String: String]) -> [String]?)?
    /// Runs on the control thread and may suspend; its task is cancelled when the client has gone.
    public let handler: Handler

    public init(
        _ method: Method, _ path: String, _ summary: String, isPlugins: Bool = false, handler: @escaping Handler
    ) {
        self.init(method, path, summary, RouteContract(), isPlugins: isPlugins, handler: handler)
    }

    init(
        _ method: Method, _ path: String, _ summary: String, _ contract: RouteContract, isPlugins: Bool = false,
        methods: (@HostActor @Sendable ([String: String]) -> [String]?)? = nil, handler: @escaping Handler
    ) {
        self.method = method
        self.path = path
        self.summary = summary
        self.contract = contract
        self.isPlugins = isPlugins
        self.methods = methods
        self.handler = handler
    }

    /// A route whose handler returns the body of a 200 answer, or throws what becomes the error's answer.
    public init(
        _ method: Method, _ path: String, _ summary: String,
        answer: @escaping @HostActor @Sendable (ControlRequest) async throws(ControlError) -> Value
    ) {
        self.init(method, path, summary, RouteContract(), answer: answer)
    }

    init(
        _ method: Method, _ path: String, _ summary: String, _ contract: RouteContract,
        answer: @escaping @HostActor @Sendable (ControlRequest) async throws(ControlError) -> Value
    ) {
        self.init(method, path, summary, contract) { request -> ControlResponse in
            do throws(ControlError) {
                return ControlResponse(body: try await answer(request))
            } catch {
                return ControlResponse(error)
            }
        }
    }
}

extension Route {
    /// `GET /v1/status`
    var name: String { "\(method.rawValue) \(path)" }

    /// The same with something else done before and behind it.
    func wrapped(
        _ around: @escaping @HostActor @Sendable (ControlRequest, Handler) async -> ControlResponse
    ) -> Route {
        Route(method, path, summary, contract, isPlugins: isPlugins, methods: methods) { [handler] request in
            await around(request, handler)
        }
    }

    /// The request as the handler wants it.
    /// - Throws: `invalid`, with the member that is wrong.
    func check(_ request: ControlRequest) throws(ControlError) -> ControlRequest {
        guard !isPlugins else { return request }
        for (name, value) in request.parameters where value.utf8.count > RouteMember.names.upperBound {
            guard value.unicodeScalars.count > RouteMember.names.upperBound else { continue }
            throw ControlError(
                .invalid, "\(quoted(name)) in the path has more than \(RouteMember.names.upperBound) characters",
                field: name)
        }
        return try contract.check(request, of: name)
    }

    /// What stands in braces in the path.
    var pathMembers: [RouteMember] {
        path.split(separator: "/").filter { $0.hasPrefix("{") && $0.hasSuffix("}") }.map {
            RouteMember.path(String($0.dropFirst().dropLast()))
        }
    }
}
