/// What a `Router` looks at.
protocol RoutePattern: Sendable {
    var method: Route.Method { get }
    /// Begins with a slash. A segment `{name}` stands for any one segment; a last one `{name...}` for all that follows.
    var path: String { get }
}

extension Route: RoutePattern {}
