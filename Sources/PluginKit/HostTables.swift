import PluginABI

/// The host's extension tables as one instance found them, looked up once at `init`.
///
/// The pointers belong to the host and hold until `destroy` has returned.
struct HostTables {
    let log: UnsafePointer<mh_log_ext_1>?
    let clock: UnsafePointer<mh_clock_ext_1>?
    let commands: UnsafePointer<mh_commands_host_1>?
    let commands2: UnsafePointer<mh_commands_host_2>?
    let config: UnsafePointer<mh_config_host_1>?
    let events: UnsafePointer<mh_events_host_1>?
    let file: UnsafePointer<mh_fd_host_1>?
    let fileStore: UnsafePointer<mh_fd_store_ext_1>?
    let lifecycle: UnsafePointer<mh_lifecycle_host_1>?
    let metrics: UnsafePointer<mh_metrics_ext_1>?
    let notify: UnsafePointer<mh_notify_host_1>?
    let gst: UnsafePointer<mh_gst_host_1>?
    let routes: UnsafePointer<mh_routes_host_1>?
    let stateDirectory: UnsafePointer<mh_state_directory_ext_1>?
    let tap: UnsafePointer<mh_tap_ext_1>?
    let timer: UnsafePointer<mh_timer_host_1>?
    let value: UnsafePointer<mh_value_ext_1>?
    let worker: UnsafePointer<mh_worker_ext_1>?

    /// - Thread: main, from `init` on.
    init(of host: UnsafePointer<mh_host_1>) {
        log = Self.find(.log, in: host)
        clock = Self.find(.clock, in: host)
        commands = Self.find(.commands, in: host)
        commands2 = Self.find(.commands2, in: host)
        config = Self.find(.config, in: host)
        events = Self.find(.events, in: host)
        file = Self.find(.file, in: host)
        fileStore = Self.find(.fileStore, in: host)
        lifecycle = Self.find(.lifecycle, in: host)
        metrics = Self.find(.metrics, in: host)
        notify = Self.find(.notify, in: host)
        gst = Self.find(.gst, in: host)
        routes = Self.find(.routes, in: host)
        stateDirectory = Self.find(.stateDirectory, in: host)
        tap = Self.find(.tap, in: host)
        timer = Self.find(.timer, in: host)
        value = Self.find(.value, in: host)
        worker = Self.find(.worker, in: host)
    }

    static func has(_ id: HostExtension, in host: UnsafePointer<mh_host_1>) -> Bool {
        id.rawValue.withText { host.pointee.get_extension?(host, $0) } != nil
    }

    private static func find<Table>(
        _ id: HostExtension, in host: UnsafePointer<mh_host_1>
    ) -> UnsafePointer<Table>? {
        let found = id.rawValue.withText { host.pointee.get_extension?(host, $0) } ?? nil
        return found?.assumingMemoryBound(to: Table.self)
    }
}
