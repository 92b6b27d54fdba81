import GStreamerKit
import HostTestKit
import PluginABI

@testable import HostCore

/// A plugin whose functions a test writes, behind the same C tables that a library has, and the house around it.
@HostActor
final class ScriptedPlugin: PluginEnvironment {
    var onInit: () -> mh_status = { 0 }
    var onActivate: () -> mh_status = { 0 }
    var onMain: () -> Void = {}
    var onEvent: (String) -> Void = { _ in }
    var onState: (mh_token, mh_lifecycle_change) -> Void = { _, _ in }
    var onAcknowledge: (UInt64, Bool) -> Void = { _, _ in }
    var onInvoke: (mh_token) -> Void = { _ in }
    var onCancel: (mh_token) -> Void = { _ in }
    var onDestroy: () -> Void = {}
    var onBuilt: (String, UnsafeMutableRawPointer?) -> Void = { _, _ in }
    var onReleased: (String, UnsafeMutableRawPointer?) -> Void = { _, _ in }
    var onDeactivate: () -> Void = {}
    var onRequest: (mh_token, mh_request_1) -> Void = { _, _ in }
    var onTimer: (mh_timer_expiry_1) -> Void = { _ in }
    var onAction: (mh_token, String) -> Void = { _, _ in }
    var onClosed: (mh_token, Int) -> Void = { _, _ in }
    var onFile: (Int32, mh_fd_events) -> Void = { _, _ in }
    var onValidate: () -> mh_status = { 0 }
    var onApply: () -> mh_status = { 0 }
    /// Extensions that it does not offer.
    var lacks: Set<String> = []
    /// Extensions that its descriptor names.
    var requires: [String] = []
    var ackWithin: Int64 = 0

    let clock = VirtualClock()
    let log = Recorder<String>()
    let events: EventHub
    let timers: TimerService
    let bus = ScriptedBus()
    let notifications: NotificationService
    let workers = WorkerPool()
    let name: String
    private(set) var failures: [PluginFailure] = []
    private(set) var host: UnsafePointer<mh_host_1>?
    private let stateRoot: String?
    private let tables = Tables()
    static nonisolated let id = "org.example.scripted"

    init(_ name: String = "it", stateRoot: String? = nil) {
        self.stateRoot = stateRoot
        self.name = name
        events = EventHub(clock: clock)
        timers = TimerService(clock: clock)
        notifications = NotificationService(
            bus: bus, clock: clock, timers: timers,
            log: Log(upTo: .debug) { [log] level, _, text in log.record("\(level): \(text)") })
    }

    /// Made, and ready.
    func make() throws -> PluginInstance {
        let descriptor = PluginDescriptor(
            id: Self.id, name: "Scripted", vendor: "", version: "1", license: "MIT", summary: "A test's.",
            requires: requires)
        let context = PluginContext(
            instance: name,
            log: Log(source: "plugin \(name)", upTo: .debug) { [log] level, _, text in log.record("\(level): \(text)")
            },
            clock: clock, workers: workers, stateRoot: stateRoot)
        tables.fill(Unmanaged.passUnretained(self).toOpaque(), ackWithin: ackWithin)
        return try PluginInstance(
            name, descriptor: descriptor, config: [:], environment: self, context: context
        ) { host in
            self.host = host
            return UnsafePointer(tables.plugin)
        }
    }

    func table<Table>(_ id: String, as type: Table.Type = Table.self) -> UnsafePointer<Table>? {
        HostInterface.table(id)?.assumingMemoryBound(to: Table.self)
    }

    func post(_ name: String) -> mh_status {
        let events = table(MH_EXT_EVENTS, as: mh_events_host_1.self)
        return "\(Self.id).\(name)".withABI { events?.pointee.post?(host, $0, nil) ?? 1 }
    }

    func reply(_ token: mh_token) -> mh_status {
        table(MH_EXT_COMMANDS, as: mh_commands_host_1.self)?.pointee.reply?(host, token, nil) ?? 1
    }

    func acknowledge(_ token: mh_token) {
        table(MH_EXT_LIFECYCLE, as: mh_lifecycle_host_1.self)?.pointee.ack?(host, token, 0)
    }

    /// How often a line with this text was logged.
    func lines(_ text: String) -> Int { log.elements.filter { $0.contains(text) }.count }

    /// Runs what is enqueued so far, and what that enqueues, some turns long.
    func turns(_ count: Int = 1) async {
        for _ in 0..<count {
            await withCheckedContinuation { continuation in
                HostActor.enqueue { HostActor.enqueueForPlugin { HostActor.enqueue { continuation.resume() } } }
            }
        }
    }

    func end(_ instance: PluginInstance) async {
        await withCheckedContinuation { continuation in instance.deactivate { continuation.resume() } }
    }

    // MARK: - PluginEnvironment

    func pipeline(_ name: String) -> PipelineController? { nil }
    var pipelineNames: [String] { [] }
    var builds: [(name: String, pipeline: Pipeline)] = []
    func instanceFailed(_ instance: PluginInstance, _ error: PluginFailure) { failures.append(error) }
    func acknowledge(_ token: UInt64, accepted: Bool) { onAcknowledge(token, accepted) }
}

/// The C side: tables whose functions find the script again.
private final class Tables {
    let plugin = UnsafeMutablePointer<mh_plugin_1>.allocate(capacity: 1)
    private let lifecycle = UnsafeMutablePointer<mh_lifecycle_plugin_1>.allocate(capacity: 1)
    private let commands = UnsafeMutablePointer<mh_commands_plugin_1>.allocate(capacity: 1)
    private let command = UnsafeMutablePointer<mh_command_1>.allocate(capacity: 1)
    private let events = UnsafeMutablePointer<mh_events_plugin_1>.allocate(capacity: 1)
    private let notify = UnsafeMutablePointer<mh_notify_plugin_1>.allocate(capacity: 1)
    private let configs = UnsafeMutablePointer<mh_config_plugin_1>.allocate(capacity: 1)
    private let files = UnsafeMutablePointer<mh_fd_plugin_1>.allocate(capacity: 1)
    private let gst = UnsafeMutablePointer<mh_gst_plugin_1>.allocate(capacity: 1)
    private let routes = UnsafeMutablePointer<mh_routes_plugin_1>.allocate(capacity: 1)
    private let routeRows = UnsafeMutablePointer<mh_route_1>.allocate(capacity: 2)
    private let timers = UnsafeMutablePointer<mh_timer_plugin_1>.allocate(capacity: 1)
    private let data = UnsafeMutablePointer<Data>.allocate(capacity: 1)
    private let subscriptions = UnsafeMutablePointer<UnsafePointer<CChar>?>.allocate(capacity: 2)
    private let texts = ["do", "Does.", "\(ScriptedPlugin.id).*", "GET", "/things/{id}", "PUT", "/"].map { text in
        let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: text.utf8.count + 1)
        _ = copy.initialize(from: text.utf8CString)
        return copy
    }

    deinit {
        plugin.deallocate()
        lifecycle.deallocate()
        commands.deallocate()
        command.deallocate()
        events.deallocate()
        notify.deallocate()
        configs.deallocate()
        files.deallocate()
        gst.deallocate()
        routes.deallocate()
        routeRows.deallocate()
        timers.deallocate()
        subscriptions.deallocate()
        data.deallocate()
        for text in texts { text.deallocate() }
    }

    func fill(_ script: UnsafeMutableRawPointer, ackWithin: Int64) {
        subscriptions[0] = UnsafePointer(texts[2].baseAddress)
        subscriptions[1] = nil
        command.initialize(
            to: mh_command_1(name: texts[0].baseAddress, summary: texts[1].baseAddress, parameters: nil, result: nil))
        lifecycle.initialize(
            to: mh_lifecycle_plugin_1(
                on_state: { plugin, token, _, change, _ in Tables.script(plugin) { $0.onState(token, change) } },
                ack_within: ackWithin))
        commands.initialize(
            to: mh_commands_plugin_1(
                commands: UnsafePointer(command), count: 1,
                invoke: { plugin, token, _, _ in Tables.script(plugin) { $0.onInvoke(token) } },
                cancel: { plugin, token in Tables.script(plugin) { $0.onCancel(token) } }))
        events.initialize(
            to: mh_events_plugin_1(
                subscriptions: UnsafePointer(subscriptions),
                on_event: { plugin, event in
                    let name = event.map { String($0.pointee.name) } ?? ""
                    Tables.script(plugin) { $0.onEvent(name) }
                }))
        notify.initialize(
            to: mh_notify_plugin_1(
                on_action: { plugin, token, action in
                    let action = String(action)
                    Tables.script(plugin) { $0.onAction(token, action) }
                },
                on_closed: { plugin, token, why in Tables.script(plugin) { $0.onClosed(token, Int(why)) } }))
        configs.initialize(
            to: mh_config_plugin_1(
                validate: { plugin, _ in Tables.script(plugin) { $0.onValidate() } },
                apply: { plugin, _ in Tables.script(plugin) { $0.onApply() } }))
        files.initialize(
            to: mh_fd_plugin_1(
                on_fd: { plugin, file, events in Tables.script(plugin) { $0.onFile(file, events) } }))
        for row in 0..<2 {
            routeRows[row] = mh_route_1(
                method: texts[3 + 2 * row].baseAddress, path: texts[4 + 2 * row].baseAddress,
                summary: texts[1].baseAddress)
        }
        gst.initialize(
            to: mh_gst_plugin_1(
                built: { plugin, name, element in
                    // Compared by the test, on this thread.
                    nonisolated(unsafe) let element = element
                    let name = String(name)
                    Tables.script(plugin) { $0.onBuilt(name, element) }
                },
                released: { plugin, name, element in
                    // As above.
                    nonisolated(unsafe) let element = element
                    let name = String(name)
                    Tables.script(plugin) { $0.onReleased(name, element) }
                }))
        routes.initialize(
            to: mh_routes_plugin_1(
                routes: UnsafePointer(routeRows), count: 2,
                request: { plugin, token, request in
                    guard let request else { return }
                    // Lent by the host for the call, which stays on this thread.
                    nonisolated(unsafe) let view = request.pointee
                    Tables.script(plugin) { $0.onRequest(token, view) }
                },
                cancel: { plugin, token in Tables.script(plugin) { $0.onCancel(token) } }))
        timers.initialize(
            to: mh_timer_plugin_1(
                on_timer: { plugin, expiry in
                    guard let expiry = expiry?.pointee else { return }
                    Tables.script(plugin) { $0.onTimer(expiry) }
                }))
        data.initialize(to: Data(script: script, tables: Unmanaged.passUnretained(self).toOpaque()))
        plugin.initialize(
            to: mh_plugin_1(
                plugin_data: data,
                init: { plugin, _ in Tables.script(plugin) { $0.onInit() } },
                activate: { plugin in Tables.script(plugin) { $0.onActivate() } },
                deactivate: { plugin in Tables.script(plugin) { $0.onDeactivate() } },
                destroy: { plugin in Tables.script(plugin) { $0.onDestroy() } },
                on_main: { plugin in Tables.script(plugin) { $0.onMain() } },
                get_extension: { plugin, id in
                    let id = String(id)
                    var isLacking = false
                    Tables.script(plugin) { isLacking = $0.lacks.contains(id) }
                    return isLacking ? nil : Tables.of(plugin)?.find(id)
                }))
    }

    private struct Data {
        var script: UnsafeMutableRawPointer
        var tables: UnsafeMutableRawPointer
    }

    private func find(_ id: String) -> UnsafeRawPointer? {
        switch id {
        case MH_EXT_LIFECYCLE: UnsafeRawPointer(lifecycle)
        case MH_EXT_COMMANDS: UnsafeRawPointer(commands)
        case MH_EXT_EVENTS: UnsafeRawPointer(events)
        case MH_EXT_NOTIFY: UnsafeRawPointer(notify)
        case MH_EXT_CONFIG: UnsafeRawPointer(configs)
        case MH_EXT_FD: UnsafeRawPointer(files)
        case MH_EXT_GST: UnsafeRawPointer(gst)
        case MH_EXT_ROUTES: UnsafeRawPointer(routes)
        case MH_EXT_TIMER: UnsafeRawPointer(timers)
        default: nil
        }
    }

    private static func data(_ plugin: UnsafePointer<mh_plugin_1>?) -> Data? {
        plugin?.pointee.plugin_data?.assumingMemoryBound(to: Data.self).pointee
    }

    private static func of(_ plugin: UnsafePointer<mh_plugin_1>?) -> Tables? {
        data(plugin).map { Unmanaged<Tables>.fromOpaque($0.tables).takeUnretainedValue() }
    }

    private static func script(_ plugin: UnsafePointer<mh_plugin_1>?, _ body: @HostActor (ScriptedPlugin) -> Void) {
        guard let data = data(plugin) else { return }
        // The test's own, on the thread it is called on.
        nonisolated(unsafe) let handle = data.script
        HostActor.assumeIsolated { body(Unmanaged<ScriptedPlugin>.fromOpaque(handle).takeUnretainedValue()) }
    }

    private static func script(
        _ plugin: UnsafePointer<mh_plugin_1>?, _ body: @HostActor (ScriptedPlugin) -> mh_status
    ) -> mh_status {
        guard let data = data(plugin) else { return 1 }
        // As above.
        nonisolated(unsafe) let handle = data.script
        return HostActor.assumeIsolated {
            body(Unmanaged<ScriptedPlugin>.fromOpaque(handle).takeUnretainedValue())
        }
    }
}
