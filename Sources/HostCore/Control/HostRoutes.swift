/// The part of the API that is about the host as a whole.
enum HostRoutes {
    /// - Parameter target: the host, while there is one.
    static func routes(
        over target: @escaping @HostActor @Sendable () throws(ControlError) -> any ControlTarget
    ) -> [Route] {
        [
            Route(.get, "/v1/status", "what the host, its pipelines and its plugins are doing") {
                _ throws(ControlError) in try target().status()
            },
            Route(.post, "/v1/reload", "reads the configuration file again; answers when what changed runs") { _ in
                do throws(ControlError) {
                    return try await target().reload()
                } catch {
                    return ControlResponse(error)
                }
            },
            Route(
                .get, "/v1/config", "the configuration that holds, defaults and all, without its secrets",
                RouteContract(answer: .named("Configuration", "the configuration"))
            ) { _ throws(ControlError) in try target().showConfiguration() },
            Route(.get, "/v1/rules", "the rules of the config, and how often each has fired") {
                _ throws(ControlError) in ["rules": try target().showRules()]
            },
            Route(
                .get, "/metrics", "the numbers of the host and its plugins, as Prometheus reads them",
                RouteContract(answer: .text(MetricText.contentType, "the numbers"))
            ) { _ in
                do throws(ControlError) {
                    return ControlResponse(
                        payload: .init(
                            contentType: MetricText.contentType, bytes: Array(try target().metrics().utf8)))
                } catch {
                    return ControlResponse(error)
                }
            },
        ]
    }
}
