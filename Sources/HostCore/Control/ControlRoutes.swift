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
        let routes =
            HostRoutes.routes(over: required) + LifecycleRoutes.routes(over: required)
            + SettingRoutes.routes(over: required) + PipelineRoutes.routes(over: required)
            + PlaybackRoutes.routes(over: required)
            + (streams.map { StreamRoutes.routes($0, over: required) } ?? []) + PluginRoutes.routes(over: required)
            + JobRoutes.routes(over: required)
            + (web.map { WebRoutes.routes(of: $0) } ?? [])
        return (DescriptionRoutes.routes(of: routes, over: required) + routes).map { route in
            route.wrapped { request, handler in
                let end = request.cause == nil ? nil : host.attribute(request)
                var response = await handler(request)
                end?()
                if let secrets = host.secrets, !secrets.isEmpty { response.body = secrets.mask(response.body) }
                return response
            }
        }
    }

    /// The host owns the server that owns the routes; they must not own the host.
    @HostActor
    private final class WeakTarget {
        private weak var target: (any ControlTarget)?

        init(_ target: any ControlTarget) { self.target = target }

        /// Also of one that is stopping.
        var secrets: SecretMask? { target?.secrets }

        func attribute(_ request: ControlRequest) -> (@HostActor () -> Void)? { target?.attribute(request) }

        func required() throws(ControlError) -> any ControlTarget {
            guard let target else { throw ControlError(.busy, "the host is stopping") }
            return target
        }
    }
}
