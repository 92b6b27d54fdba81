internal import HostCore
internal import PluginABI

/// The C tables of one fake host, freed with it.
final class FakeTables {
    let host = UnsafeMutablePointer<mh_host_1>.allocate(capacity: 1)
    private let log = UnsafeMutablePointer<mh_log_ext_1>.allocate(capacity: 1)
    private let clock = UnsafeMutablePointer<mh_clock_ext_1>.allocate(capacity: 1)
    private let commands = UnsafeMutablePointer<mh_commands_host_1>.allocate(capacity: 1)
    private let commands2 = UnsafeMutablePointer<mh_commands_host_2>.allocate(capacity: 1)
    private let config = UnsafeMutablePointer<mh_config_host_1>.allocate(capacity: 1)
    private let events = UnsafeMutablePointer<mh_events_host_1>.allocate(capacity: 1)
    private let file = UnsafeMutablePointer<mh_fd_host_1>.allocate(capacity: 1)
    private let fileStore = UnsafeMutablePointer<mh_fd_store_ext_1>.allocate(capacity: 1)
    private let lifecycle = UnsafeMutablePointer<mh_lifecycle_host_1>.allocate(capacity: 1)
    private let metrics = UnsafeMutablePointer<mh_metrics_ext_1>.allocate(capacity: 1)
    private let notify = UnsafeMutablePointer<mh_notify_host_1>.allocate(capacity: 1)
    private let gst = UnsafeMutablePointer<mh_gst_host_1>.allocate(capacity: 1)
    private let routes = UnsafeMutablePointer<mh_routes_host_1>.allocate(capacity: 1)
    private let stateDirectory = UnsafeMutablePointer<mh_state_directory_ext_1>.allocate(capacity: 1)
    private let tap = UnsafeMutablePointer<mh_tap_ext_1>.allocate(capacity: 1)
    private let timer = UnsafeMutablePointer<mh_timer_host_1>.allocate(capacity: 1)
    private let value = UnsafeMutablePointer<mh_value_ext_1>.allocate(capacity: 1)
    private let worker = UnsafeMutablePointer<mh_worker_ext_1>.allocate(capacity: 1)
    private let names: [UnsafeMutablePointer<CChar>] = ["fakehost", "1.2.3", "under-test"].map { text in
        let copy = UnsafeMutablePointer<CChar>.allocate(capacity: text.utf8.count + 1)
        for (index, byte) in text.utf8.enumerated() { copy[index] = CChar(bitPattern: byte) }
        copy[text.utf8.count] = 0
        return copy
    }

    deinit {
        host.deallocate()
        log.deallocate()
        clock.deallocate()
        commands.deallocate()
        commands2.deallocate()
        config.deallocate()
        events.deallocate()
        file.deallocate()
        fileStore.deallocate()
        lifecycle.deallocate()
        metrics.deallocate()
        notify.deallocate()
        gst.deallocate()
        routes.deallocate()
        stateDirectory.deallocate()
        tap.deallocate()
        timer.deallocate()
        value.deallocate()
        worker.deallocate()
        for name in names { name.deallocate() }
    }

    func find(_ id: String) -> UnsafeRawPointer? {
        switch id {
        case MH_EXT_LOG: UnsafeRawPointer(log)
        case MH_EXT_CLOCK: UnsafeRawPointer(clock)
        case MH_EXT_COMMANDS: UnsafeRawPointer(commands)
        case MH_EXT_COMMANDS_2: UnsafeRawPointer(commands2)
        case MH_EXT_CONFIG: UnsafeRawPointer(config)
        case MH_EXT_EVENTS: UnsafeRawPointer(events)
        case MH_EXT_FD: UnsafeRawPointer(file)
        case MH_EXT_FD_STORE: UnsafeRawPointer(fileStore)
        case MH_EXT_LIFECYCLE: UnsafeRawPointer(lifecycle)
        case MH_EXT_METRICS: UnsafeRawPointer(metrics)
        case MH_EXT_NOTIFY: UnsafeRawPointer(notify)
        case MH_EXT_GST: UnsafeRawPointer(gst)
        case MH_EXT_ROUTES: UnsafeRawPointer(routes)
        case MH_EXT_STATE_DIRECTORY: UnsafeRawPointer(stateDirectory)
        case MH_EXT_TAP: UnsafeRawPointer(tap)
        case MH_EXT_TIMER: UnsafeRawPointer(timer)
        case MH_EXT_VALUE: UnsafeRawPointer(value)
        case MH_EXT_WORKER: UnsafeRawPointer(worker)
        default: nil
        }
    }

    func fill(owner: UnsafeMutableRawPointer) {
        host.initialize(
            to: mh_host_1(
                host_data: owner, name: names[0], version: names[1], instance: names[2],
                abi_major: UInt16(MH_ABI_MAJOR), abi_minor: UInt16(MH_ABI_MINOR), reserved: 0,
                get_extension: { FakeHost.of($0)?.find(FakeText.string($1)) },
                fail: { host, _, text in FakeHost.of(host)?.write { $0.failures.append(FakeText.string(text)) } },
                request_main: { host in
                    FakeHost.of(host)?.write {
                        $0.mainRequests += 1
                        $0.wantsMain = true
                    }
                }))
        log.initialize(
            to: mh_log_ext_1(
                write: { host, _, text in FakeHost.of(host)?.write { $0.log.append(FakeText.string(text)) } }))
        clock.initialize(
            to: mh_clock_ext_1(
                monotonic: { FakeHost.of($0)?.time(.monotonic) ?? 0 },
                boottime: { FakeHost.of($0)?.time(.boottime) ?? 0 },
                realtime: { FakeHost.of($0)?.time(.realtime) ?? 0 }))
        config.initialize(
            to: mh_config_host_1(
                refuse: { host, key, text in
                    let refusal = FakeRefusal(key: FakeText.string(key), text: FakeText.string(text))
                    FakeHost.of(host)?.write { $0.refusals.append(refusal) }
                }))
        file.initialize(to: FakeFiles.table())
        fileStore.initialize(to: FakeFileStore.table())
        timer.initialize(to: FakeTimers.table())
        metrics.initialize(to: FakeMetrics.table())
        notify.initialize(to: FakeNotifications.table())
        gst.initialize(
            to: mh_gst_host_1(
                element: { host, path, out in
                    let found = FakeHost.of(host)?.element(FakeText.string(path))
                    out?.pointee = found
                    return found == nil ? mh_status(truncatingIfNeeded: MH_E_NOT_FOUND) : 0
                }))
        routes.initialize(to: FakeRoutes.table())
        stateDirectory.initialize(to: FakeStateDirectory.table())
        value.initialize(to: FakeValueNode.table())
        fillAnswers()
        fillWork()
    }

    private func fillAnswers() {
        commands.initialize(
            to: mh_commands_host_1(
                reply: { host, token, result in
                    let value = FakeBuilder.consume(result)
                    FakeHost.of(host)?.write { $0.results[token, default: []].append(value) }
                    return 0
                },
                reject: { FakeTables.reject($0, $1, $2, parameter: mh_str_1(), $3) },
                progress: { host, token, fraction, _ in
                    FakeHost.of(host)?.write { $0.progress[token, default: []].append(fraction) }
                }))
        commands2.initialize(
            to: mh_commands_host_2(
                reply: commands.pointee.reply,
                reject: { FakeTables.reject($0, $1, $2, parameter: $3, $4) },
                progress: commands.pointee.progress))
        events.initialize(
            to: mh_events_host_1(
                post: { host, name, payload in
                    let value = FakeBuilder.consume(payload)
                    let name = FakeText.string(name)
                    var isTaken = true
                    FakeHost.of(host)?.write {
                        if let room = $0.eventRoom {
                            isTaken = room > 0
                            $0.eventRoom = max(0, room - 1)
                        }
                        guard isTaken else { return }
                        $0.events[name] = value
                        $0.posted.append(FakeEvent(name: name, payload: value))
                    }
                    return isTaken ? 0 : mh_status(truncatingIfNeeded: MH_E_LIMIT)
                }))
        lifecycle.initialize(
            to: mh_lifecycle_host_1(
                ack: { host, token, status in
                    FakeHost.of(host)?.write { $0.acknowledgements[token, default: []].append(status) }
                }))
    }

    private static func reject(
        _ host: UnsafePointer<mh_host_1>?, _ token: mh_token, _ status: mh_status, parameter: mh_str_1, _ text: mh_str_1
    ) -> mh_status {
        let parameter = FakeText.string(parameter)
        FakeHost.of(host)?.write {
            $0.rejections[token, default: []].append(FakeText.string(text))
            $0.rejectionStatus[token] = status
            if !parameter.isEmpty { $0.rejectionParameters[token] = parameter }
        }
        return 0
    }

    private func fillWork() {
        worker.initialize(
            to: mh_worker_ext_1(
                submit: { host, work, context in
                    FakeHost.of(host)?.submit(work, context) == true ? 0 : mh_status(truncatingIfNeeded: MH_E_FAILED)
                }))
        tap.initialize(
            to: mh_tap_ext_1(
                attach: { host, pad, client, out in
                    guard let tap = FakeHost.of(host)?.attach(FakeText.string(pad), client) else {
                        return mh_status(truncatingIfNeeded: MH_E_NOT_FOUND)
                    }
                    out?.pointee = tap
                    return 0
                },
                detach: { _, tap in
                    guard let tap else { return }
                    Unmanaged<FakeTap>.fromOpaque(UnsafeRawPointer(tap)).takeUnretainedValue().requestDetach()
                },
                retain: { FakeBuffer.retain($0) }, release: { FakeBuffer.release($0) }))
    }
}
