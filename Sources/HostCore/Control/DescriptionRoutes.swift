/// The part of the API that says what the API is.
enum DescriptionRoutes {
    /// - Parameters:
    ///   - routes: all others.
    ///   - target: the host, while there is one.
    static func routes(
        of routes: [Route], over target: @escaping @HostActor @Sendable () throws(ControlError) -> any ControlTarget
    ) -> [Route] {
        let list = Value.list(
            routes.map {
                ["method": .string($0.method.rawValue), "path": .string($0.path), "summary": .string($0.summary)]
            })
        let index = Route(.get, "/v1", "what there is", RouteContract(answer: .named("Routes", "the other routes"))) {
            _ throws(ControlError) in ["routes": list]
        }
        let described = [index] + routes
        return [
            index,
            Route(.get, "/openapi.json", "the whole API as OpenAPI 3.1, with the commands of plugins") {
                _ throws(ControlError) in
                let host = try target()
                return OpenAPIDocument(routes: described, commands: host.commands(), served: host.routes()).value
            },
        ]
    }
}
