internal import GStreamerKit

/// All plugins of the config: found, opened, configured, begun in its order and ended in reverse.
@HostActor
public final class PluginSet {
    private let gate: PluginGate
    private let clock: any HostClock
    private let workers: WorkerPool
    private let log: Log
    private let stateRoot: String?
    private let keptFiles: KeptFiles?
    private var libraries: [String: PluginLibrary] = [:]
    public private(set) var instances: [PluginInstance] = []
    /// Instances that ended before the host did, and why.
    public private(set) var failures: [String: PluginFailure] = [:]

    /// Failed ones that a tap or running work still holds. Kept until they are gone: their host table must live as long.
    private var leaving: [PluginInstance] = []
    private var waits: [PluginWait] = []
    private var isEnding = false
    /// Those the end of the host waits for.
    var ending: [String] { isEnding ? (leaving + instances).filter(\.isAwaited).map(\.name) : [] }

    /// Told when nothing is left of an instance that ended before the host did.
    var onGone: @HostActor (_ instance: String) -> Void = { _ in }
    /// Told when one did not let go in time.
    var onHeld: @HostActor (_ instance: String) -> Void = { _ in }
    /// The files whose libraries are in this process, as they were found.
    var mapped: Set<String> { Set(libraries.keys) }

    /// How long the plugins may take to let go of everything at the end.
    static let endDeadline = ClockTime.seconds(2)

    /// - Parameters:
    ///   - stateRoot: where instances may have a directory of their own; nil: nowhere.
    ///   - keptFiles: who holds files for them beyond the end of the process.
    public init(
        gate: PluginGate, clock: any HostClock, workers: WorkerPool, log: Log, stateRoot: String? = nil,
        keptFiles: KeptFiles? = nil
    ) {
        self.keptFiles = keptFiles
        self.stateRoot = stateRoot
        self.gate = gate
        self.clock = clock
        self.workers = workers
        self.log = log
    }

    /// Opens every plugin of the config and creates its instance. All problems come in one go, each at its place.
    func load(
        _ descriptions: [PluginDescription], names: KnownNames, environment: any PluginEnvironment
    ) -> [Diagnostic] {
        var problems: [Diagnostic] = []
        for description in descriptions {
            do throws(PluginFailure) {
                _ = try create(description, names, environment, &problems)
            } catch {
                problems.append(Diagnostic(error, at: description.location))
            }
        }
        if let refusal = AcknowledgementBudget.refusal(instances.compactMap(\.acknowledgement)) {
            problems.append(Diagnostic(refusal, at: descriptions.last?.location))
        }
        return problems
    }

    /// Nil where the config has errors, which are then among the problems.
    private func create(
        _ description: PluginDescription, _ names: KnownNames, _ environment: any PluginEnvironment,
        _ problems: inout [Diagnostic]
    ) throws(PluginFailure) -> PluginInstance? {
        let library = try open(description)
        guard let descriptor = library.descriptors.first else { return nil }
        let (config, found) = try Self.resolve(description, descriptor, names)
        problems += found
        guard let config, !found.contains(where: { $0.severity == .error }) else { return nil }
        let context = PluginContext(
            instance: description.name, log: log.from("plugin \(description.name)"), clock: clock, workers: workers,
            stateRoot: stateRoot, keptFiles: keptFiles)
        let instance = try PluginInstance(
            description.name, descriptor: descriptor, config: config, environment: environment, context: context
        ) { host throws(PluginFailure) in try library.create(descriptor.id, named: description.name, host: host) }
        instances.append(instance)
        return instance
    }

    /// Checks modules and configs without creating an instance.
    func check(_ descriptions: [PluginDescription], names: KnownNames) -> [Diagnostic] {
        var problems: [Diagnostic] = []
        for description in descriptions {
            do throws(PluginFailure) {
                guard let descriptor = try open(description).descriptors.first else { continue }
                problems += try Self.resolve(description, descriptor, names).1
            } catch {
                problems.append(Diagnostic(error, at: description.location))
            }
        }
        return problems
    }

    /// Begins all; the first that cannot ends the attempt.
    func activateAll() throws(PluginFailure) {
        for instance in instances { try instance.activate() }
    }

    public subscript(name: String) -> PluginInstance? { instances.first { $0.name == name } }

    /// Ends one instance for good; the process lives. Where it does not let go in time, that is said.
    func end(_ instance: PluginInstance, _ error: PluginFailure) {
        failures[instance.name] = error
        retire([instance]) {}
    }

    func forgetFailure(of name: String) { failures[name] = nil }

    /// Whether an instance of this name has ended and still holds something of the host.
    func isLeaving(_ name: String) -> Bool { leaving.contains { $0.name == name } }

    /// Whether that was said.
    func isHeld(_ name: String) -> Bool { leaving.contains { $0.name == name && $0.isHeld } }

    private func takeOut(_ instance: PluginInstance) {
        instances.removeAll { $0 === instance }
        leaving.append(instance)
        let name = instance.name
        instance.deactivate { [weak self, weak instance] in
            self?.leaving.removeAll { $0 === instance }
            self?.settle()
            self?.onGone(name)
        }
    }

    /// Ends all in reverse order, then calls `done`; what does not let go in time is named and left.
    func endAll(_ done: @escaping @HostActor () -> Void) {
        isEnding = true
        for instance in instances.reversed() { instance.deactivate { [weak self] in self?.settle() } }
        wait(for: leaving + instances, done)
    }

    /// Waits until those with such a name that have ended already, or do so meanwhile, have let go; who does not in time is named and
    /// left.
    func awaitGone(_ isMeant: @escaping (String) -> Bool, _ done: @escaping @HostActor () -> Void) {
        let awaited = leaving.filter { isMeant($0.name) && $0.isAwaited }
        guard !awaited.isEmpty else { return done() }
        wait(for: awaited) { [self] in awaitGone(isMeant, done) }
    }

    // MARK: - Waiting for ends

    /// Until these have let go, but not for ever. They were told to end: each has all of its time from now on.
    private func wait(for ending: [PluginInstance], _ done: @escaping @HostActor () -> Void) {
        let left = ending.filter(\.isAwaited)
        guard !left.isEmpty else { return done() }
        let wait = PluginWait(for: left, done)
        waits.append(wait)
        arm(wait)
    }

    private func arm(_ wait: PluginWait) {
        let due = clock.monotonic() + Self.endDeadline
        wait.timer = clock.schedule(after: Self.endDeadline) { [self] in
            // Where the process stood still, they did, too.
            if clock.monotonic() - due > FlowWatch.lateness { arm(wait) } else { giveUp(wait.left) }
        }
    }

    /// Names the late, and ends every wait for them: what holds on is said once.
    private func giveUp(_ late: [PluginInstance]) {
        for instance in late { instance.isHeld = true }
        let names = late.map(\.name).sorted()
        log.warning("these plugins did not let go in time: \(names.joined(separator: ", "))")
        for name in names { onHeld(name) }
        settle()
    }

    /// Goes on where nobody is waited for any more.
    private func settle() {
        for wait in waits { wait.left.removeAll { !$0.isAwaited } }
        let over = waits.filter(\.left.isEmpty)
        waits.removeAll(where: \.left.isEmpty)
        for wait in over {
            wait.timer?.cancel()
            wait.done()
        }
    }

    // MARK: - For a reload

    /// Ends these for good, in reverse order, then calls `done`; what does not let go in time is named and left.
    func retire(_ retiring: [PluginInstance], _ done: @escaping @HostActor () -> Void) {
        for instance in retiring.reversed() { takeOut(instance) }
        wait(for: retiring, done)
    }

    /// Creates and begins these; where there is a problem, those that did begin stay for the caller to retire.
    func begin(
        _ descriptions: [PluginDescription], names: KnownNames, environment: any PluginEnvironment
    ) -> [Diagnostic] {
        var problems: [Diagnostic] = []
        for description in descriptions {
            failures[description.name] = nil
            do throws(PluginFailure) {
                guard let instance = try create(description, names, environment, &problems) else { continue }
                do throws(PluginFailure) {
                    if let refusal = AcknowledgementBudget.refusal(instances.compactMap(\.acknowledgement)) {
                        throw refusal
                    }
                    try instance.activate()
                } catch {
                    retire([instance]) {}
                    throw error
                }
            } catch {
                failures[description.name] = error
                problems.append(Diagnostic(error, at: description.location))
            }
        }
        return problems.filter { $0.severity == .error }
    }

    /// Why those had failed that a reload has tried to begin, and which do not run now that it went back.
    func bringBack(failures earlier: [String: PluginFailure]) {
        for (name, failure) in earlier where self[name] == nil { failures[name] = failure }
    }

    /// The order of the config; failures of plugins it does not have are forgotten.
    func arrange(by names: [String]) {
        instances.sort { (names.firstIndex(of: $0.name) ?? 0) < (names.firstIndex(of: $1.name) ?? 0) }
        failures = failures.filter { names.contains($0.key) }
    }

    /// The library of a plugin that was admitted; one that is mapped is what it was, whatever its file is by now
    /// and whether there still is one.
    func open(_ description: PluginDescription) throws(PluginFailure) -> PluginLibrary {
        let found = try gate.place(of: description)
        if let known = libraries[found] { return known }
        let path = try gate.library(of: description)
        let known = libraries[path]
        let library = if let known { known } else { try PluginLibrary(path: path) }
        libraries[found] = library
        libraries[path] = library
        return library
    }

    static func resolve(
        _ description: PluginDescription, _ descriptor: PluginDescriptor, _ names: KnownNames
    ) throws(PluginFailure) -> (Value?, [Diagnostic]) {
        let schema: ValueSchema
        do {
            schema = try ValueSchema(json: descriptor.configSchema ?? #"{"type":"object"}"#)
        } catch {
            throw PluginFailure(
                "the config schema of \(descriptor.id) is broken at \(error.path): \(error.message)",
                help: "this is the plugin's mistake, not yours")
        }
        return schema.resolve(description, names: names)
    }
}

extension Diagnostic {
    init(_ error: PluginFailure, at span: SourceSpan?) {
        self.init(.error, at: span, error.message, help: error.help)
    }
}
