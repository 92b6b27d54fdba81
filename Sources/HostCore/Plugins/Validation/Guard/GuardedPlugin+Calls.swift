internal import CMemory
internal import PluginABI

/// The host's calls, made from plain data.
extension GuardedPlugin {
    func perform(_ function: PluginFunction, _ call: TrialCall) -> [Value] {
        guard let plugin else { return [] }
        let ok = mh_status(MH_OK)
        switch function {
        case .initialise:
            let status = LentMemory.during("the config of init", size: LentMemory.size(call[0])) { memory in
                let config = memory.put(call[0])
                return during(.initialise, .initialising) {
                    plugin.pointee.`init`?(plugin, config) ?? mh_status(MH_E_FAILED)
                }
            }
            if status == ok { enter(.ready) }
            return [.int(Int64(status))]
        case .tables: return [tables(plugin)]
        case .activate:
            let status = during(.activate, .activating) { plugin.pointee.activate?(plugin) ?? mh_status(MH_E_FAILED) }
            // Also where it failed: the host deactivates it then.
            enter(.active)
            return [.int(Int64(status))]
        case .deactivate:
            during(.deactivate, .deactivating) { plugin.pointee.deactivate?(plugin) }
            enter(.ready)
        case .destroy: destroy()
        case .onMain: during(.onMain) { plugin.pointee.on_main?(plugin) }
        case .onState:
            let token = UInt64(bitPattern: call[0].int ?? 0)
            if token != 0 { state.withLock { _ = $0.questions.insert(token) } }
            during(.onState) {
                lifecycleTable?.pointee.on_state?(
                    plugin, token, UInt64(bitPattern: call[1].int ?? 0), Int32(truncatingIfNeeded: call[2].int ?? 0),
                    call[3].int ?? .min)
            }
        case .invoke:
            let token = UInt64(bitPattern: call[0].int ?? 0)
            let name = call[1].string ?? ""
            state.withLock { $0.open[token] = "command \"\(name)\"" }
            LentMemory.during(
                "the name or the parameters of invoke", size: LentMemory.size(call[2]) + LentMemory.size(name)
            ) {
                let (text, parameters) = ($0.put(name), $0.put(call[2]))
                during(.invoke) { commandTable?.pointee.invoke?(plugin, token, text, parameters) }
            }
        case .cancel:
            let token = UInt64(bitPattern: call[0].int ?? 0)
            during(.cancel) { commandTable?.pointee.cancel?(plugin, token) }
        case .onEvent: tell(plugin, call[0])
        case .built, .released:
            let name = call[0].string ?? ""
            let element = call[1].int.flatMap { UnsafeMutableRawPointer(bitPattern: Int(clamping: $0)) }
            LentMemory.during("the name of \(function.rawValue)", size: LentMemory.size(name)) { memory in
                let text = memory.put(name)
                let table = pipelineTable?.pointee
                during(function) {
                    (function == .built ? table?.built : table?.released)?(plugin, text, element)
                }
            }
        case .onFile:
            let events = UInt32(truncatingIfNeeded: call[1].int ?? 0)
            during(.onFile) {
                fileTable?.pointee.on_fd?(plugin, Int32(truncatingIfNeeded: call[0].int ?? -1), events)
            }
        case .validate, .apply:
            let status = LentMemory.during("the config of \(function.rawValue)", size: LentMemory.size(call[0])) {
                memory in
                let config = memory.put(call[0])
                let table = configTable?.pointee
                return during(function) {
                    (function == .validate ? table?.validate : table?.apply)?(plugin, config)
                        ?? mh_status(MH_E_UNSUPPORTED)
                }
            }
            return [.int(Int64(status))]
        case .request: request(plugin, call)
        case .cancelRequest:
            let token = UInt64(bitPattern: call[0].int ?? 0)
            during(.cancelRequest) { routeTable?.pointee.cancel?(plugin, token) }
        case .onAction:
            let token = UInt64(bitPattern: call[0].int ?? 0)
            let action = call[1].string ?? ""
            LentMemory.during("the action of on_action", size: LentMemory.size(action)) { memory in
                let text = memory.put(action)
                during(.onAction) { notifyTable?.pointee.on_action?(plugin, token, text) }
            }
        case .onClosed:
            let token = UInt64(bitPattern: call[0].int ?? 0)
            let why = Int32(truncatingIfNeeded: call[1].int ?? 0)
            during(.onClosed) { notifyTable?.pointee.on_closed?(plugin, token, why) }
        case .onTimer:
            LentMemory.during("the expiry of on_timer", size: 128) { memory in
                let view = memory.put(
                    mh_timer_expiry_1(
                        timer: UInt64(bitPattern: call[0].int ?? 0), expirations: UInt64(bitPattern: call[1].int ?? 0),
                        due: call[2].int ?? 0, late: call[3].int ?? 0))
                during(.onTimer) { timerTable?.pointee.on_timer?(plugin, view) }
            }
        case .epoch, .format, .buffer, .gap, .endOfStream, .detached: stream(function, call)
        case .open, .create, .settle: return []
        }
        return [.int(0)]
    }

    private func tell(_ plugin: UnsafePointer<mh_plugin_1>, _ event: Value) {
        guard let onEvent = eventTable?.pointee.on_event else { return }
        func number(_ key: String) -> Int64 { event[key]?.int ?? 0 }
        let (name, source) = (event["name"]?.string ?? "", event["source"]?.string ?? "")
        let payload = event["payload"] ?? [:]
        let size = LentMemory.size(payload) + LentMemory.size(name) + LentMemory.size(source) + 256
        LentMemory.during("the event of on_event", size: size) { memory in
            let view = memory.put(
                mh_event_1(
                    size: UInt32(MemoryLayout<mh_event_1>.size), flags: 0,
                    sequence: UInt64(bitPattern: number("sequence")), boot_id: UInt64(bitPattern: number("boot")),
                    monotonic: number("monotonic"), realtime: number("realtime"),
                    cause: UInt64(bitPattern: number("cause")), depth: UInt32(truncatingIfNeeded: number("depth")),
                    reserved: 0, name: memory.put(name), source: memory.put(source), payload: memory.put(payload)))
            during(.onEvent) { onEvent(plugin, view) }
        }
    }

    // MARK: - Tables

    /// Reads the plugin's tables once, as the host does, and copies them.
    private func tables(_ plugin: UnsafePointer<mh_plugin_1>) -> Value {
        func find<Table>(_ id: String, _ type: Table.Type) -> UnsafePointer<Table>? {
            guard let get = plugin.pointee.get_extension else { return nil }
            let found = LentMemory.during("the id of get_extension", size: LentMemory.size(id)) { memory in
                let text = memory.put(id)
                return during(.tables) { get(plugin, text) }
            }
            return found?.assumingMemoryBound(to: type)
        }
        lifecycleTable = find(MH_EXT_LIFECYCLE, mh_lifecycle_plugin_1.self)
        commandTable = find(MH_EXT_COMMANDS, mh_commands_plugin_1.self)
        eventTable = find(MH_EXT_EVENTS, mh_events_plugin_1.self)
        // Not asked for what it could do nothing with.
        if isHere { pipelineTable = find(MH_EXT_GST, mh_gst_plugin_1.self) }
        fileTable = find(MH_EXT_FD, mh_fd_plugin_1.self)
        configTable = find(MH_EXT_CONFIG, mh_config_plugin_1.self)
        routeTable = find(MH_EXT_ROUTES, mh_routes_plugin_1.self)
        timerTable = find(MH_EXT_TIMER, mh_timer_plugin_1.self)
        notifyTable = find(MH_EXT_NOTIFY, mh_notify_plugin_1.self)
        for id in ["mh.no-such-extension/1", ""] where find(id, mh_lifecycle_plugin_1.self) != nil {
            TrialPipe.tell(
                TrialFault(
                    "get_extension returned a table for the unknown id \"\(id)\"",
                    expected: "NULL for every id that it does not offer (mediahost/plugin.h)",
                    fix: "compare the whole id, by its length"))
        }
        func text(_ pointer: UnsafePointer<CChar>?) -> Value { pointer.map { .string(String(cString: $0)) } ?? .null }
        var members: [Value.Member] = []
        if let table = lifecycleTable?.pointee {
            members.append(
                .init("lifecycle", ["within": .int(table.ack_within), "asks": .bool(table.on_state != nil)]))
        }
        if let table = commandTable?.pointee {
            let rows = UnsafeBufferPointer(
                start: table.commands, count: table.commands == nil ? 0 : min(table.count, 1024))
            members.append(
                .init(
                    "commands",
                    .list(rows.map { .list([text($0.name), text($0.summary), text($0.parameters), text($0.result)]) })))
            if table.invoke == nil || table.cancel == nil { tellMissing("mh_commands_plugin_1", "invoke and cancel") }
        }
        if let table = eventTable?.pointee {
            var names: [Value] = []
            var cursor = table.subscriptions
            while let place = cursor, let name = place.pointee, names.count < 1024 {
                names.append(.string(String(cString: name)))
                cursor = place + 1
            }
            members.append(.init("events", .list(names)))
            if table.on_event == nil, !names.isEmpty { tellMissing("mh_events_plugin_1", "on_event") }
        }
        if let table = pipelineTable?.pointee {
            members.append(.init("gst", true))
            if table.built == nil || table.released == nil { tellMissing("mh_gst_plugin_1", "built and released") }
        }
        if let table = fileTable?.pointee {
            members.append(.init("fd", .bool(table.on_fd != nil)))
            if table.on_fd == nil { tellMissing("mh_fd_plugin_1", "on_fd") }
        }
        if let table = configTable?.pointee {
            members.append(.init("config", .bool(table.validate != nil && table.apply != nil)))
            if table.validate == nil || table.apply == nil { tellMissing("mh_config_plugin_1", "validate and apply") }
        }
        if let table = routeTable?.pointee {
            members.append(.init("routes", routes(table)))
            if table.request == nil || table.cancel == nil { tellMissing("mh_routes_plugin_1", "request and cancel") }
        }
        if let table = timerTable?.pointee {
            members.append(.init("timer", .bool(table.on_timer != nil)))
            if table.on_timer == nil { tellMissing("mh_timer_plugin_1", "on_timer") }
        }
        // Each of its functions may be missing.
        if let table = notifyTable?.pointee {
            members.append(
                .init("notify", ["action": .bool(table.on_action != nil), "closed": .bool(table.on_closed != nil)]))
        }
        return .map(members)
    }

    private func tellMissing(_ table: String, _ functions: String) {
        TrialPipe.tell(
            TrialFault(
                "its \(table) lacks functions", expected: "\(functions), none of them NULL",
                fix: "fill in every function of a table that is offered"))
    }
}
