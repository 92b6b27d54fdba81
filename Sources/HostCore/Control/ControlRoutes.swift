/// The routes of the API's first version, over a `ControlTarget`.
public enum ControlRoutes {
    /// - Parameters:
    ///   - target: not retained; requests after its end are answered `busy`.
    ///   - streams: nil: nobody can listen to events and logs.
    ///   - web: nil: there is no page.
    @HostActor
    public static func routes(over target: any ControlTarget, streams: Streams? = nil, web: WebDoor? = nil) -> [Route] {
        let host = WeakTarget(target)
        let required: @HostActor @Sendable () throws(ControlError) -> any ControlTarget = {
            () throws(ControlError) in try host.required()
        }
        let told =
            HostRoutes.routes(over: required) + LifecycleRoutes.routes(over: required)
            + SettingRoutes.routes(over: required) + PipelineRoutes.routes(over: required)
            + PlaybackRoutes.routes(over: required) + PluginRoutes.routes(over: required)
        // Before what plugins serve below their names.
        let command = host.wrap(PluginRoutes.command(over: required), hidesSecrets: false)
        // These have ids and words of the API in them, and what comes from a plugin is masked where it comes from.
        let plain =
            (streams.map { StreamRoutes.routes($0, over: required) } ?? []) + JobRoutes.routes(over: required)
            + (web.map { WebRoutes.routes(of: $0) } ?? [])
        let routes =
            [command] + told.map { host.wrap($0, hidesSecrets: true) }
            + plain.map { host.wrap($0, hidesSecrets: false) }
        return DescriptionRoutes.routes(of: routes, over: required) + routes
    }

    /// The host owns the server that owns the routes; they must not own the host.
    @HostActor
    private final class WeakTarget {
        private weak var target: (any ControlTarget)?

        init(_ target: any ControlTarget) { self.target = target }

        /// - Parameter hidesSecrets: in all of the answer; of an error in what is said of it alone.
        func wrap(_ route: Route, hidesSecrets: Bool) -> Route {
            // What a command sets off follows from its caller as long as it runs, also as a job: see there.
            let mayFollow = ![.get, .delete].contains(route.method) && !route.path.hasSuffix("{command}")
            return route.wrapped { [self] request, handler in
                let end = mayFollow && request.cause != nil ? target?.attribute(request) : nil
                var response = await handler(request)
                end?()
                guard let secrets = target?.secrets, !secrets.isEmpty else { return response }
                if response.status >= 400, let members = response.body.members {
                    response.body = .map(
                        members.map { member in
                            ["type", "title", "code"].contains(member.key)
                                ? member : .init(member.key, secrets.mask(member.value))
                        })
                } else if hidesSecrets || response.status >= 400 {
                    response.body = secrets.mask(response.body)
                }
                return response
            }
        }

        func required() throws(ControlError) -> any ControlTarget {
            guard let target else { throw ControlError(.busy, "the host is stopping") }
            return target
        }
    }
}
