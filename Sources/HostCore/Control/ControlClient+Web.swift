/// The client's side of `WebRoutes`.
extension ControlClient {
    /// - Parameter port: 0: any, or where it is open.
    public func openWeb(port: Int = 0, timeout: Duration = .seconds(30)) throws(ControlError) -> Value {
        try request(.post, "/v1/web", body: ["port": .int(Int64(port))], timeout: timeout)
    }

    public func closeWeb(timeout: Duration = .seconds(30)) throws(ControlError) -> Value {
        try request(.delete, "/v1/web", timeout: timeout)
    }

    /// - Parameter path: with its query, as it goes over the wire.
    public func mediaURL(
        of path: String, lifetime: String? = nil, timeout: Duration = .seconds(30)
    ) throws(ControlError) -> Value {
        var members: [Value.Member] = [.init("path", .string(path))]
        if let lifetime { members.append(.init("lifetime", .string(lifetime))) }
        return try request(.post, "/v1/web/media-urls", body: .map(members), timeout: timeout)
    }
}
