public import GStreamerKit
import Locking

/// `mediahost timers deliver`: tells of timers that are over while no host runs, and says when the next will be.
///
/// A host without pipelines, with the plugins that keep timers and the rules that can do without the others: so rules, notifications
/// and the store are what they always are, and nothing is told twice.
public enum DeliveryProcess {
    public struct Options: Sendable {
        public var config: String
        public var socket: String?
        public var environment: [String: String]
        /// How long telling may take; what is left is told the next time.
        public var limit = ClockTime.seconds(60)

        public init(config: String, socket: String? = nil, environment: [String: String]) {
            self.config = config
            self.socket = socket
            self.environment = environment
        }
    }

    public struct Report: Sendable, Equatable {
        /// Finished timers that were told of.
        public var told = 0
        /// When the next is over: the wall clock, since 1970.
        public var next: ClockTime?
        /// Some wait until the wall clock can be believed.
        public var waitsForClock = false
        /// Some were not told in time, or a plugin ended.
        public var isIncomplete = false
        /// How long after that it is tried again.
        static let pause = ClockTime.seconds(300)

        /// When to look again.
        public func moment(now: ClockTime) -> WakeTimer.Moment? {
            let again = isIncomplete ? now + Self.pause : nil
            return [next, again].compactMap { $0 }.min().map { .at($0) } ?? (waitsForClock ? .whenClockIsSet : nil)
        }

        public init() {}
    }

    public enum Outcome: Sendable, Equatable {
        case done(Report)
        /// It tells by itself.
        case hostRuns
        /// The config has no plugin that keeps timers.
        case noTimers
        case failed(ExitCode)
    }

    /// The library whose instances keep timers; they answer to command `pending`.
    static let module = "LaundryTimers"

    /// - Thread: the main thread, which becomes the control thread.
    public static func run(
        _ options: Options, log: Log, report: @escaping @Sendable ([Diagnostic]) -> Void
    ) -> Outcome {
        let loaded: ConfigurationCheck.Result
        do throws(PluginFailure) {
            loaded = try ConfigurationCheck.load(options.config, environment: options.environment)
        } catch {
            log.error(error.description)
            return .failed(.failure)
        }
        if let secrets = loaded.configuration?.secrets { log.mask.set(secrets.mask) }
        report(loaded.diagnostics)
        guard let whole = loaded.configuration else { return .failed(.configuration) }
        let configuration = part(of: whole)
        guard !configuration.plugins.isEmpty else { return .noTimers }
        guard !hostRuns(options.socket ?? whole.control.socket) else { return .hostRuns }
        let loop = MainLoop()
        let outcome = Locked(Outcome.failed(.failure))
        loop.run {
            let session = DeliverySession(configuration, options, log: log) { result in
                outcome.withLock { $0 = result }
                loop.quit()
            }
            session.start(report)
        }
        return outcome.withLock { $0 }
    }

    /// What of a configuration is needed for it.
    static func part(of whole: HostConfiguration) -> HostConfiguration {
        var part = HostConfiguration(
            version: whole.version, plugins: whole.enabledPlugins.filter { keepsTimers($0.module) })
        part.notifications = whole.notifications
        part.login.bus = .off
        part.pluginPath = whole.pluginPath
        part.secrets = whole.secrets
        part.files = whole.files
        part.overridesFile = whole.overridesFile
        part.rules = whole.rules.filter { rule in
            var problems = Problems()
            RuleCheck.references([rule], names: part.knownNames, &problems)
            return !problems.diagnostics.contains { $0.severity == .error }
        }
        return part
    }

    /// By name, or by path.
    private static func keepsTimers(_ text: String) -> Bool {
        let file = text.split(separator: "/").last ?? ""
        return file == Self.module || file == "lib\(Self.module).so"
    }

    private static func hostRuns(_ socket: String?) -> Bool {
        do throws(ControlError) {
            let place = try ControlPlace.find(socket: socket, host: nil, tokenFile: nil) { name in
                name == "MEDIAHOST_HOST" ? nil : ControlSocket.variable(name)
            }
            _ = try ControlClient(place).status(timeout: .seconds(5))
            return true
        } catch {
            // One that does not answer in time runs all the same.
            return error.code == .timeout
        }
    }
}
