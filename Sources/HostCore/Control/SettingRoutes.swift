/// The part of the API that changes settings of a plugin while it runs, and that looks after what was saved.
enum SettingRoutes {
    /// A setting that is to hold after a restart, too.
    static var save: RouteMember { .flag("save", default: false, "whether it holds after a restart, too") }

    /// - Parameter target: the host, while there is one.
    static func routes(
        over target: @escaping @HostActor @Sendable () throws(ControlError) -> any ControlTarget
    ) -> [Route] {
        [
            Route(
                .patch, "/v1/plugins/{instance}/config",
                "gives a plugin that runs other values for some keys of its config",
                RouteContract(query: [save], body: .parameters, answer: .named("PluginConfig", "its config now"))
            ) { request throws(ControlError) in
                try await target().configure(
                    plugin: request.parameters["instance"] ?? "", request.body ?? .map([]),
                    saving: request.options["save"]?.bool ?? false)
            },
            Route(
                .get, "/v1/config/overrides", "the settings that were saved while the host ran",
                RouteContract(answer: .named("Overrides", "the settings"))
            ) { _ throws(ControlError) in try await target().showOverrides() },
            Route(
                .delete, "/v1/config/overrides", "takes a saved setting away, or all; it holds until the next reload",
                RouteContract(query: [
                    .text("key", "PIPELINE/ELEMENT.PROPERTY or PLUGIN.KEY; without it all", lengths: 1...4096)
                ])
            ) { request throws(ControlError) in try await target().resetOverrides(request.options["key"]?.string) },
        ]
    }
}
