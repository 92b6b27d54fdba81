internal import GStreamerKit

/// Keeps the service manager informed: started, reloading, ending, a line of status, and signs of life.
///
/// Without `$NOTIFY_SOCKET` nothing here does anything. A sign of life is sent only while this, the control thread, comes
/// around to it, and every pipeline's controller does its work.
@HostActor
public final class ServiceReporter {
    /// Sends one message of `NAME=value` lines.
    public typealias Send = @HostActor ([String]) throws(ServiceNotifier.Failure) -> Void

    private let send: Send
    private let watchdog: WatchdogSettings?
    private let clock: any HostClock
    private let log: Log
    private let pipelines: @HostActor () -> [ServiceReport.Pipeline]
    private let progress: @HostActor () -> [any ProgressSource]
    private var report = ServiceReport()
    private var isPatient = true
    private var patience: HostTimer?
    private var pulse: HostTimer?
    private var retry: HostTimer?
    /// Messages that did not leave yet, oldest first.
    private var unsent: [[String]] = []
    /// Those that keep the sign of life from being sent.
    private var stuck: [String] = []

    /// How long until a message that the manager had no room for is sent again.
    private static let retryDelay = ClockTime.milliseconds(250)

    init(
        watchdog: WatchdogSettings?, clock: any HostClock, log: Log,
        pipelines: @escaping @HostActor () -> [ServiceReport.Pipeline],
        progress: @escaping @HostActor () -> [any ProgressSource], send: @escaping Send
    ) {
        self.watchdog = watchdog
        self.clock = clock
        self.log = log
        self.pipelines = pipelines
        self.progress = progress
        self.send = send
    }

    /// The pipelines were told to start. A manager that allows less time is asked for more.
    func start() {
        let wanted = (ServiceReport.patience + 10_000_000_000) / 1000
        post(["EXTEND_TIMEOUT_USEC=\(wanted)"] + report.update(pipelines()))
        if !report.isReady {
            patience = clock.schedule(after: ClockTime(nanoseconds: ServiceReport.patience)) { [weak self] in
                self?.losePatience()
            }
        }
        beat()
    }

    /// Something about the pipelines may have changed.
    func update() {
        post(report.update(pipelines(), isPatient: isPatient))
        guard report.isReady else { return }
        patience?.cancel()
        patience = nil
    }

    func beginReload() { post(report.beginReload(monotonic: clock.monotonic().nanoseconds / 1000)) }
    func endReload() { post(report.endReload(pipelines())) }

    /// The end has begun. Signs of life go on until `close`.
    func stop() { post(report.stop()) }

    /// No message follows.
    func close() {
        for timer in [patience, pulse, retry] { timer?.cancel() }
        patience = nil
        pulse = nil
        retry = nil
    }

    private func losePatience() {
        isPatient = false
        let names = ServiceReport.waitingFor(pipelines())
        if !names.isEmpty {
            log.warning(
                "still starting after \(ServiceReport.patience / 1_000_000_000) s, the rest goes on without: "
                    + names.joined(separator: ", "))
        }
        update()
    }

    private func beat() {
        guard let watchdog else { return }
        pulse = clock.schedule(after: watchdog.interval) { [weak self] in self?.beat() }
        // How often a pipeline has been tried is no event of its own.
        update()
        let found = progress().filter { !$0.isMakingProgress }.map(\.name)
        if found.isEmpty { post(["WATCHDOG=1"]) }
        guard found != stuck else { return }
        stuck = found
        if found.isEmpty {
            log.notice("all pipelines are looked after again")
        } else {
            log.error(
                "no sign of life to the service manager: nothing happens in the controller of "
                    + found.joined(separator: ", ") + "; it ends this process after \(watchdog.timeout)",
                code: "controller-stuck")
        }
    }

    private func post(_ lines: [String]) {
        // A newer STATUS or sign of life makes an older one that did not leave yet pointless; the order of the rest counts.
        let replaced = ["STATUS=", "WATCHDOG="].filter { name in lines.contains { $0.hasPrefix(name) } }
        unsent = unsent.map { message in message.filter { line in !replaced.contains { line.hasPrefix($0) } } }
        unsent.append(lines)
        unsent.removeAll(where: \.isEmpty)
        guard retry == nil else { return }
        while let next = unsent.first {
            do throws(ServiceNotifier.Failure) {
                try send(next)
            } catch {
                switch error {
                case .full:
                    retry = clock.schedule(after: Self.retryDelay) { [weak self] in
                        self?.retry = nil
                        self?.post([])
                    }
                    return
                case .errno(let number):
                    log.debug("the service manager's socket does not take messages: error \(number)")
                }
            }
            unsent.removeFirst()
        }
    }
}

extension ServiceReporter {
    /// A reporter to the manager that the environment names; nil where there is none.
    static func make(
        for host: Host, environment: [String: String], process: Int32, clock: any HostClock, log: Log
    ) -> ServiceReporter? {
        guard let socket = environment["NOTIFY_SOCKET"], !socket.isEmpty else { return nil }
        do throws(ServiceNotifier.UnusableSocket) {
            let notifier = try ServiceNotifier(socket: socket)
            return ServiceReporter(
                watchdog: WatchdogSettings(environment: environment, process: process), clock: clock, log: log,
                pipelines: { [weak host] in host?.serviceReport ?? [] },
                progress: { [weak host] in
                    (host?.pipelines.controllers ?? []).map { PipelineProgress($0, clock: clock) }
                },
                send: { (lines) throws(ServiceNotifier.Failure) in try notifier.send(lines) })
        } catch {
            log.warning(error.description)
            return nil
        }
    }
}
