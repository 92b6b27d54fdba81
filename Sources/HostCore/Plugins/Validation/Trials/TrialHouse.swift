internal import GStreamerKit
internal import PluginABI
import Locking

/// The house around the instances of a trial: the host's own parts, without a host.
@HostActor
final class TrialHouse: PluginEnvironment {
    let clock = SystemClock()
    let events: EventHub
    let timers: TimerService
    /// Nobody's screen shows what a plugin under trial says.
    let notifications: NotificationService
    let lifecycle: LifecycleController
    let workers = WorkerPool()
    let desk: HostDesk
    let plugin: any CallTarget
    let descriptor: PluginDescriptor
    private let directory: String
    private(set) var pipelines: [PipelineController] = []
    private(set) var failures: [PluginFailure] = []
    private var stubs: [PluginStub] = []
    private var files: [ObjectIdentifier: HostFiles] = [:]
    private var instances: [PluginInstance] = []
    private var contexts: [PluginContext] = []
    /// What the plugin and the host have logged.
    private let lines: Lines
    let log: Log

    init(_ descriptor: PluginDescriptor, plugin: any CallTarget, desk: HostDesk, directory: String) {
        self.descriptor = descriptor
        self.plugin = plugin
        self.desk = desk
        self.directory = directory
        events = EventHub(clock: clock)
        timers = TimerService(clock: clock)
        let lines = Lines()
        log = Log(upTo: .debug) { level, source, text in
            lines.add(text)
            if level <= .warning { TrialChild.say("\(source): \(text)") }
        }
        notifications = NotificationService(
            bus: DBusNotificationBus(BusAddress(of: .off, [:])), clock: clock, timers: timers, log: log)
        self.lines = lines
        lifecycle = LifecycleController(clock: clock, events: events, log: log)
    }

    /// How many lines there are, and the last.
    var logged: (count: Int, last: String) { lines.present }

    func build(_ descriptions: [PipelineDescription]) {
        pipelines = descriptions.map { description in
            PipelineController(description, clock: clock, workers: workers) { [weak self] pipeline, notice in
                switch notice {
                case .built(let build): for instance in self?.instances ?? [] { instance.built(pipeline.name, build) }
                case .releasing(let build):
                    for instance in self?.instances ?? [] { instance.released(pipeline.name, build) }
                default: break
                }
            }
        }
    }

    // MARK: - Instances

    /// Created and initialised, by the host's own hand.
    func make(_ config: Value, named name: String = "tried") throws(PluginFailure) -> PluginInstance {
        let number = desk.nextNumber()
        let files = HostFiles()
        let stub = PluginStub(number, plugin: plugin, files: files)
        let context = PluginContext(
            instance: name, log: log.from("plugin \(name)"), clock: clock, workers: workers, stateRoot: directory)
        let id = descriptor.id
        let (plugin, desk) = (plugin, desk)
        let instance = try PluginInstance(
            name, descriptor: descriptor, config: config, environment: self, context: context
        ) { host throws(PluginFailure) in
            desk.put(HostPlace(host, number: number, plugin: plugin, files: files), for: number)
            if let failure = plugin.perform(TrialCall(.create, number, [.string(id), .string(name)])).first?.string {
                throw PluginFailure(failure)
            }
            return stub.pointer
        }
        stubs.append(stub)
        self.files[ObjectIdentifier(instance)] = files
        instances.append(instance)
        contexts.append(context)
        return instance
    }

    func end(_ instance: PluginInstance) async {
        lifecycle.remove(instance)
        await withCheckedContinuation { continuation in instance.deactivate { continuation.resume() } }
        files.removeValue(forKey: ObjectIdentifier(instance))?.closeAll()
        instances.removeAll { $0 === instance }
    }

    func forgetFailures() { failures = [] }

    // MARK: - PluginEnvironment

    var builds: [(name: String, pipeline: Pipeline)] {
        pipelines.compactMap { controller in controller.build.map { (controller.name, $0.pipeline) } }
    }

    func pipeline(_ name: String) -> PipelineController? { pipelines.first { $0.name == name } }
    var pipelineNames: [String] { pipelines.map(\.name) }
    func instanceFailed(_ instance: PluginInstance, _ error: PluginFailure) { failures.append(error) }
    func acknowledge(_ token: UInt64, accepted: Bool) { lifecycle.acknowledge(token, accepted: accepted) }

    // MARK: - Waiting

    /// Runs what is enqueued so far, also by plugins, and what that enqueues, some turns long.
    func turns(_ count: Int = 1) async {
        for _ in 0..<count {
            await withCheckedContinuation { continuation in
                HostActor.enqueue { HostActor.enqueueForPlugin { continuation.resume() } }
            }
        }
    }

    func pause(_ time: ClockTime) async {
        await withCheckedContinuation { continuation in
            _ = clock.schedule(after: time) { continuation.resume() }
        }
    }

    /// Whether something came true in time.
    func until(_ limit: ClockTime, _ condition: () -> Bool) async -> Bool {
        let deadline = clock.monotonic() + limit
        while !condition() {
            guard clock.monotonic() < deadline else { return false }
            await pause(.milliseconds(2))
        }
        return true
    }

    /// Lines of a log, from any thread.
    private final class Lines: Sendable {
        private let lines = Locked<(count: Int, last: String)>((0, ""))

        func add(_ text: String) { lines.withLock { $0 = ($0.count + 1, text) } }
        var present: (count: Int, last: String) { lines.withLock { $0 } }
    }
}
