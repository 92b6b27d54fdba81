import GStreamerKit

/// One delivery: a host that ends when nothing is left to tell.
@HostActor
final class DeliverySession {
    private let configuration: HostConfiguration
    private let options: DeliveryProcess.Options
    private let log: Log
    private let gate: PluginGate
    private let workers = WorkerPool()
    private let onEnd: @Sendable (DeliveryProcess.Outcome) -> Void
    private var host: Host?
    private var outcome = DeliveryProcess.Report()
    private var deadline: ClockTime?
    private var unsubscribe: (@HostActor () -> Void)?
    /// The circle that keeps it alive while it runs.
    private var whileRunning: DeliverySession?

    /// How long between two looks at whether all was told.
    private static let pace = ClockTime.milliseconds(50)

    init(
        _ configuration: HostConfiguration, _ options: DeliveryProcess.Options, log: Log,
        onEnd: @escaping @Sendable (DeliveryProcess.Outcome) -> Void
    ) {
        self.configuration = configuration
        self.options = options
        self.log = log
        self.onEnd = onEnd
        gate = PluginGate(environment: options.environment, log: log)
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
        let host = Host(configuration, source: source, log: log, gate: gate) { [weak self] in self?.end($0) }
        self.host = host
        deadline = host.clock.monotonic() + options.limit
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
        var undelivered: Int64 = 0
        var next: Int64?
        var waiting: Int64 = 0
        for plugin in configuration.plugins {
            do throws(ControlError) {
                let pending = try await host.call(instance: plugin.name, command: "pending", parameters: .map([]))
                undelivered += pending["undelivered"]?.int ?? 0
                waiting += pending["waiting_for_clock"]?.int ?? 0
                if let its = pending["next"]?.int { next = min(next ?? .max, its) }
            } catch {
                log.error("plugin \(plugin.name): \(error.message)")
                outcome.isIncomplete = true
            }
        }
        outcome.next = next.map { ClockTime(nanoseconds: $0) }
        outcome.waitsForClock = waiting > 0
        guard undelivered > 0 || host.rules.isBusy else { return host.shutDown() }
        if let deadline, host.clock.monotonic() >= deadline {
            log.warning(
                "\(undelivered) finished timers were not told within \(options.limit); they are told the next time")
            outcome.isIncomplete = true
            return host.shutDown()
        }
        _ = host.clock.schedule(after: Self.pace) { [self] in HostActor.task { [self] in await look() } }
    }

    private func end(_ ending: Host.Ending) {
        if ending == .failed { outcome.isIncomplete = true }
        finish(.done(outcome))
    }

    private func finish(_ outcome: DeliveryProcess.Outcome) {
        guard whileRunning != nil else { return }
        unsubscribe?()
        unsubscribe = nil
        host = nil
        whileRunning = nil
        onEnd(outcome)
    }
}
