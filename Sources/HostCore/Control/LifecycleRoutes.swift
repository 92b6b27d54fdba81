/// The part of the API that tells the host what happens around it. Each answers when everybody was told and the pipelines
/// have followed.
enum LifecycleRoutes {
    /// Who interrupts, where the request names nobody.
    static let usualSource = "api"

    private static var source: RouteMember {
        RouteMember.name(
            "source", "who interrupts, where there are several: they may overlap", lengths: 1...64)
    }

    /// - Parameter target: the host, while there is one.
    static func routes(
        over target: @escaping @HostActor @Sendable () throws(ControlError) -> any ControlTarget
    ) -> [Route] {
        func route(
            _ path: String, _ summary: String, _ members: [RouteMember] = [],
            _ trigger: @escaping @Sendable (Value) -> LifecycleTrigger
        ) -> Route {
            Route(.post, path, summary, RouteContract(body: members.isEmpty ? .nothing : .members(members))) {
                request throws(ControlError) in
                try await target().follow(trigger(request.body ?? .map([])))
            }
        }
        return [
            Route(.post, "/v1/pause", "pauses the host; answers when the pipelines follow their background mode") {
                _ throws(ControlError) in try await target().pause()
            },
            Route(.post, "/v1/resume", "resumes the host; answers when the pipelines were started") {
                _ throws(ControlError) in try await target().resume()
            },
            route("/v1/lock", "the session is locked; the host may go on capturing") { _ in .locked(true) },
            route("/v1/unlock", "the session is unlocked") { _ in .locked(false) },
            route("/v1/interrupt/begin", "something more important has the output", [source]) {
                .interruptionBegan(source: $0["source"]?.string ?? usualSource)
            },
            route(
                "/v1/interrupt/end", "it is over",
                [source, .flag("resume", default: false, "whether the host goes on by itself, or waits for its user")]
            ) {
                .interruptionEnded(
                    source: $0["source"]?.string ?? usualSource, shouldResume: $0["resume"]?.bool ?? false)
            },
            route(
                "/v1/low-power", "energy is to be saved, or not any more",
                [.flag("on", "whether it is to be saved", isRequired: true)]
            ) { .lowPower($0["on"]?.bool ?? false) },
        ]
    }
}
