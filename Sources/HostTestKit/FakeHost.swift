public import HostCore
public import PluginABI
internal import Locking

/// A host for a plugin's tests: every call is written down, nothing happens by itself.
///
/// Work is kept until `runWork`, time stands until `FakeInstance.advance`, buffers come from `FakeTap`. Stands for one instance.
public final class FakeHost: Sendable {
    /// What the plugin did, in no order between the lists.
    public struct Record: Sendable {
        public var log: [String] = []
        public var failures: [String] = []
        public var mainRequests = 0
        public var acknowledgements: [mh_token: [mh_status]] = [:]
        public var results: [mh_token: [Value]] = [:]
        public var rejections: [mh_token: [String]] = [:]
        public var rejectionStatus: [mh_token: mh_status] = [:]
        /// The parameter that a rejection was about, where it named one.
        public var rejectionParameters: [mh_token: String] = [:]
        public var responses: [mh_token: [FakeResponse]] = [:]
        public var progress: [mh_token: [Double]] = [:]
        /// The last payload of each event.
        public var events: [String: Value] = [:]
        /// All events in their order.
        public var posted: [FakeEvent] = []
        public var taps: [FakeTap] = []
        /// What the plugin said against configs that it was shown.
        public var refusals: [FakeRefusal] = []
        public var now: Int64 = 0
        /// How far the other clocks are from it.
        var suspended: Int64 = 0
        var wallClock: Int64 = 0
        var wantsMain = false
        var eventRoom: Int?
        var tokens: mh_token = 1 << 32
    }

    // Crosses to whoever calls `runWork`, as the ABI says it may.
    private struct Work: @unchecked Sendable {
        let run: @convention(c) (UnsafeMutableRawPointer?) -> Void
        let context: UnsafeMutableRawPointer?
    }

    private let record = Locked(Record())
    private let elements = Locked<[String: UInt]>([:])
    private let waiting = Locked<[Work]>([])
    let stateDirectory = FakeStateDirectory()
    let files = FakeFiles()
    private let keptFiles = Locked<FakeFileStore?>(nil)
    let declared = PluginMetrics()
    let timers = FakeTimers()
    let notifying = FakeNotifications()
    private let missing: Set<String>
    private let refusesTaps: Bool
    // Written in init, then constant for the plugin and this object.
    private nonisolated(unsafe) let tables = FakeTables()

    /// - Parameter missing: ids of extensions this host does not offer.
    public init(missing: Set<String> = [], refusesTaps: Bool = false) {
        self.missing = missing
        self.refusesTaps = refusesTaps
        tables.fill(owner: Unmanaged.passUnretained(self).toOpaque())
    }

    /// What `Host.element` finds, by `pipeline/element`: a `GstElement` of the test's, whose reference the plugin takes over.
    public func setElement(_ path: String, _ element: UnsafeMutableRawPointer?) {
        let address = element.map { UInt(bitPattern: $0) }
        elements.withLock { $0[path] = address }
    }

    func element(_ path: String) -> UnsafeMutableRawPointer? {
        elements.withLock { $0[path] }.flatMap { UnsafeMutableRawPointer(bitPattern: $0) }
    }

    /// For the plugin; valid as long as this object.
    public var host: UnsafePointer<mh_host_1> { UnsafePointer(tables.host) }

    /// What the plugin did so far.
    public var seen: Record { record.withLock { $0 } }

    /// All clocks show this, until `FakeInstance.suspend` or `setWallClock` tells them apart. No timer is told:
    /// `FakeInstance.advance` does.
    public func setNow(_ nanoseconds: Int64) { record.withLock { $0.now = nanoseconds } }

    /// How many more events the host takes before it says that there are too many; nil takes all.
    public func setEventRoom(_ most: Int?) { record.withLock { $0.eventRoom = most } }

    /// Whether the machine of this host can be woken; it can, unless a test says no.
    public var wakesMachine: Bool {
        get { timers.wakes }
        set { timers.wakes = newValue }
    }

    /// Whether a timer is armed that wakes the machine.
    public var isWakeArmed: Bool { timers.isWakeArmed }

    /// How many timers are armed.
    public var armedTimers: Int { timers.count }

    /// The file descriptors that the plugin has watched, and for what (`MH_FD_` bits).
    public var watchedFiles: [Int32: UInt32] { files.watched }

    func time(_ clock: ClockName) -> Int64 {
        record.withLock { record in
            switch clock {
            case .monotonic: record.now
            case .boottime, .boottimeAlarm: record.now + record.suspended
            case .realtime, .realtimeAlarm: record.now + record.wallClock
            }
        }
    }

    /// The directory of the instance's own; without one the host has none to give.
    public func setStateDirectory(_ path: String?) { stateDirectory.set(path) }

    /// Who holds files for the plugin; at first nobody does.
    public func setFileStore(_ store: FakeFileStore?) { keptFiles.withLock { $0 = store } }

    var fileStore: FakeFileStore? { keptFiles.withLock { $0 } }

    /// The metrics that the plugin declared, by their name as `/metrics` shows it without the prefix, labels included:
    /// `frames_total`, `drops_total{why="late"}`.
    public var metrics: [String: Double] {
        Dictionary(declared.readings.map { ($0.key, $0.value) }) { $1 }
    }

    /// What is on the screen or waits for it, in the order it was shown.
    public var notifications: [FakeNotification] { notifying.open }

    /// Who shows notifications; at first somebody is there. `FakeInstance.settle` tells the plugin what comes of it.
    public func setNotificationService(_ service: FakeNotificationService) {
        notifying.set(service, at: time(.boottime))
    }

    /// How much work waits for `runWork`.
    public var waitingWork: Int { waiting.withLock { $0.count } }

    /// Runs all work submitted so far, and what that work submits, on the calling thread.
    public func runWork() {
        while let work = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { work.run(work.context) }
    }

    /// Buffers that plugins retained and did not release, of all fake hosts of the process.
    public static var retainedBuffers: Int { FakeBuffer.alive.load(ordering: .relaxed) }

    /// Shows a tree to the plugin for the call, as config or parameters.
    public func lend<Result>(_ value: Value, _ body: (OpaquePointer) -> Result) -> Result {
        let node = FakeValueNode(value)
        return withExtendedLifetime(node) { body(node.handle) }
    }

    /// Lends text for the call.
    public func lend<Result>(_ text: String, _ body: (mh_str_1) -> Result) -> Result { FakeText.lend(text, body) }

    /// Builders that were made and never consumed, by all fake hosts of the process.
    public static var unconsumedBuilders: Int { FakeBuilder.alive.load(ordering: .relaxed) }

    // MARK: What the tables call

    static func of(_ host: UnsafePointer<mh_host_1>?) -> FakeHost? {
        guard let data = host?.pointee.host_data else { return nil }
        return Unmanaged<FakeHost>.fromOpaque(data).takeUnretainedValue()
    }

    func write(_ body: (inout Record) -> Void) { record.withLock { body(&$0) } }

    /// Whether the plugin asked for its main call since the last time.
    func takeMainRequest() -> Bool {
        record.withLock { record in
            defer { record.wantsMain = false }
            return record.wantsMain
        }
    }

    /// One that no test gives by hand.
    func nextToken() -> mh_token {
        record.withLock { record in
            record.tokens += 1
            return record.tokens
        }
    }

    func find(_ id: String) -> UnsafeRawPointer? { missing.contains(id) ? nil : tables.find(id) }

    func submit(_ run: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?, _ context: UnsafeMutableRawPointer?)
        -> Bool
    {
        guard let run else { return false }
        let work = Work(run: run, context: context)
        waiting.withLock { $0.append(work) }
        return true
    }

    func attach(_ pad: String, _ client: UnsafePointer<mh_tap_client_1>?) -> OpaquePointer? {
        guard !refusesTaps, let client else { return nil }
        let tap = FakeTap(pad: pad, client: client)
        record.withLock { $0.taps.append(tap) }
        return OpaquePointer(Unmanaged.passUnretained(tap).toOpaque())
    }
}
