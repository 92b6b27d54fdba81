/// Something an instance serves over the host's HTTP, below `/plugins/INSTANCE`: pages, pictures, data.
///
/// ```swift
/// var routes: [Route] {
///     [
///         Route(.get, "/", summary: "The page.") { _ in .text(page, as: "text/html; charset=utf-8") },
///         Route(.get, "/clips/{id}", summary: "One clip.", run: clip),
///     ]
/// }
/// private func clip(_ request: RouteRequest, _ reply: RouteReply) { ... }
/// ```
/// A function that returns or throws has answered. One that takes a reply starts something longer, returns at once (slow
/// work goes through `Host.submit`) and answers later. All are called on main, while active, and may hold the plugin.
/// What somebody would call by name is a `Command`.
public struct Route: Sendable {
    public enum Method: String, Sendable {
        /// Also asked for `HEAD`, whose body the host leaves out.
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    public let method: Method
    /// Begins with a slash; `/` is the instance's own place. A segment `{id}` stands for any one segment and is a
    /// parameter of that name. Where two match, the first is taken.
    public let path: String
    /// One sentence.
    public let summary: String
    let run: @Sendable (RouteRequest, RouteReply) -> Void

    /// Answered later.
    public init(
        _ method: Method, _ path: String, summary: String, run: @escaping @Sendable (RouteRequest, RouteReply) -> Void
    ) {
        self.method = method
        self.path = path
        self.summary = summary
        self.run = run
    }

    /// Answered at once. An error is told with the HTTP status that goes with its code: `.notFound` is 404.
    public init(
        _ method: Method, _ path: String, summary: String,
        run: @escaping @Sendable (RouteRequest) throws(PluginError) -> RouteResponse
    ) {
        self.init(method, path, summary: summary) { (request: RouteRequest, reply: RouteReply) in
            do throws(PluginError) {
                reply.succeed(try run(request))
            } catch {
                reply.reject(error)
            }
        }
    }
}
