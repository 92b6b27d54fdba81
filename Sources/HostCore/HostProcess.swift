internal import GStreamerKit
internal import Glibc
import Locking

/// `mediahost run`: a host with its signals and its control socket, from the first line of the config to the exit code.
public enum HostProcess {
    public struct Options: Sendable {
        public var config: String
        /// Wins over the config's `control: socket:` and the default.
        public var socket: String?
        public var environment: [String: String]
        /// No plugin is loaded, whatever the config says.
        public var isSafe: Bool
        /// What earlier probes of plugins found counts for nothing.
        public var probesAgain: Bool

        public init(
            config: String, socket: String? = nil, environment: [String: String], isSafe: Bool = false,
            probesAgain: Bool = false
        ) {
            self.config = config
            self.socket = socket
            self.environment = environment
            self.isSafe = isSafe
            self.probesAgain = probesAgain
        }
    }

    /// Runs until the host ends. Diagnostics go to `report` as they are found.
    /// - Thread: the main thread, which becomes the control thread.
    public static func run(
        _ options: Options, log: Log, report: @escaping @Sendable ([Diagnostic]) -> Void
    ) -> ExitCode {
        // Before anything slow: from here on no signal ends a host that is still starting.
        let signals = SignalTriggers()
        FileLimit.raise()
        let loaded: ConfigurationCheck.Result
        do throws(PluginFailure) {
            loaded = try ConfigurationCheck.load(options.config, environment: options.environment)
        } catch {
            log.error(error.description)
            return .failure
        }
        if let secrets = loaded.configuration?.secrets { log.mask.set(secrets.mask) }
        report(loaded.diagnostics)
        guard let configuration = loaded.configuration else { return .configuration }
        let loop = MainLoop()
        let code = Locked(ExitCode.success)
        loop.run {
            let session = HostSession(configuration, options, signals: signals, log: log) { result in
                code.withLock { $0 = result }
                loop.quit()
            }
            session.start(report)
        }
        return code.withLock { $0 }
    }
}

/// One run: the host, its signals and its control server, held together until the end.
@HostActor
private final class HostSession {
    private let log: Log
    private let requestedSocket: String?
    private let source: ConfigurationSource
    private let onEnd: @Sendable (ExitCode) -> Void
    private var host: Host?
    private let signals: SignalTriggers
    private var service: ServiceReporter?
    private var monitor: MonitorThread?
    private let environment: [String: String]
    private let workers = WorkerPool()
    private var server: ControlServer?
    private var streams: Streams?
    private let configuration: HostConfiguration
    /// The plugins that a safe start does without.
    private let leftOut: [String]
    private let gate: PluginGate
    /// The circle that keeps a session alive while it runs.
    private var whileRunning: HostSession?

    init(
        _ configuration: HostConfiguration, _ options: HostProcess.Options, signals: SignalTriggers, log: Log,
        onEnd: @escaping @Sendable (ExitCode) -> Void
    ) {
        source = ConfigurationSource(
            path: options.config, environment: options.environment, isSafe: options.isSafe)
        leftOut = options.isSafe ? configuration.plugins.map(\.name) : []
        self.configuration = source.allowed(configuration)
        self.signals = signals
        environment = options.environment
        self.log = log
        self.onEnd = onEnd
        gate = PluginGate(environment: options.environment, probesAgain: options.probesAgain, log: log)
        requestedSocket = options.socket ?? configuration.control.socket
    }

    /// The plugins are tried first, on a worker: one that hangs keeps no signal waiting.
    func start(_ report: @escaping @Sendable ([Diagnostic]) -> Void) {
        whileRunning = self
        guard !signals.isTerminationWaiting else {
            log.notice("told to end before anything was started")
            return finish(.success)
        }
        if source.isSafe {
            let names = leftOut.isEmpty ? "the config has none" : "left out: \(leftOut.joined(separator: ", "))"
            log.warning("safe mode: no plugin is loaded (\(names))")
        }
        guard !configuration.enabledPlugins.isEmpty else { return begin(report) }
        signals.onTermination = { [weak self] in
            self?.log.notice("told to end while the plugins were probed")
            self?.finish(.success)
        }
        workers.submit { [gate, configuration] in
            gate.admit(configuration.enabledPlugins)
            HostActor.enqueue { [weak self] in self?.begin(report) }
        }
    }

    private func begin(_ report: @Sendable ([Diagnostic]) -> Void) {
        // Told to end meanwhile.
        guard whileRunning != nil else { return }
        signals.onTermination = nil
        CrashReport.prepare(log: log)
        let watchdog = WatchdogSettings(environment: environment, process: getpid())
        monitor = MonitorThread.start(limit: MonitorThread.limit(watchdog), log: log)
        let host = Host(
            configuration, source: source, log: log, gate: gate, keeper: "/proc/self/exe"
        ) { [weak self] ending in self?.end(ending) }
        self.host = host
        GStreamerLog.start(log: log, workers: host.workers)
        host.recorder = StateDirectory.path(environment: environment).map {
            FlightRecorder(directory: $0, clock: host.clock, workers: host.workers, log: log)
        }
        let socket: String
        do throws(ControlError) {
            socket = if let requestedSocket { requestedSocket } else { try ControlSocket.defaultPath() }
            let streams = makeStreams(of: host)
            self.streams = streams
            let web = WebDoor(clock: host.clock, log: log.from("control")) { [weak streams] in streams?.endOfWeb() }
            let server = ControlServer(
                socketPath: socket, routes: ControlRoutes.routes(over: host, streams: streams, web: web),
                settings: configuration.control, clock: host.clock, web: web, log: log.from("control"))
            try server.start()
            self.server = server
            host.controlSocket = socket
        } catch {
            log.error(error.message)
            return finish(.control)
        }
        let problems = configuration.secrets.mask(host.start())
        report(problems)
        guard !problems.contains(where: { $0.severity == .error }) else {
            // Whoever cannot wait for plugins that do not let go ends it at once.
            signals.connect { [weak self] in if $0 == .terminate { self?.finish(.configuration) } }
            return host.abandon { self.finish(.configuration) }
        }
        SpareMemory(clock: host.clock, workers: host.workers).follow(host.events)
        inform(of: host)
        followTokens(of: host)
        signals.connect { [weak self] in self?.follow($0) }
        log.notice(
            "mediahost \(HostVersion.text) runs \(source.path): \(configuration.summary); "
                + "control socket \(socket)")
    }

    private func follow(_ request: SignalTriggers.Request) {
        switch request {
        case .terminate: terminate()
        case .pause: host?.heed(.pause)
        case .resume: host?.heed(.resume)
        case .reload: host?.reloader.request()
        }
    }

    /// Before anything happens: who asks later can hear of it from the first event on.
    private func makeStreams(of host: Host) -> Streams {
        let clients = StreamServer(clock: host.clock, limit: configuration.control.streamClients)
        let events = EventFeed(host.events, server: clients) { [weak host] payload in
            host?.secrets.mask(payload) ?? payload
        }
        let logs = LogFeed(log.memory, boot: host.events.bootID, server: clients)
        return Streams(server: clients, events: events, logs: logs)
    }

    /// Tells the service manager, where there is one, from now on.
    private func inform(of host: Host) {
        service = ServiceReporter.make(
            for: host, environment: environment, process: getpid(), clock: host.clock, log: log)
        guard let service else { return }
        unsubscribe = host.events.subscribe { [weak service, weak host] event in
            guard let service, let host else { return }
            if host.lifecycle.desired.contains(.shuttingDown) {
                service.stop()
            } else {
                switch event.name {
                case "pipeline.state": service.update()
                case "config.reloading": service.beginReload()
                case "config.reloaded", "config.reload-failed": service.endReload()
                default: break
                }
            }
        }
        service.start()
    }

    /// A reload is also how a new token comes into force.
    private func followTokens(of host: Host) {
        guard let network = configuration.control.network, let port = server?.networkPort else { return }
        log.notice("the control API listens on \(network.address) port \(port), for who has the token")
        host.onReloaded = { [weak self] in
            do throws(ControlError) {
                if try self?.server?.readTokens() == true { self?.streams?.endOfTokens() }
                return []
            } catch {
                return [Diagnostic(.warning, at: nil, "the tokens stay as they were: \(error.message)")]
            }
        }
    }

    private var unsubscribe: (@HostActor () -> Void)?
    private var terminating: ClockTime?
    /// Two signals closer than this are one request: `timeout` and shells send it to the process and to its group.
    private static let oneRequest = ClockTime.milliseconds(500)

    private func terminate() {
        let now = SystemClock().monotonic()
        if let terminating {
            guard now - terminating >= Self.oneRequest else { return }
            log.warning("asked twice to end: ending now, files may lack their last part")
            return finish(.failure)
        }
        terminating = now
        log.notice("ending")
        host?.shutDown()
    }

    private func end(_ ending: Host.Ending) { finish(ending == .failed ? .failure : .success) }

    private func finish(_ code: ExitCode) {
        guard whileRunning != nil else { return }
        unsubscribe?()
        unsubscribe = nil
        service?.stop()
        service?.close()
        service = nil
        monitor?.stop()
        monitor = nil
        streams?.stop()
        streams = nil
        server?.stop()
        server = nil
        signals.stop()
        host = nil
        whileRunning = nil
        onEnd(code)
    }
}
