import GStreamerKit

/// One delivery: a host that ends when nothing is left to tell.
@HostActor
final class DeliverySession {
    private let configuration: HostConfiguration
    private let options: DeliveryProcess.Options
    private let log: Log
    private let gate: PluginGate
    private let clock: any HostClock
    private let workers = WorkerPool()
    private let onEnd: @Sendable (DeliveryProcess.Outcome) -> Void
    private var host: Host?
    private var outcome = DeliveryProcess.Report()
    private var deadline: HostTimer?
    /// Its time was over before all was told.
    private var isLate = false
    /// What was not told when somebody looked last.
    private var undelivered: Int64 = 0
    /// What each has answered last.
    private var next: [String: Int64] = [:]
    private var waiting: [String: Int64] = [:]
    private var unsubscribe: (@HostActor () -> Void)?
    /// The circle that keeps it alive while it runs.
    private var whileRunning: DeliverySession?

    /// How long between two looks at whether all was told.
    private static let pace = ClockTime.milliseconds(50)

    init(
        _ configuration: HostConfiguration, _ options: DeliveryProcess.Options, log: Log, gate: PluginGate? = nil,
        clock: any HostClock = SystemClock(),
        onEnd: @escaping @Sendable (DeliveryProcess.Outcome) -> Void
    ) {
        self.configuration = configuration
        self.options = options
        self.log = log
        self.onEnd = onEnd
        self.gate = gate ?? PluginGate(environment: options.environment, log: log)
        self.clock = clock
    }

    func start(_ report: @escaping @Sendable ([Diagnostic]) -> Void) {
        whileRunning = self
        workers.submit { [gate, configuration] in
            gate.admit(configuration.plugins)
            HostActor.enqueue { [weak self] in self?.begin(report) }
        }
    }

    private func begin(_ report: @Sendable ([Diagnostic]) -> Void) {
        let source = ConfigurationSource(path: options.config, environment: options.environment)
        let host = Host(configuration, source: source, clock: clock, log: log, gate: gate) { [weak self] in
            self?.end($0)
        }
        self.host = host
        deadline = clock.schedule(after: options.limit) { [weak self] in self?.giveUp() }
        unsubscribe = host.events.subscribe { [weak self] in self?.count($0) }
        let problems = configuration.secrets.mask(host.start())
        report(problems)
        guard !problems.contains(where: { $0.severity == .error }) else {
            return host.abandon { self.finish(.failed(.configuration)) }
        }
        HostActor.task { [self] in await look() }
    }

    private func count(_ event: Event) {
        guard configuration.plugins.contains(where: { $0.name == event.source }) else { return }
        if event.name.hasSuffix(".finished") { outcome.told += 1 }
        if event.name.hasSuffix(".finished-many") { outcome.told += Int(event.payload["count"]?.int ?? 0) }
    }

    /// Until everything that is over was told, and every rule has done what it does then.
    private func look() async {
        guard let host else { return }
        var untold: Int64 = 0
        for plugin in configuration.plugins where !isLate {
            do throws(ControlError) {
                let pending = try await host.call(instance: plugin.name, command: "pending", parameters: .map([]))
                untold += pending["undelivered"]?.int ?? 0
                waiting[plugin.name] = pending["waiting_for_clock"]?.int
                next[plugin.name] = pending["next"]?.int
                // Also where the next one does not answer.
                outcome.next = next.values.min().map { ClockTime(nanoseconds: $0) }
                outcome.waitsForClock = waiting.values.contains { $0 > 0 }
            } catch {
                // It could not answer any more.
                guard !isLate else { return }
                log.error("plugin \(plugin.name): \(error.message)")
                outcome.isIncomplete = true
            }
        }
        guard !isLate else { return }
        undelivered = untold
        guard undelivered > 0 || host.rules.isBusy else { return host.shutDown() }
        _ = clock.schedule(after: Self.pace) { [self] in HostActor.task { [self] in await look() } }
    }

    /// Also where a plugin does not say what it has to tell.
    private func giveUp() {
        guard let host, !host.isEnding else { return }
        isLate = true
        let limit = Quantity.durationText(options.limit.nanoseconds)
        log.warning(
            "not all was told within \(limit) (\(undelivered) finished timers when it was looked last); what is left "
                + "is told the next time")
        outcome.isIncomplete = true
        host.shutDown()
    }

    private func end(_ ending: Host.Ending) {
        if ending == .failed { outcome.isIncomplete = true }
        finish(.done(outcome))
    }

    private func finish(_ outcome: DeliveryProcess.Outcome) {
        guard whileRunning != nil else { return }
        deadline?.cancel()
        unsubscribe?()
        unsubscribe = nil
        host = nil
        whileRunning = nil
        onEnd(outcome)
    }
}
