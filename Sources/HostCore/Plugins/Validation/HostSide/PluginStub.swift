internal import PluginABI

/// A plugin's instance as the host holds it: C tables whose functions send each call on as plain data.
///
/// - Thread: main.
// Used on the control thread alone.
final class PluginStub: @unchecked Sendable {
    let number: Int64
    private let plugin: any CallTarget
    private let table = UnsafeMutablePointer<mh_plugin_1>.allocate(capacity: 1)
    private let lifecycle = UnsafeMutablePointer<mh_lifecycle_plugin_1>.allocate(capacity: 1)
    private let commands = UnsafeMutablePointer<mh_commands_plugin_1>.allocate(capacity: 1)
    private let events = UnsafeMutablePointer<mh_events_plugin_1>.allocate(capacity: 1)
    private let pipelines = UnsafeMutablePointer<mh_gst_plugin_1>.allocate(capacity: 1)
    private let file = UnsafeMutablePointer<mh_fd_plugin_1>.allocate(capacity: 1)
    private let files: HostFiles
    private let config = UnsafeMutablePointer<mh_config_plugin_1>.allocate(capacity: 1)
    private let notify = UnsafeMutablePointer<mh_notify_plugin_1>.allocate(capacity: 1)
    private let timer = UnsafeMutablePointer<mh_timer_plugin_1>.allocate(capacity: 1)
    private var texts: [UnsafeMutablePointer<CChar>] = []
    private var rows: UnsafeMutablePointer<mh_command_1>?
    private var names: UnsafeMutablePointer<UnsafePointer<CChar>?>?
    private var offered: Value?
    private var routes: RouteStub?

    init(_ number: Int64, plugin: any CallTarget, files: HostFiles) {
        self.files = files
        self.number = number
        self.plugin = plugin
        lifecycle.initialize(
            to: mh_lifecycle_plugin_1(
                on_state: { plugin, token, state, change, deadline in
                    PluginStub.send(
                        plugin, .onState,
                        [
                            .int(Int64(bitPattern: token)), .int(Int64(bitPattern: state)), .int(Int64(change)),
                            .int(deadline),
                        ])
                }, ack_within: 0))
        commands.initialize(
            to: mh_commands_plugin_1(
                commands: nil, count: 0,
                invoke: { plugin, token, name, parameters in
                    let value = ValueNode.from(parameters)?.value ?? .map([])
                    PluginStub.send(plugin, .invoke, [.int(Int64(bitPattern: token)), .string(String(name)), value])
                },
                cancel: { PluginStub.send($0, .cancel, [.int(Int64(bitPattern: $1))]) }))
        events.initialize(
            to: mh_events_plugin_1(
                subscriptions: nil,
                on_event: { plugin, event in
                    guard let event = event?.pointee else { return }
                    PluginStub.send(plugin, .onEvent, [PluginStub.value(event)])
                }))
        pipelines.initialize(
            to: mh_gst_plugin_1(
                built: { plugin, name, element in
                    PluginStub.send(plugin, .built, [.string(String(name)), .int(Int64(Int(bitPattern: element)))])
                },
                released: { plugin, name, element in
                    PluginStub.send(plugin, .released, [.string(String(name)), .int(Int64(Int(bitPattern: element)))])
                }))
        file.initialize(
            to: mh_fd_plugin_1(on_fd: { plugin, file, events in
                let number = PluginStub.of(plugin)?.files.there(file) ?? file
                PluginStub.send(plugin, .onFile, [.int(Int64(number)), .int(Int64(events))])
            }))
        config.initialize(
            to: mh_config_plugin_1(
                validate: { PluginStub.send($0, .validate, [ValueNode.from($1)?.value ?? .map([])]) },
                apply: { PluginStub.send($0, .apply, [ValueNode.from($1)?.value ?? .map([])]) }))
        notify.initialize(
            to: mh_notify_plugin_1(
                on_action: { plugin, token, action in
                    PluginStub.send(plugin, .onAction, [.int(Int64(bitPattern: token)), .string(String(action))])
                },
                on_closed: { plugin, token, why in
                    PluginStub.send(plugin, .onClosed, [.int(Int64(bitPattern: token)), .int(Int64(why))])
                }))
        timer.initialize(
            to: mh_timer_plugin_1(on_timer: { plugin, expiry in
                guard let expiry = expiry?.pointee else { return }
                PluginStub.send(
                    plugin, .onTimer,
                    [
                        .int(Int64(bitPattern: expiry.timer)), .int(Int64(bitPattern: expiry.expirations)),
                        .int(expiry.due), .int(expiry.late),
                    ])
            }))
        table.initialize(
            to: mh_plugin_1(
                plugin_data: Unmanaged.passUnretained(self).toOpaque(),
                init: { PluginStub.send($0, .initialise, [ValueNode.from($1)?.value ?? .map([])]) },
                activate: { PluginStub.send($0, .activate) },
                deactivate: { _ = PluginStub.send($0, .deactivate) as mh_status },
                destroy: { _ = PluginStub.send($0, .destroy) as mh_status },
                on_main: { _ = PluginStub.send($0, .onMain) as mh_status },
                get_extension: { PluginStub.of($0)?.find(String($1)) }))
    }

    deinit {
        table.deallocate()
        lifecycle.deallocate()
        commands.deallocate()
        events.deallocate()
        pipelines.deallocate()
        file.deallocate()
        config.deallocate()
        notify.deallocate()
        timer.deallocate()
        rows?.deallocate()
        names?.deallocate()
        for text in texts { text.deallocate() }
    }

    var pointer: UnsafePointer<mh_plugin_1> { UnsafePointer(table) }

    // MARK: - What the host asks

    /// The plugin's own tables are copied once.
    private func find(_ id: String) -> UnsafeRawPointer? {
        let tables = offered ?? plugin.perform(TrialCall(.tables, number)).first ?? [:]
        if offered == nil { fill(tables) }
        offered = tables
        switch id {
        case MH_EXT_LIFECYCLE: return tables["lifecycle"]?["asks"]?.bool == true ? UnsafeRawPointer(lifecycle) : nil
        case MH_EXT_COMMANDS: return tables["commands"] == nil ? nil : UnsafeRawPointer(commands)
        case MH_EXT_EVENTS: return tables["events"] == nil ? nil : UnsafeRawPointer(events)
        case MH_EXT_GST: return tables["gst"] == nil ? nil : UnsafeRawPointer(pipelines)
        case MH_EXT_FD: return tables["fd"]?.bool == true ? UnsafeRawPointer(file) : nil
        case MH_EXT_CONFIG: return tables["config"]?.bool == true ? UnsafeRawPointer(config) : nil
        case MH_EXT_ROUTES: return routes?.pointer
        case MH_EXT_NOTIFY: return tables["notify"] == nil ? nil : UnsafeRawPointer(notify)
        case MH_EXT_TIMER: return tables["timer"]?.bool == true ? UnsafeRawPointer(timer) : nil
        default: return nil
        }
    }

    private func fill(_ tables: Value) {
        lifecycle.pointee.ack_within = tables["lifecycle"]?["within"]?.int ?? 0
        if let list = tables["commands"]?.list {
            let rows = UnsafeMutablePointer<mh_command_1>.allocate(capacity: max(1, list.count))
            for (index, row) in list.enumerated() {
                let texts = (row.list ?? []).map { keep($0.string) } + [nil, nil, nil, nil]
                (rows + index).initialize(
                    to: mh_command_1(name: texts[0], summary: texts[1], parameters: texts[2], result: texts[3]))
            }
            self.rows = rows
            commands.pointee.commands = UnsafePointer(rows)
            commands.pointee.count = list.count
        }
        if let list = tables["events"]?.list {
            let names = UnsafeMutablePointer<UnsafePointer<CChar>?>.allocate(capacity: list.count + 1)
            for (index, name) in list.enumerated() { (names + index).initialize(to: keep(name.string)) }
            (names + list.count).initialize(to: nil)
            self.names = names
            events.pointee.subscriptions = UnsafePointer(names)
        }
        if tables["notify"]?["action"]?.bool == false { notify.pointee.on_action = nil }
        if tables["notify"]?["closed"]?.bool == false { notify.pointee.on_closed = nil }
        routes = tables["routes"]?.list.map { RouteStub($0) }
    }

    private func keep(_ text: String?) -> UnsafePointer<CChar>? {
        guard let text else { return nil }
        let copy = Self.copy(text)
        texts.append(copy)
        return UnsafePointer(copy)
    }

    /// A terminated copy, the caller's to free.
    static func copy(_ text: String) -> UnsafeMutablePointer<CChar> {
        let characters = text.utf8CString
        let copy = UnsafeMutablePointer<CChar>.allocate(capacity: characters.count)
        for (index, character) in characters.enumerated() { copy[index] = character }
        return copy
    }

    private static func value(_ event: mh_event_1) -> Value {
        [
            "sequence": .int(Int64(bitPattern: event.sequence)), "boot": .int(Int64(bitPattern: event.boot_id)),
            "monotonic": .int(event.monotonic), "realtime": .int(event.realtime),
            "cause": .int(Int64(bitPattern: event.cause)), "depth": .int(Int64(event.depth)),
            "name": .string(String(event.name)), "source": .string(String(event.source)),
            "payload": ValueNode.from(event.payload)?.value ?? .map([]),
        ]
    }

    private static func of(_ plugin: UnsafePointer<mh_plugin_1>?) -> PluginStub? {
        plugin?.pointee.plugin_data.map { Unmanaged<PluginStub>.fromOpaque($0).takeUnretainedValue() }
    }

    @discardableResult
    static func send(
        _ plugin: UnsafePointer<mh_plugin_1>?, _ function: PluginFunction, _ arguments: [Value] = [], data: [UInt8] = []
    ) -> mh_status {
        guard let stub = of(plugin) else { return mh_status(MH_E_FAILED) }
        return stub.plugin.perform(TrialCall(function, stub.number, arguments, data: data)).status
    }
}
