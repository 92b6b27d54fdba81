import PluginABI
import Synchronization

/// The host as one plugin instance sees it.
///
/// May be kept and used from the plugin's `init` on. After the instance was destroyed every call does nothing or throws,
/// so a forgotten reference is harmless.
public final class Host: Sendable {
    // The ABI's promise: valid until `destroy` has returned; after that `isOpen` is false and nothing looks here.
    private nonisolated(unsafe) let raw: UnsafePointer<mh_host_1>
    // As above: host memory, constant, valid as long.
    nonisolated(unsafe) let tables: HostTables
    private let isOpen = Atomic<Bool>(true)
    let files = FileDesk()
    let timers = TimerDesk()
    let notifications = NotificationDesk()

    /// The descriptor's id, prefix of this plugin's events.
    public let pluginID: String
    /// The name this instance has in the config.
    public let instanceName: String
    /// The host's own name and version, `mediahost 0.1.0`.
    public let program: String

    init(_ raw: UnsafePointer<mh_host_1>, pluginID: String) {
        self.raw = raw
        self.pluginID = pluginID
        tables = HostTables(of: raw)
        instanceName = raw.pointee.instance.map { String(cString: $0) } ?? ""
        let name = raw.pointee.name.map { String(cString: $0) } ?? "the host"
        program = raw.pointee.version.map { "\(name) \(String(cString: $0))" } ?? name
    }

    /// The instance is gone.
    func close() {
        isOpen.store(false, ordering: .releasing)
        endCalls()
    }

    /// The host calls no closure any more: lets go of what they hold.
    func endCalls() {
        files.removeAll()
        timers.removeAll()
        notifications.removeAll()
    }

    /// The borrowed host, or `nil` when the instance is gone.
    var live: UnsafePointer<mh_host_1>? { isOpen.load(ordering: .acquiring) ? raw : nil }

    // MARK: Telling

    /// One line of the host's log, under this instance's name. Never per buffer.
    /// - Thread: main, worker.
    public func log(_ level: LogLevel, _ text: String) {
        guard let host = live else { return }
        text.withText { tables.log?.pointee.write?(host, level.abi, $0) }
    }

    /// This instance cannot go on: the host stops it later, by the policy its config names. The first call counts.
    /// - Thread: any.
    public func fail(_ error: PluginError) {
        guard let host = live else { return }
        error.message.withText { host.pointee.fail?(host, error.status, $0) }
    }

    /// Asks for one call of the plugin's `onMain`; calls before it happens are merged. The way from a streaming thread
    /// to everything that may not be done there.
    /// - Thread: any.
    public func requestMain() {
        guard let host = live else { return }
        host.pointee.request_main?(host)
    }

    /// Posts an event of the plugin's own, `<plugin id>.<name>`.
    /// - Thread: main, worker.
    public func post(_ name: String, _ payload: PluginValue = [:]) throws(PluginError) {
        let host = try open("post event \(name)")
        guard let post = tables.events?.pointee.post, let value = tables.value else { throw missing(.events) }
        let status = "\(pluginID).\(name)".withText { post(host, $0, payload.build(with: value)) }
        try check(status, "the host did not take event \(name)")
    }

    /// The same with a record as payload.
    /// - Thread: main, worker.
    public func post(_ name: String, _ payload: some PluginRecord) throws(PluginError) {
        try post(name, payload.pluginValue)
    }

    // MARK: Time

    /// The clock that stops in suspend; `nil` without the clock extension.
    /// - Thread: any.
    public var monotonic: Timestamp? { read(tables.clock?.pointee.monotonic) }

    /// The clock that goes on in suspend.
    /// - Thread: any.
    public var boottime: Timestamp? { read(tables.clock?.pointee.boottime) }

    /// Since 1970; somebody may set it at any time.
    /// - Thread: any.
    public var realtime: Timestamp? { read(tables.clock?.pointee.realtime) }

    /// A closure of Swift's would be an allocation: streaming threads read clocks, too.
    private func read(_ clock: (@convention(c) (UnsafePointer<mh_host_1>?) -> mh_time)?) -> Timestamp? {
        guard let host = live, let clock else { return nil }
        return Timestamp(abi: clock(host))
    }

    // MARK: Work

    /// Runs `work` once on a thread of the host's pool, for files and devices. The host waits for it before it destroys
    /// the instance.
    /// - Thread: main, worker.
    public func submit(_ work: @escaping @Sendable () -> Void) throws(PluginError) {
        let host = try open("start work")
        guard let submit = tables.worker?.pointee.submit else { throw missing(.worker) }
        let box = Unmanaged.passRetained(WorkItem(work))
        let status = submit(host, WorkItem.run, box.toOpaque())
        guard status != statusOK else { return }
        box.release()
        try check(status, "the host did not take the work")
    }

    // MARK: Streams

    /// Attaches to `pipeline/element.pad`. The host puts the tap back after every rebuild and detaches it after
    /// `deactivate` at the latest. On failure the host has logged the reason.
    /// - Thread: main, in `activate` or while active.
    @discardableResult
    public func attachTap(_ pad: PadName, _ tap: any StreamTap) throws(PluginError) -> TapHandle {
        let host = try open("tap \(pad)")
        guard let table = tables.tap else { throw missing(.tap) }
        let client = TapClient(tap, handle: TapHandle(self), table: table)
        var attached: OpaquePointer?
        // Owned by the host from here on; `detached` gives it back.
        let box = Unmanaged.passRetained(client)
        let status = pad.text.withText {
            table.pointee.attach?(host, $0, client.table(context: box.toOpaque()), &attached)
        }
        guard status == statusOK else {
            box.release()
            throw PluginError("could not tap \(pad)", code: .init(rawValue: status ?? PluginError.Code.failed.rawValue))
        }
        client.handle.opened(attached)
        return client.handle
    }

    func detach(_ tap: OpaquePointer) {
        guard let host = live else { return }
        tables.tap?.pointee.detach?(host, tap)
    }

    // MARK: Answers

    /// What is wrong with the config that is being shown.
    func refuse(_ error: PluginError) {
        guard let host = live else { return }
        (error.key ?? "").withText { key in
            error.message.withText { tables.config?.pointee.refuse?(host, key, $0) }
        }
    }

    func acknowledge(_ token: mh_token, _ status: mh_status) {
        guard let host = live else { return }
        tables.lifecycle?.pointee.ack?(host, token, status)
    }

    func reply(_ token: mh_token, _ result: PluginValue) {
        guard let host = live, let value = tables.value else { return }
        _ = tables.commands?.pointee.reply?(host, token, result.build(with: value))
    }

    func reject(_ token: mh_token, _ error: PluginError) {
        guard let host = live else { return }
        error.message.withText { text in
            guard let commands = tables.commands2 else {
                _ = tables.commands?.pointee.reject?(host, token, error.status, text)
                return
            }
            _ = (error.key ?? "").withText { commands.pointee.reject?(host, token, error.status, $0, text) }
        }
    }

    func progress(_ token: mh_token, _ fraction: Double, _ text: String) {
        guard let host = live else { return }
        text.withText { tables.commands?.pointee.progress?(host, token, fraction, $0) }
    }

    // MARK: Failures

    func open(_ what: String) throws(PluginError) -> UnsafePointer<mh_host_1> {
        guard let host = live else { throw PluginError("cannot \(what): the instance is gone", code: .state) }
        return host
    }

    func check(_ status: mh_status, _ text: String) throws(PluginError) {
        guard status != statusOK else { return }
        throw PluginError("\(text) (status \(status))", code: .init(rawValue: status))
    }

    func missing(_ id: HostExtension) -> PluginError {
        PluginError("\(program) does not offer extension \"\(id.rawValue)\"", code: .unsupported)
    }
}
