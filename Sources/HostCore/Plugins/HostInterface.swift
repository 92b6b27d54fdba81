internal import PluginABI

/// The host's side of the plugin ABI: one immortal C table per extension.
///
/// Each entry is a few lines: find the context, do or enqueue, answer with a status. Nothing traps on what a plugin passes.
enum HostInterface {
    static let abiMajor = UInt16(MH_ABI_MAJOR)
    static let abiMinor = UInt16(MH_ABI_MINOR)

    /// All extensions, by id.
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
        case MH_EXT_METRICS: UnsafeRawPointer(metrics)
        case MH_EXT_NOTIFY: UnsafeRawPointer(notify)
        case MH_EXT_GST: UnsafeRawPointer(gst)
        case MH_EXT_ROUTES: UnsafeRawPointer(routes)
        case MH_EXT_TIMER: UnsafeRawPointer(timer)
        case MH_EXT_CONFIG: UnsafeRawPointer(config)
        case MH_EXT_FD: UnsafeRawPointer(file)
        case MH_EXT_FD_STORE: UnsafeRawPointer(fileStore)
        default: nil
        }
    }

    static let ids = [
        MH_EXT_LOG, MH_EXT_VALUE, MH_EXT_CLOCK, MH_EXT_EVENTS, MH_EXT_LIFECYCLE, MH_EXT_COMMANDS, MH_EXT_COMMANDS_2,
        MH_EXT_WORKER,
        MH_EXT_STATE_DIRECTORY, MH_EXT_TAP, MH_EXT_METRICS, MH_EXT_NOTIFY, MH_EXT_TIMER, MH_EXT_FD, MH_EXT_CONFIG,
        MH_EXT_ROUTES, MH_EXT_FD_STORE, MH_EXT_GST,
    ]

    /// mh.log.draft/1. - Thread: main, worker.
    // Immortal, constant once made.
    static nonisolated(unsafe) let log = immortal(
        mh_log_ext_1(write: { host, level, text in
            guard let context = PluginContext.of(host) else { return }
            context.log.write(Log.Level(rawValue: level) ?? .debug, String(text))
        }))

    /// mh.clock.draft/1. - Thread: any.
    // Immortal, constant once made.
    static nonisolated(unsafe) let clock = immortal(
        mh_clock_ext_1(
            monotonic: { PluginContext.of($0)?.clock.monotonic().nanoseconds ?? 0 },
            boottime: { PluginContext.of($0)?.clock.boottime().nanoseconds ?? 0 },
            realtime: { PluginContext.of($0)?.clock.realtime().nanoseconds ?? 0 }))

    /// mh.events.draft/1. - Thread: main, worker.
    // Immortal, constant once made.
    static nonisolated(unsafe) let events = immortal(
        mh_events_host_1(post: { host, name, payload in
            let value = ValueBuilder.consume(payload)
            guard let context = PluginContext.of(host) else { return mh_status(MH_E_INVALID) }
            return context.post(String(name), value)
        }))

    /// mh.lifecycle.draft/1. - Thread: any.
    // Immortal, constant once made.
    static nonisolated(unsafe) let lifecycle = immortal(
        mh_lifecycle_host_1(ack: { host, token, status in
            PluginContext.of(host)?.acknowledge(token, status)
        }))

    /// mh.commands.draft/1. - Thread: any.
    // Immortal, constant once made.
    static nonisolated(unsafe) let commands = immortal(
        mh_commands_host_1(
            reply: { host, token, result in
                let value = ValueBuilder.consume(result)
                guard let context = PluginContext.of(host) else { return mh_status(MH_E_INVALID) }
                guard context.close(token) else { return mh_status(MH_E_STATE) }
                context.send(.reply(token, value))
                return mh_status(MH_OK)
            },
            reject: { host, token, status, text in reject(host, token, status, parameter: nil, text) },
            progress: { host, token, fraction, text in
                PluginContext.of(host)?.progress(token, fraction, String(text))
            }))

    /// mh.commands.draft/2. - Thread: any.
    // Immortal, constant once made.
    static nonisolated(unsafe) let commands2 = immortal(
        mh_commands_host_2(
            reply: commands.pointee.reply,
            reject: { host, token, status, parameter, text in
                let parameter = String(parameter)
                return reject(host, token, status, parameter: parameter.isEmpty ? nil : parameter, text)
            },
            progress: commands.pointee.progress))

    private static func reject(
        _ host: UnsafePointer<mh_host_1>?, _ token: mh_token, _ status: mh_status, parameter: String?, _ text: mh_str_1
    ) -> mh_status {
        guard let context = PluginContext.of(host) else { return mh_status(MH_E_INVALID) }
        guard context.close(token) else { return mh_status(MH_E_STATE) }
        context.send(.reject(token, PluginCallError(status, String(text), field: parameter)))
        return mh_status(MH_OK)
    }

    /// mh.worker.draft/1. - Thread: main, worker.
    // Immortal, constant once made.
    static nonisolated(unsafe) let worker = immortal(
        mh_worker_ext_1(submit: { host, work, argument in
            guard let context = PluginContext.of(host), let work else { return mh_status(MH_E_INVALID) }
            // The plugin's own pointer: the ABI lets it be used on a worker.
            nonisolated(unsafe) let handedOver = argument
            return mh_status(context.submit { work(handedOver) } ? MH_OK : MH_E_STATE)
        }))
}
