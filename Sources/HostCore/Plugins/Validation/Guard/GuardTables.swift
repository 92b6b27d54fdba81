internal import PluginABI

/// The host's side of the ABI as a plugin under trial sees it: each call is checked against what its header says of thread and
/// state, copied, and passed on as plain data.
///
/// A new extension is
/// 1. a table here (a file `GuardTables+Name.swift`) and its line in `table`,
/// 2. a case with its rule in `HostFunction` for each function that the plugin calls, which `HostPlace` passes to the host, and
///    `QuietHost` answers where 0 alone would not do,
/// 3. a case in `PluginFunction` for each function that the host calls: made in `GuardedPlugin+Calls`, where `tables` asks the
///    plugin for its own table, and offered to the host by `PluginStub`.
///
/// Until then it stands in `unguarded`: its calls are not checked, and a plugin in another process is told that it is not there.
enum GuardTables {
    /// Whether it has a table here.
    static func guards(_ id: String) -> Bool { table(id) != nil }

    /// Those of the host's that have none yet.
    static let unguarded: [String] = []

    /// Those that no other process can have: their calls carry addresses, or answer with a descriptor.
    static let inProcessOnly: Set<String> = [MH_EXT_FD_STORE, MH_EXT_GST]

    static func table(_ id: String) -> UnsafeRawPointer? {
        switch id {
        case MH_EXT_LOG: UnsafeRawPointer(log)
        case MH_EXT_VALUE: UnsafeRawPointer(value)
        case MH_EXT_CLOCK: UnsafeRawPointer(clock)
        case MH_EXT_EVENTS: UnsafeRawPointer(events)
        case MH_EXT_LIFECYCLE: UnsafeRawPointer(lifecycle)
        case MH_EXT_COMMANDS: UnsafeRawPointer(commands)
        case MH_EXT_COMMANDS_2: UnsafeRawPointer(commands2)
        case MH_EXT_WORKER: UnsafeRawPointer(worker)
        case MH_EXT_STATE_DIRECTORY: UnsafeRawPointer(stateDirectory)
        case MH_EXT_TAP: UnsafeRawPointer(tap)
        case MH_EXT_GST: UnsafeRawPointer(gst)
        case MH_EXT_FD: UnsafeRawPointer(file)
        case MH_EXT_FD_STORE: UnsafeRawPointer(fileStore)
        case MH_EXT_CONFIG: UnsafeRawPointer(config)
        case MH_EXT_METRICS: UnsafeRawPointer(metrics)
        case MH_EXT_NOTIFY: UnsafeRawPointer(notify)
        case MH_EXT_ROUTES: UnsafeRawPointer(routes)
        case MH_EXT_TIMER: UnsafeRawPointer(timer)
        default: nil
        }
    }

    private static let refused = mh_status(MH_E_STATE)

    static func getExtension(_ host: UnsafePointer<mh_host_1>?, _ id: mh_str_1) -> UnsafeRawPointer? {
        guard let plugin = GuardedPlugin.calling(.getExtension, host) else { return nil }
        return plugin.hostExtension(text(id, "get_extension"))
    }

    static func fail(_ host: UnsafePointer<mh_host_1>?, _ status: mh_status, _ words: mh_str_1) {
        guard let plugin = GuardedPlugin.calling(.fail, host) else { return }
        _ = plugin.ask(.fail, .int(Int64(status)), .string(text(words, "fail")))
    }

    static func requestMain(_ host: UnsafePointer<mh_host_1>?) {
        _ = GuardedPlugin.calling(.requestMain, host)?.ask(.requestMain)
    }

    // Immortal, constant once made.
    static nonisolated(unsafe) let log = immortal(
        mh_log_ext_1(write: { host, level, words in
            guard let plugin = GuardedPlugin.calling(.log, host) else { return }
            _ = plugin.ask(.log, .int(Int64(level)), .string(text(words, "log.write")))
        }))

    // As above.
    static nonisolated(unsafe) let clock = immortal(
        mh_clock_ext_1(
            monotonic: { GuardedPlugin.calling(.clock, $0)?.ask(.clock, 0).first?.int ?? 0 },
            boottime: { GuardedPlugin.calling(.clock, $0)?.ask(.clock, 1).first?.int ?? 0 },
            realtime: { GuardedPlugin.calling(.clock, $0)?.ask(.clock, 2).first?.int ?? 0 }))

    // As above.
    static nonisolated(unsafe) let events = immortal(
        mh_events_host_1(post: { host, name, payload in
            let value = Builders.consume(payload, "events.post")
            guard let plugin = GuardedPlugin.calling(.post, host) else { return refused }
            return plugin.ask(.post, .string(text(name, "events.post")), value).status
        }))

    // As above.
    static nonisolated(unsafe) let lifecycle = immortal(
        mh_lifecycle_host_1(ack: { host, token, status in
            guard let plugin = GuardedPlugin.calling(.acknowledge, host) else { return }
            plugin.acknowledge(token)
            _ = plugin.ask(.acknowledge, .int(Int64(bitPattern: token)), .int(Int64(status)))
        }))

    // As above.
    static nonisolated(unsafe) let commands = immortal(
        mh_commands_host_1(
            reply: { host, token, result in
                let value = Builders.consume(result, "commands.reply")
                guard let plugin = GuardedPlugin.calling(.reply, host) else { return refused }
                plugin.answer(token, .reply)
                return plugin.ask(.reply, .int(Int64(bitPattern: token)), value).status
            },
            reject: { host, token, status, words in reject(host, token, status, parameter: mh_str_1(), words) },
            progress: { host, token, fraction, words in
                guard let plugin = GuardedPlugin.calling(.progress, host) else { return }
                _ = plugin.ask(
                    .progress, .int(Int64(bitPattern: token)), .double(fraction),
                    .string(text(words, "commands.progress")))
            }))

    // As above.
    static nonisolated(unsafe) let commands2 = immortal(
        mh_commands_host_2(
            reply: commands.pointee.reply,
            reject: { reject($0, $1, $2, parameter: $3, $4) },
            progress: commands.pointee.progress))

    private static func reject(
        _ host: UnsafePointer<mh_host_1>?, _ token: mh_token, _ status: mh_status, parameter: mh_str_1,
        _ words: mh_str_1
    ) -> mh_status {
        guard let plugin = GuardedPlugin.calling(.reject, host) else { return refused }
        plugin.answer(token, .reject)
        return plugin.ask(
            .reject, .int(Int64(bitPattern: token)), .int(Int64(status)), .string(text(words, "commands.reject")),
            .string(text(parameter, "commands.reject"))
        ).status
    }

    // As above.
    static nonisolated(unsafe) let worker = immortal(
        mh_worker_ext_1(submit: { host, work, context in
            guard let plugin = GuardedPlugin.calling(.submit, host) else { return refused }
            guard let work else { return mh_status(MH_E_INVALID) }
            return plugin.submit(work, context)
        }))

    // As above.
    static nonisolated(unsafe) let stateDirectory = immortal(
        mh_state_directory_ext_1(path: { host, path in
            path?.pointee = mh_str_1()
            guard let plugin = GuardedPlugin.calling(.stateDirectory, host) else { return refused }
            return plugin.stateDirectory(path)
        }))

    // As above.
    static nonisolated(unsafe) let tap = immortal(
        mh_tap_ext_1(
            attach: { host, pad, client, result in
                result?.pointee = nil
                guard let plugin = GuardedPlugin.calling(.attach, host) else { return refused }
                guard let client, let result else { return mh_status(MH_E_INVALID) }
                return plugin.attach(text(pad, "tap.attach"), client, result)
            },
            detach: { host, tap in GuardedPlugin.calling(.detach, host)?.detach(tap) },
            retain: { GuardedBuffers.retain($0) }, release: { GuardedBuffers.release($0) }))
}
