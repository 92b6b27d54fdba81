public import GStreamerKit
internal import PluginABI

/// What an instance needs from the rest of the house.
@HostActor
protocol PluginEnvironment: AnyObject {
    func pipeline(_ name: String) -> PipelineController?
    var pipelineNames: [String] { get }
    /// The instance asked for its own end.
    func instanceFailed(_ instance: PluginInstance, _ error: PluginFailure)
    func acknowledge(_ token: UInt64, accepted: Bool)
    var events: EventHub { get }
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
    private(set) var commands: [PluginCommand] = []
    private(set) var failure: PluginFailure?
    private let context: PluginContext
    private let host: PluginHostTable
    private let plugin: UnsafePointer<mh_plugin_1>
    private weak var environment: (any PluginEnvironment)?
    private var lifecycleTable: UnsafePointer<mh_lifecycle_plugin_1>?
    private var commandTable: UnsafePointer<mh_commands_plugin_1>?
    private var eventTable: UnsafePointer<mh_events_plugin_1>?
    private var subscriptions: [String] = []
    private var unsubscribe: (@HostActor () -> Void)?
    private var taps: [ObjectIdentifier: PluginTap] = [:]
    private var calls = PluginCalls()
    private var onGone: [@HostActor () -> Void] = []

    /// Creates and initialises. On failure nothing is left behind.
    init(
        _ name: String, descriptor: PluginDescriptor, of library: PluginLibrary, config: Value,
        environment: any PluginEnvironment, context: PluginContext
    ) throws(PluginFailure) {
        self.name = name
        self.descriptor = descriptor
        self.environment = environment
        self.context = context
        host = PluginHostTable(context)
        plugin = try library.create(descriptor.id, host: host.pointer)
        context.owner = self
        let tree = ValueNode(config)
        let status = withExtendedLifetime(tree) {
            HostActor.activity.during("plugin \(name)", "init") {
                plugin.pointee.`init`?(plugin, tree.handle) ?? mh_status(MH_E_FAILED)
            }
        }
        do throws(PluginFailure) {
            guard status == mh_status(MH_OK) else {
                throw PluginFailure("plugin \(name) refused to start (status \(status)); its own lines above say why")
            }
            try readTables()
        } catch {
            plugin.pointee.destroy?(plugin)
            state = .gone
            throw error
        }
    }

    /// One that has not let go in time may still call the host, so its table stays for the little that is left of the
    /// process.
    isolated deinit {
        if state != .gone { _ = Unmanaged.passRetained(host) }
    }

    /// Attaches its taps and begins.
    func activate() throws(PluginFailure) {
        guard state == .ready else { return }
        state = .active
        let status = calling("activate") { plugin.pointee.activate?(plugin) ?? mh_status(MH_E_FAILED) }
        guard status == mh_status(MH_OK) else {
            deactivate {}
            throw PluginFailure("plugin \(name) could not begin (status \(status)); its own lines above say why")
        }
        if !subscriptions.isEmpty {
            unsubscribe = environment?.events.subscribe { [weak self] event in self?.tell(event) }
        }
    }

    /// Ends: deactivate, last taps and work, destroy; then calls `done`.
    func deactivate(_ done: @escaping @HostActor () -> Void) {
        guard state == .ready || state == .active else { return state == .gone ? done() : onGone.append(done) }
        onGone.append(done)
        unsubscribe?()
        unsubscribe = nil
        let wasActive = state == .active
        state = .leaving
        calls.failAll("plugin \(name) is ending") { context.close($0) }
        if wasActive { calling("deactivate") { plugin.pointee.deactivate?(plugin) } }
        for tap in taps.values { tap.end() }
        destroyIfFree()
    }

    /// Calls into the plugin; the monitor can say so where it does not come back.
    private func calling<Result>(_ function: String, _ body: () -> Result) -> Result {
        HostActor.activity.during("plugin \(name)", function, body)
    }

    private func destroyIfFree() {
        guard state == .leaving, taps.isEmpty, !context.hasRunningWork else { return }
        state = .gone
        calling("destroy") { plugin.pointee.destroy?(plugin) }
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
        if let list = commandTable?.pointee.commands, let count = commandTable?.pointee.count {
            for index in 0..<min(count, 1024) { commands.append(try PluginCommand(list[index], of: name)) }
        }
        var cursor = eventTable?.pointee.subscriptions
        while let place = cursor, let pattern = place.pointee {
            subscriptions.append(String(cString: pattern))
            cursor = place + 1
        }
    }
}

// MARK: - From the plugin, on the control thread

extension PluginInstance {
    func receive(_ request: PluginContext.Request) {
        guard state != .gone else { return }
        switch request {
        case .fail(let status, let text): fail(PluginFailure("plugin \(name) failed (status \(status)): \(text)"))
        case .main:
            context.mainIsAboutToRun()
            calling("on_main") { plugin.pointee.on_main?(plugin) }
        case .acknowledge(let token, let status):
            environment?.acknowledge(token, accepted: status == mh_status(MH_OK))
        case .reply(let token, let value): calls.finish(token, .success(value))
        case .reject(let token, let status, let text): calls.finish(token, .failure(PluginCallError(status, text)))
        case .progress(_, let fraction, let text):
            context.log.debug(Self.progress(fraction, text))
        case .post(let event, let payload):
            guard event.hasPrefix(descriptor.id + ".") else {
                context.log.warning("posted \"\(event)\", which does not begin with \(descriptor.id).; not delivered")
                return
            }
            environment?.events.post(event, source: name, payload)
        case .workDone: destroyIfFree()
        }
    }

    /// Anything may come from a plugin, infinities and no number included.
    nonisolated static func progress(_ fraction: Double, _ text: String) -> String {
        (0...1).contains(fraction) ? "\(Int(fraction * 100)) % \(text)" : text
    }

    private func fail(_ error: PluginFailure) {
        guard failure == nil else { return }
        failure = error
        environment?.instanceFailed(self, error)
    }

    func attachTap(
        _ place: String, _ client: UnsafePointer<mh_tap_client_1>,
        _ result: UnsafeMutablePointer<OpaquePointer?>
    ) -> mh_status {
        guard state == .active else { return mh_status(MH_E_STATE) }
        guard PluginTapClient.isComplete(client) else {
            context.log.error("cannot tap \(place): the client's table lacks functions")
            return mh_status(MH_E_INVALID)
        }
        do throws(PluginFailure) {
            let path = try padPath(place)
            guard let pipeline = environment?.pipeline(path.pipeline) else {
                throw unknownPipeline(path.pipeline)
            }
            let tap = PluginTap(pipeline)
            let listener = PluginTapClient(
                client,
                onRefused: { [weak self] failure in
                    guard let self else { return }
                    self.fail(PluginFailure("plugin \(self.name) cannot tap \(place): \(failure.message)"))
                },
                onDetached: { [weak self, weak tap] in
                    guard let self, let tap else { return }
                    self.taps[ObjectIdentifier(tap)] = nil
                    self.destroyIfFree()
                })
            do throws(PipelineFailure) {
                tap.tap = try pipeline.attach(listener, at: ElementPad(element: path.element, pad: path.pad))
            } catch {
                throw PluginFailure(error.message)
            }
            taps[ObjectIdentifier(tap)] = tap
            result.pointee = tap.handle
            return mh_status(MH_OK)
        } catch {
            context.log.error("cannot tap \(place): \(error)")
            return mh_status(MH_E_NOT_FOUND)
        }
    }

    /// Whether it listens at a pipeline.
    func listens(to pipeline: PipelineController) -> Bool { taps.values.contains { $0.isOn(pipeline) } }

    func detachTap(_ handle: OpaquePointer) {
        taps.values.first { $0.handle == handle }?.end()
    }

    private func padPath(_ text: String) throws(PluginFailure) -> PadPath {
        do throws(PathError) {
            return try PadPath(text)
        } catch {
            throw PluginFailure("\(error)")
        }
    }

    private func unknownPipeline(_ wanted: String) -> PluginFailure {
        let names = environment?.pipelineNames ?? []
        let hint = Suggestion.nearest(to: wanted, among: names).map { "did you mean \"\($0)\"?" }
        return PluginFailure(
            "there is no pipeline \"\(wanted)\"", help: hint ?? "there are: \(names.joined(separator: ", "))")
    }
}

// MARK: - To the plugin

extension PluginInstance {
    public var acknowledgeWithin: ClockTime {
        let wanted = lifecycleTable?.pointee.ack_within ?? 0
        return wanted > 0 ? ClockTime(nanoseconds: wanted) : .milliseconds(500)
    }

    public func lifecycle(_ change: LifecycleChange, state: DesiredState, token: UInt64?, deadline: ClockTime?) {
        guard self.state == .active, let table = lifecycleTable, let onState = table.pointee.on_state else {
            if let token { environment?.acknowledge(token, accepted: true) }
            return
        }
        calling("on_state") {
            onState(plugin, token ?? 0, state.rawValue, change.rawValue, deadline?.nanoseconds ?? Int64.min)
        }
    }

    private func tell(_ event: Event) {
        guard state == .active, let onEvent = eventTable?.pointee.on_event, subscriptions.contains(where: event.matches)
        else { return }
        let payload = ValueNode(event.payload)
        let bootID = environment?.events.bootID ?? 0
        withExtendedLifetime(payload) {
            event.name.withABI { name in
                event.source.withABI { source in
                    var view = mh_event_1(
                        size: UInt32(MemoryLayout<mh_event_1>.size), flags: 0, sequence: event.sequence,
                        boot_id: bootID, monotonic: event.monotonic.nanoseconds,
                        realtime: event.realtime.nanoseconds, cause: event.cause ?? 0, depth: event.depth, reserved: 0,
                        name: name, source: source, payload: payload.handle)
                    calling("on_event") { onEvent(plugin, &view) }
                }
            }
        }
    }

    /// Calls a command and waits for its answer. Cancelling the task tells the plugin that nobody waits any more.
    func call(_ command: String, _ parameters: Value) async throws(PluginCallError) -> Value {
        guard state == .active, let invoke = commandTable?.pointee.invoke else {
            throw PluginCallError(mh_status(MH_E_STATE), "plugin \(name) is not running")
        }
        guard let known = commands.first(where: { $0.name == command }) else { throw unknownCommand(command) }
        let resolved = try known.resolve(parameters)
        let token = calls.nextToken()
        let context = context
        context.open(token)
        let result: Result<Value, PluginCallError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                calls.wait(for: token, continuation)
                let tree = ValueNode(resolved)
                withExtendedLifetime(tree) {
                    calling("invoke") { command.withABI { invoke(plugin, token, $0, tree.handle) } }
                }
            }
        } onCancel: {
            HostActor.enqueue { context.owner?.cancel(token) }
        }
        return try result.get()
    }

    private func cancel(_ token: mh_token) {
        guard state == .active, calls.isWaiting(for: token) else { return }
        calling("cancel") { commandTable?.pointee.cancel?(plugin, token) }
    }

    private func unknownCommand(_ wanted: String) -> PluginCallError {
        let names = commands.map(\.name)
        let hint = Suggestion.nearest(to: wanted, among: names).map { "; did you mean \"\($0)\"?" } ?? ""
        let list = names.isEmpty ? "it has none" : "it has \(names.joined(separator: ", "))"
        return PluginCallError(
            mh_status(MH_E_NOT_FOUND), "plugin \(name) has no command \"\(wanted)\"\(hint) (\(list))")
    }
}

extension Event {
    /// Whether a subscription takes it: a name, or "prefix.*".
    func matches(_ pattern: String) -> Bool {
        pattern.hasSuffix(".*") ? name.hasPrefix(pattern.dropLast()) : name == pattern
    }
}
