import PluginABI

/// One instance between the C table and the plugin's object.
///
/// Ownership: the C side holds the one reference from `create` until `destroy`, as `plugin_data`.
/// Thread: main, all of it.
final class PluginInstance {
    /// What exists once the plugin's own `init` has succeeded.
    struct Parts {
        let plugin: any MediaPlugin
        let host: Host
        let values: UnsafePointer<mh_value_ext_1>
        let desk: CommandDesk
        let routes: RouteDesk
        let tables: InstanceTables
    }

    private let type: any MediaPlugin.Type
    private let rawHost: UnsafePointer<mh_host_1>
    private let table = UnsafeMutablePointer<mh_plugin_1>.allocate(capacity: 1)
    private(set) var parts: Parts?

    private init(_ type: any MediaPlugin.Type, host: UnsafePointer<mh_host_1>) {
        self.type = type
        rawHost = host
    }

    deinit { table.deallocate() }

    static func create(_ type: any MediaPlugin.Type, host: UnsafePointer<mh_host_1>) -> UnsafePointer<mh_plugin_1>? {
        let instance = PluginInstance(type, host: host)
        instance.table.initialize(to: trampolines(Unmanaged.passRetained(instance).toOpaque()))
        return UnsafePointer(instance.table)
    }

    /// The instance behind a table, borrowed.
    static func of(_ table: UnsafePointer<mh_plugin_1>?) -> PluginInstance? {
        guard let data = table?.pointee.plugin_data else { return nil }
        return Unmanaged<PluginInstance>.fromOpaque(data).takeUnretainedValue()
    }

    /// Makes the plugin's object. The reason of a failure is logged; without a log it goes out through `fail`.
    func start(config: OpaquePointer?) -> mh_status {
        guard parts == nil else { return PluginError.Code.state.status }
        let host = Host(rawHost, pluginID: type.descriptor.id)
        do throws(PluginError) {
            parts = try make(host, config)
            return statusOK
        } catch {
            if host.tables.log == nil { host.fail(error) } else { host.log(.error, error.message) }
            host.close()
            return error.status
        }
    }

    private func make(_ host: Host, _ config: OpaquePointer?) throws(PluginError) -> Parts {
        for id in type.descriptor.requires where !HostTables.has(id, in: rawHost) {
            throw PluginError(
                "\(type.descriptor.name) \(type.descriptor.version) needs host extension \"\(id.rawValue)\", which "
                    + "\(host.program) does not offer; use a host that does, or another version of the plugin",
                code: .unsupported)
        }
        guard let values = host.tables.value else {
            throw PluginError("the host offers no \(MH_EXT_VALUE)", code: .unsupported)
        }
        let plugin = try type.make(host, PluginValue(copying: config, with: values))
        let commands = plugin.commands
        for (index, command) in commands.enumerated()
        where commands[..<index].contains(where: { $0.name == command.name }) {
            throw PluginError("command \"\(command.name)\" is declared twice; this is a fault of the plugin")
        }
        for command in commands {
            guard let fault = command.fault else { continue }
            throw PluginError("command \"\(command.name)\": \(fault); this is a fault of the plugin")
        }
        let routes = plugin.routes
        return Parts(
            plugin: plugin, host: host, values: values, desk: CommandDesk(host: host, commands: commands),
            routes: RouteDesk(host: host, routes: routes),
            tables: InstanceTables(of: plugin, commands: commands, routes: routes))
    }

    func activate() -> mh_status {
        guard let parts else { return PluginError.Code.state.status }
        do throws(PluginError) {
            try parts.plugin.activate()
            return statusOK
        } catch {
            parts.host.log(.error, error.message)
            return error.status
        }
    }

    /// Another config while it runs; what is wrong with it goes to the host with its key.
    func show(_ config: OpaquePointer?, isForGood: Bool) -> mh_status {
        guard let parts, let plugin = parts.plugin as? any LiveConfigurable else {
            return PluginError.Code.state.status
        }
        do throws(PluginError) {
            try plugin.show(PluginValue(copying: config, with: parts.values), isForGood: isForGood)
            return statusOK
        } catch {
            // Good for another instance: nothing is wrong with it.
            if isForGood || error.code != .unsupported { parts.host.refuse(error) }
            return error.status
        }
    }

    func deactivate() {
        parts?.plugin.deactivate()
        parts?.host.endCalls()
    }

    /// The plugin's object goes first, while the host may still be called; then the host is closed for whoever kept it.
    func end() {
        let host = parts?.host
        parts = nil
        host?.close()
    }
}

extension MediaPlugin {
    /// An object with the settings that `config` says.
    fileprivate static func make(_ host: Host, _ config: PluginValue) throws(PluginError) -> Self {
        if let fault = Settings.fields.fault { throw PluginError("settings: \(fault); this is a fault of the plugin") }
        return try Self(host: host, settings: try Settings.decode(config))
    }
}
