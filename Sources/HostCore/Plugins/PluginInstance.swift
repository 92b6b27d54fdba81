internal import GStreamerKit
internal import PluginABI

/// What an instance needs from the rest of the house.
@HostActor
protocol PluginEnvironment: AnyObject {
    func pipeline(_ name: String) -> PipelineController?
    var pipelineNames: [String] { get }
    /// The instance asked for its own end.
    func instanceFailed(_ instance: PluginInstance, _ error: PluginFailure)
    func acknowledge(_ token: UInt64, accepted: Bool)
    /// What is built now.
    var builds: [(name: String, pipeline: Pipeline)] { get }
    var events: EventHub { get }
    var timers: TimerService { get }
    var notifications: NotificationService { get }
}

/// One configured plugin: its life from `create` to `destroy`, and everything it holds of the host.
///
/// ```
///   ready ──activate──▶ active ──deactivate──▶ leaving ──last tap and work gone──▶ gone
/// ```
@HostActor
public final class PluginInstance: LifecycleParticipant {
    enum State: Sendable, Equatable {
        case ready, active, leaving, gone
    }

    public let name: String
    let descriptor: PluginDescriptor
    private(set) var state = State.ready
    /// What is in force.
    var config: Value
    /// What the plugin says against the config that it is being shown; nil where it is shown none.
    var refusals: [ConfigRefusal]?
    private(set) var commands: [PluginCommand] = []
    var routes: [PluginRoute] = [] { didSet { router = Router(routes: routes) } }
    private(set) var router = Router<PluginRoute>(routes: [])
    var failure: PluginFailure?
    private var isDeactivating = false
    /// Whether it was named for not letting go in time: nobody waits for it any more.
    var isHeld = false
    let context: PluginContext
    let plugin: UnsafePointer<mh_plugin_1>
    weak var environment: (any PluginEnvironment)?
    var lifecycleTable: UnsafePointer<mh_lifecycle_plugin_1>?
    var commandTable: UnsafePointer<mh_commands_plugin_1>?
    var eventTable: UnsafePointer<mh_events_plugin_1>?
    var subscriptions: [String] = []
    let eventNote: MainActivity.Note
    private var unsubscribe: (@HostActor () -> Void)?
    var configTable: UnsafePointer<mh_config_plugin_1>?
    var fileTable: UnsafePointer<mh_fd_plugin_1>?
    var routeTable: UnsafePointer<mh_routes_plugin_1>?
    var timerTable: UnsafePointer<mh_timer_plugin_1>?
    var notifyTable: UnsafePointer<mh_notify_plugin_1>?
    var gstTable: UnsafePointer<mh_gst_plugin_1>?
    /// The builds that it was shown.
    var builds: [Pipeline] = []
    /// Of descriptors that it had watched before.
    var fileBuckets: [Int32: TokenBucket] = [:]
    var taps: [ObjectIdentifier: PluginTap] = [:]
    /// Those that are armed, by the host's own numbers.
    var timers: Set<UInt64> = []
    /// Whether it was said that no timer of it wakes the machine.
    var saysNoWake = false
    /// Those that have not ended, likewise.
    var notifications: Set<UInt64> = []
    var files: [Int32: PluginFile] = [:]
    var calls = PluginCalls()
    private var budget = CallBudget()
    private var onGone: [@HostActor () -> Void] = []

    /// Creates and initialises. On failure nothing is left behind.
    /// - Parameter create: makes the instance for its host table; the caller of `init` owns it from then on.
    init(
        _ name: String, descriptor: PluginDescriptor, config: Value, environment: any PluginEnvironment,
        context: PluginContext,
        create: (UnsafePointer<mh_host_1>) throws(PluginFailure) -> UnsafePointer<mh_plugin_1>
    ) throws(PluginFailure) {
        self.name = name
        self.descriptor = descriptor
        self.environment = environment
        self.context = context
        self.config = config
        let host = PluginHostTable(context)
        eventNote = .of("plugin \(name)", "on_event")
        plugin = try HostActor.activity.during(.of("plugin \(name)", "create")) { () throws(PluginFailure) in
            try create(host.pointer)
        }
        context.owner = self
        let tree = ValueNode(config)
        let status = withExtendedLifetime(tree) {
            calling("init") { plugin.pointee.`init`?(plugin, tree.handle) ?? mh_status(MH_E_FAILED) }
        }
        do throws(PluginFailure) {
            guard status == mh_status(MH_OK) else {
                throw PluginFailure("plugin \(name) refused to start (status \(status)); its own lines above say why")
            }
            context.enter(.begun)
            try calling("get_extension") { () throws(PluginFailure) in try readTables() }
        } catch {
            state = .gone
            context.enter(.gone)
            calling("destroy") { plugin.pointee.destroy?(plugin) }
            throw error
        }
    }

    /// Attaches its taps and begins.
    func activate() throws(PluginFailure) {
        guard state == .ready else { return }
        state = .active
        if (descriptor.requires + descriptor.optional).contains(MH_EXT_NOTIFY) { environment?.notifications.prepare() }
        let status = calling("activate") { plugin.pointee.activate?(plugin) ?? mh_status(MH_E_FAILED) }
        guard status == mh_status(MH_OK) else {
            deactivate {}
            throw PluginFailure("plugin \(name) could not begin (status \(status)); its own lines above say why")
        }
        for build in environment?.builds ?? [] { built(build.name, build.pipeline) }
        if !subscriptions.isEmpty {
            // Held until it is deactivated, which ends it.
            unsubscribe = environment?.events.subscribe(to: subscriptions.map(EventPattern.init)) { [self] in tell($0) }
        }
    }

    /// Ends: deactivate, last taps and work, destroy; then calls `done`.
    func deactivate(_ done: @escaping @HostActor () -> Void) {
        guard state == .ready || state == .active else { return state == .gone ? done() : onGone.append(done) }
        onGone.append(done)
        unsubscribe?()
        unsubscribe = nil
        for build in builds { released(build.name, build) }
        let wasActive = state == .active
        state = .leaving
        context.leaving = self
        endTimers()
        endFiles()
        calls.failAll("plugin \(name) is ending") { context.forget($0) }
        if wasActive {
            // A tap that it detaches there may end at once, and be the last: it is destroyed when it has returned.
            isDeactivating = true
            calling("deactivate") { plugin.pointee.deactivate?(plugin) }
            isDeactivating = false
        }
        endNotifications()
        for tap in taps.values { tap.end() }
        destroyIfFree()
    }

    /// Whether an end of it waits until it is gone.
    var isAwaited: Bool { state != .gone && !isHeld }

    /// Calls into the plugin: the monitor can say so where it does not come back, and the log where it comes back late.
    func calling<Result, Failure: Error>(
        _ function: String, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let began = context.clock.monotonic()
        defer {
            let now = context.clock.monotonic()
            if let line = budget.noteCall(function, took: now - began, at: now) { context.log.warning(line) }
        }
        return try HostActor.activity.during(.of("plugin \(name)", function), body)
    }

    func noteEvent(_ took: ClockTime) { budget.noteEvent(took: took) }

    /// What it was called for, and how long that took on the control thread.
    var spent: [(function: String, spent: CallBudget.Spent)] { budget.calls }

    func noteLateEvent(_ took: ClockTime, at end: ClockTime) {
        if let line = budget.note("on_event", took: took, at: end) { context.log.warning(line) }
    }

    /// What it did that it should not have done, and how often it was late.
    var counters: Value {
        guard case .map(let members) = context.counters.value else { return [:] }
        return .map([.init("late", budget.value)] + members)
    }

    func destroyIfFree() {
        guard state == .leaving, !isDeactivating, taps.isEmpty, !context.hasRunningWork else { return }
        state = .gone
        context.enter(.gone)
        calling("destroy") { plugin.pointee.destroy?(plugin) }
        context.leaving = nil
        let done = onGone
        onGone = []
        for waiter in done { waiter() }
    }

    private func readTables() throws(PluginFailure) {
        func table<Table>(_ id: String, _ type: Table.Type) -> UnsafePointer<Table>? {
            guard let get = plugin.pointee.get_extension, let found = id.withABI({ get(plugin, $0) }) else {
                return nil
            }
            return found.assumingMemoryBound(to: type)
        }
        lifecycleTable = table(MH_EXT_LIFECYCLE, mh_lifecycle_plugin_1.self)
        commandTable = table(MH_EXT_COMMANDS, mh_commands_plugin_1.self)
        eventTable = table(MH_EXT_EVENTS, mh_events_plugin_1.self)
        configTable = table(MH_EXT_CONFIG, mh_config_plugin_1.self)
        fileTable = table(MH_EXT_FD, mh_fd_plugin_1.self)
        routeTable = table(MH_EXT_ROUTES, mh_routes_plugin_1.self)
        gstTable = table(MH_EXT_GST, mh_gst_plugin_1.self)
        timerTable = table(MH_EXT_TIMER, mh_timer_plugin_1.self)
        notifyTable = table(MH_EXT_NOTIFY, mh_notify_plugin_1.self)
        if let list = commandTable?.pointee.commands, let count = commandTable?.pointee.count {
            for index in 0..<min(count, 1024) { commands.append(try PluginCommand(list[index], of: name)) }
        }
        try readRoutes()
        var cursor = eventTable?.pointee.subscriptions
        while let place = cursor, let pattern = place.pointee {
            subscriptions.append(String(cString: pattern))
            cursor = place + 1
        }
    }
}
