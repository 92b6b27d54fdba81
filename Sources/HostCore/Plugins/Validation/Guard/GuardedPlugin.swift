internal import CMemory
internal import PluginABI
import Locking
import Synchronization

/// One instance under trial: its C tables are called here, with arguments that are gone when the call has returned, and what it
/// calls is checked here.
///
/// Lock order: `known` and `state` are leaves.
// The pointers are set on the control thread before anybody else has the object, and constant from then on.
final class GuardedPlugin: @unchecked Sendable {
    struct State {
        /// Commands and requests that wait for their answer, by token.
        var open: [mh_token: String] = [:]
        var answered: [mh_token: String] = [:]
        var questions: Set<mh_token> = []
        var acknowledged: Set<mh_token> = []
        var taps: [Int64: GuardedTap] = [:]
        var lastTap: Int64 = 0
        var lastWork: Int64 = 0
        /// The last call of a tap that was reported.
        var streaming: PluginFunction?
    }

    let number: Int64
    let host: any CallTarget
    /// The host is in this process.
    let isHere: Bool
    let state = Locked(State())
    private let phase = Atomic(CallPhase.created.rawValue)
    private let memory: LentMemory
    private let table: UnsafePointer<mh_host_1>?
    private let workers: WorkerPool
    private let extensions: @Sendable (_ id: String) -> UnsafeRawPointer?
    private(set) var plugin: UnsafePointer<mh_plugin_1>?
    var lifecycleTable: UnsafePointer<mh_lifecycle_plugin_1>?
    var commandTable: UnsafePointer<mh_commands_plugin_1>?
    var eventTable: UnsafePointer<mh_events_plugin_1>?
    var pipelineTable: UnsafePointer<mh_gst_plugin_1>?
    var fileTable: UnsafePointer<mh_fd_plugin_1>?
    var configTable: UnsafePointer<mh_config_plugin_1>?
    var routeTable: UnsafePointer<mh_routes_plugin_1>?
    /// Of each row, for what is said of it.
    var routeNames: [String] = []
    var timerTable: UnsafePointer<mh_timer_plugin_1>?
    var notifyTable: UnsafePointer<mh_notify_plugin_1>?

    /// Those that have not been destroyed, by the address of their host.
    private static let known = Locked<[UInt: GuardedPlugin]>([:])

    /// - Parameters:
    ///   - host: where its calls go.
    ///   - hostData: what an extension that is not guarded finds the instance by; nil where all are guarded.
    ///   - extensions: those that are not guarded.
    init(
        _ number: Int64, _ name: String, host: any CallTarget, isHere: Bool, hostData: UnsafeMutableRawPointer?,
        workers: WorkerPool, extensions: @escaping @Sendable (_ id: String) -> UnsafeRawPointer?
    ) {
        self.number = number
        self.host = host
        self.isHere = isHere
        self.workers = workers
        self.extensions = extensions
        memory = LentMemory("mh_host_1", size: 256 + LentMemory.size(name))
        // Never to be read.
        let own = LentMemory("host_data", size: 16)
        let nothing = own.put(UInt64(0)).map { UnsafeMutableRawPointer($0) }
        own.end()
        let (host, version, instance) = (memory.put("mediahost"), memory.put(HostVersion.text), memory.put(name))
        table = memory.put(
            mh_host_1(
                host_data: hostData ?? nothing, name: host.ptr, version: version.ptr, instance: instance.ptr,
                abi_major: HostInterface.abiMajor, abi_minor: HostInterface.abiMinor, reserved: 0,
                get_extension: { GuardTables.getExtension($0, $1) }, fail: { GuardTables.fail($0, $1, $2) },
                request_main: { GuardTables.requestMain($0) })
        ).map { UnsafePointer($0) }
        Self.known.withLock { $0[UInt(bitPattern: table)] = self }
    }

    // MARK: - What the plugin calls

    /// Who called, where it may go on: what a plugin may not do at all is told, and not done.
    static func calling(_ function: HostFunction, _ host: UnsafePointer<mh_host_1>?) -> GuardedPlugin? {
        let role = CallRole(rawValue: mh_thread_role()) ?? .own
        guard let plugin = known.withLock({ $0[UInt(bitPattern: host)] }) else {
            var what: UnsafePointer<CChar>?
            if mh_lent(host, &what) == Int32(MH_LENT_BEFORE) {
                if let fault = function.fault(function.rule.roles.contains(role) ? role : .main, .gone) {
                    TrialPipe.tell(fault)
                }
            } else {
                TrialPipe.tell(
                    TrialFault(
                        "called \(function.rawValue) with a host that is not the one it was given",
                        expected: "the mh_host_1 of `create`, by its address (mediahost/host.h)",
                        fix: "keep the pointer, not a copy of what it points at"))
            }
            return nil
        }
        let phase = plugin.currentPhase
        guard let fault = function.fault(role, phase) else { return plugin }
        TrialPipe.tell(fault)
        switch function {
        case .attach, .detach, .arm, .declare, .element, .watch, .modify,
            .showNotification:
            return nil
        case .getExtension: return plugin
        default: return phase == .created || phase == .gone ? nil : plugin
        }
    }

    func ask(
        _ function: HostFunction, _ arguments: Value..., data: [UInt8] = [], file: Int32? = nil
    ) -> [Value] {
        var call = TrialCall(function, number, arguments, data: data)
        if !isHere { call.file = file }
        return host.perform(call)
    }

    func hostExtension(_ id: String) -> UnsafeRawPointer? {
        guard HostInterface.ids.contains(id) else { return nil }
        guard isHere || !GuardTables.inProcessOnly.contains(id) else {
            TrialPipe.note("\(id) is not in another process; the plugin was told so")
            return nil
        }
        return GuardTables.table(id) ?? extensions(id)
    }

    func acknowledge(_ token: mh_token) {
        let fault = state.withLock { state -> String? in
            if state.questions.remove(token) != nil {
                state.acknowledged.insert(token)
                return nil
            }
            return state.acknowledged.contains(token)
                ? "acknowledged a change of the lifecycle twice" : "acknowledged token \(token), which it was not given"
        }
        guard let fault else { return }
        TrialPipe.tell(
            TrialFault(
                fault, expected: "one answer to each token that is not 0 (mediahost/lifecycle.h)",
                fix: "call ack once for each on_state with a token"))
    }

    func answer(_ token: mh_token, _ function: HostFunction) {
        let fault = state.withLock { state -> String? in
            if let name = state.open.removeValue(forKey: token) {
                state.answered[token] = name
                return nil
            }
            if let name = state.answered[token] { return "answered \(name) twice, with \(function.rawValue)" }
            return "called \(function.rawValue) with token \(token), which it was not given"
        }
        guard let fault else { return }
        TrialPipe.tell(
            TrialFault(
                fault, expected: "one answer to each token (mediahost/\(function.rule.tag.prefix { $0 != ":" }))",
                fix: "forget the token when it is answered"))
    }

    func submit(
        _ work: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void, _ context: UnsafeMutableRawPointer?
    ) -> mh_status {
        let number = state.withLock { state in
            state.lastWork += 1
            return state.lastWork
        }
        let status = ask(.submit, .int(number)).status
        guard status == mh_status(MH_OK) else { return status }
        // The plugin's own pointer: the ABI lets it be used on a worker.
        nonisolated(unsafe) let handedOver = context
        workers.submit { [self] in
            mh_set_thread_role(CallRole.worker.rawValue)
            work(handedOver)
            mh_set_thread_role(CallRole.own.rawValue)
            _ = ask(.workDone, .int(number))
        }
        return status
    }

    func stateDirectory(_ path: UnsafeMutablePointer<mh_str_1>?) -> mh_status {
        let answer = ask(.stateDirectory)
        // As long as the host's table: it is that table's memory.
        if let path, answer.status == mh_status(MH_OK), answer.count > 1 { path.pointee = keep(answer[1].string ?? "") }
        return answer.status
    }

    private let paths = Locked<[LentMemory]>([])

    private func keep(_ text: String) -> mh_str_1 {
        let memory = LentMemory("a state directory's path", size: LentMemory.size(text))
        let text = memory.put(text)
        paths.withLock { $0.append(memory) }
        return text
    }

    // MARK: - What the host calls

    var currentPhase: CallPhase { CallPhase(rawValue: phase.load(ordering: .acquiring)) ?? .gone }

    func enter(_ phase: CallPhase) { self.phase.store(phase.rawValue, ordering: .releasing) }

    /// Calls into the plugin as the control thread, known by name while it lasts.
    func during<Result>(_ function: PluginFunction, _ phase: CallPhase? = nil, _ body: () -> Result) -> Result {
        let before = currentPhase
        if let phase { enter(phase) }
        defer { if phase != nil { enter(before) } }
        TrialPipe.write(TrialReport.call(function.rawValue))
        defer { TrialPipe.write(TrialReport.back()) }
        mh_set_thread_role(CallRole.main.rawValue)
        return body()
    }

    /// - Returns: nil where it was made; else what the factory's answer lacks.
    func create(_ factory: UnsafePointer<mh_factory_1>, _ id: String) -> String? {
        let made = LentMemory.during("the id of create", size: LentMemory.size(id)) { memory in
            let text = memory.put(id)
            return during(.create) { factory.pointee.create?(table, text) }
        }
        guard let made else {
            forget()
            return "the factory made no instance of \(id)"
        }
        let functions = made.pointee
        guard functions.`init` != nil, functions.activate != nil, functions.deactivate != nil, functions.destroy != nil,
            functions.on_main != nil
        else {
            forget()
            return "an instance of \(id) lacks required functions (mediahost/plugin.h)"
        }
        plugin = made
        return nil
    }

    func destroy() {
        during(.destroy, .destroying) { plugin?.pointee.destroy?(plugin) }
        forget()
    }

    private func forget() {
        enter(.gone)
        _ = Self.known.withLock { $0.removeValue(forKey: UInt(bitPattern: table)) }
        let left = paths.withLock { paths in
            defer { paths = [] }
            return paths
        }
        for path in left { path.end() }
        memory.end()
    }
}
