import PluginABI

/// The C tables of one instance's extensions, freed with it.
final class InstanceTables {
    private let strings = CStrings()
    private let lifecycle = UnsafeMutablePointer<mh_lifecycle_plugin_1>.allocate(capacity: 1)
    private let notify = UnsafeMutablePointer<mh_notify_plugin_1>.allocate(capacity: 1)
    private var config: UnsafeMutablePointer<mh_config_plugin_1>?
    private let file = UnsafeMutablePointer<mh_fd_plugin_1>.allocate(capacity: 1)
    private let timer = UnsafeMutablePointer<mh_timer_plugin_1>.allocate(capacity: 1)
    private let access: UnsafeMutablePointer<mh_gst_plugin_1>?
    private var commands: UnsafeMutablePointer<mh_commands_plugin_1>?
    private var commandRows: UnsafeMutableBufferPointer<mh_command_1>?
    private var routes: UnsafeMutablePointer<mh_routes_plugin_1>?
    private var routeRows: UnsafeMutableBufferPointer<mh_route_1>?
    private var events: UnsafeMutablePointer<mh_events_plugin_1>?

    init(of plugin: any MediaPlugin, commands list: [Command], routes rows: [Route]) {
        lifecycle.initialize(
            to: mh_lifecycle_plugin_1(
                on_state: PluginInstance.state, ack_within: plugin.acknowledgesWithin.wholeNanoseconds))
        notify.initialize(
            to: mh_notify_plugin_1(on_action: PluginInstance.action, on_closed: PluginInstance.closed))
        file.initialize(to: mh_fd_plugin_1(on_fd: PluginInstance.file))
        access = plugin is any PipelineAccess ? .allocate(capacity: 1) : nil
        access?.initialize(to: mh_gst_plugin_1(built: PluginInstance.built, released: PluginInstance.released))
        timer.initialize(to: mh_timer_plugin_1(on_timer: PluginInstance.timer))
        if plugin is any LiveConfigurable { addConfig() }
        if !list.isEmpty { add(list) }
        if !rows.isEmpty { add(rows) }
        let subscriptions = plugin.subscriptions
        if !subscriptions.isEmpty { add(subscriptions) }
    }

    deinit {
        lifecycle.deallocate()
        notify.deallocate()
        config?.deallocate()
        file.deallocate()
        timer.deallocate()
        access?.deallocate()
        commands?.deallocate()
        commandRows?.deallocate()
        routes?.deallocate()
        routeRows?.deallocate()
        events?.deallocate()
    }

    /// A table by id, or NULL. Owned by this object.
    func find(_ id: String) -> UnsafeRawPointer? {
        switch id {
        case MH_EXT_LIFECYCLE: UnsafeRawPointer(lifecycle)
        case MH_EXT_COMMANDS: UnsafeRawPointer(commands)
        case MH_EXT_GST: UnsafeRawPointer(access)
        case MH_EXT_ROUTES: UnsafeRawPointer(routes)
        case MH_EXT_EVENTS: UnsafeRawPointer(events)
        case MH_EXT_NOTIFY: UnsafeRawPointer(notify)
        case MH_EXT_FD: UnsafeRawPointer(file)
        case MH_EXT_CONFIG: UnsafeRawPointer(config)
        case MH_EXT_TIMER: UnsafeRawPointer(timer)
        default: nil
        }
    }

    private func addConfig() {
        let table = UnsafeMutablePointer<mh_config_plugin_1>.allocate(capacity: 1)
        table.initialize(to: mh_config_plugin_1(validate: PluginInstance.validate, apply: PluginInstance.apply))
        config = table
    }

    private func add(_ list: [Command]) {
        let rows = UnsafeMutableBufferPointer<mh_command_1>.allocate(capacity: list.count)
        for (index, command) in list.enumerated() {
            rows.initializeElement(
                at: index,
                to: mh_command_1(
                    name: strings.add(command.name), summary: strings.add(command.summary),
                    parameters: strings.add(command.parameters), result: strings.add(command.result)))
        }
        let table = UnsafeMutablePointer<mh_commands_plugin_1>.allocate(capacity: 1)
        table.initialize(
            to: mh_commands_plugin_1(
                commands: UnsafePointer(rows.baseAddress), count: rows.count, invoke: PluginInstance.invoke,
                cancel: PluginInstance.cancel))
        commandRows = rows
        commands = table
    }

    private func add(_ list: [Route]) {
        let rows = UnsafeMutableBufferPointer<mh_route_1>.allocate(capacity: list.count)
        for (index, route) in list.enumerated() {
            rows.initializeElement(
                at: index,
                to: mh_route_1(
                    method: strings.add(route.method.rawValue), path: strings.add(route.path),
                    summary: strings.add(route.summary)))
        }
        let table = UnsafeMutablePointer<mh_routes_plugin_1>.allocate(capacity: 1)
        table.initialize(
            to: mh_routes_plugin_1(
                routes: UnsafePointer(rows.baseAddress), count: rows.count, request: PluginInstance.request,
                cancel: PluginInstance.cancelRequest))
        routeRows = rows
        routes = table
    }

    private func add(_ subscriptions: [String]) {
        let table = UnsafeMutablePointer<mh_events_plugin_1>.allocate(capacity: 1)
        table.initialize(
            to: mh_events_plugin_1(subscriptions: strings.add(subscriptions), on_event: PluginInstance.event))
        events = table
    }
}
