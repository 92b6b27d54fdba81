internal import GStreamerKit

/// All plugins of the config: found, opened, configured, begun in its order and ended in reverse.
@HostActor
public final class PluginSet {
    private let search: PluginSearch
    private let clock: any HostClock
    private let workers: WorkerPool
    private let log: Log
    private var libraries: [String: PluginLibrary] = [:]
    public private(set) var instances: [PluginInstance] = []
    /// Instances that ended before the host did, and why.
    public private(set) var failures: [String: PluginFailure] = [:]

    /// Failed ones that a tap or running work still holds. Kept until they are gone: their host table must live as long.
    private var leaving: [PluginInstance] = []

    /// How long the plugins may take to let go of everything at the end.
    static let endDeadline = ClockTime.seconds(2)

    public init(search: PluginSearch, clock: any HostClock, workers: WorkerPool, log: Log) {
        self.search = search
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
                let library = try open(description.module)
                guard let descriptor = library.descriptors.first else { continue }
                let (config, found) = try Self.resolve(description, descriptor, names)
                problems += found
                guard let config, !found.contains(where: { $0.severity == .error }) else { continue }
                let context = PluginContext(
                    instance: description.name, log: log.from("plugin \(description.name)"), clock: clock,
                    workers: workers)
                instances.append(
                    try PluginInstance(
                        description.name, descriptor: descriptor, of: library, config: config,
                        environment: environment, context: context))
            } catch {
                problems.append(Diagnostic(error, at: description.location))
            }
        }
        return problems
    }

    /// Checks modules and configs without creating an instance.
    func check(_ descriptions: [PluginDescription], names: KnownNames) -> [Diagnostic] {
        var problems: [Diagnostic] = []
        for description in descriptions {
            do throws(PluginFailure) {
                guard let descriptor = try open(description.module).descriptors.first else { continue }
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

    /// Ends one instance for good; the process lives.
    func end(_ instance: PluginInstance, _ error: PluginFailure) {
        failures[instance.name] = error
        instances.removeAll { $0 === instance }
        leaving.append(instance)
        instance.deactivate { [weak self, weak instance] in self?.leaving.removeAll { $0 === instance } }
    }

    /// Ends all in reverse order, then calls `done`; what does not let go in time is named and left.
    func endAll(_ done: @escaping @HostActor () -> Void) {
        let ending = leaving + instances
        var left = Set(ending.map(\.name))
        var isDone = false
        let finish: @HostActor () -> Void = {
            guard !isDone else { return }
            isDone = true
            done()
        }
        let timer = clock.schedule(after: Self.endDeadline) { [log] in
            if !isDone { log.warning("these plugins did not let go in time: \(left.sorted().joined(separator: ", "))") }
            finish()
        }
        guard !left.isEmpty else {
            timer.cancel()
            return finish()
        }
        for instance in ending.reversed() {
            instance.deactivate {
                left.remove(instance.name)
                guard left.isEmpty else { return }
                timer.cancel()
                finish()
            }
        }
    }

    func open(_ module: String) throws(PluginFailure) -> PluginLibrary {
        let path = try search.file(of: module)
        if let known = libraries[path] { return known }
        let library = try PluginLibrary(path: path)
        libraries[path] = library
        return library
    }

    private static func resolve(
        _ description: PluginDescription, _ descriptor: PluginDescriptor, _ names: KnownNames
    ) throws(PluginFailure) -> (Value?, [Diagnostic]) {
        let schema: ValueSchema
        do {
            schema = try ValueSchema(json: descriptor.configSchema ?? #"{"type":"object"}"#)
        } catch {
            throw PluginFailure(
                "the config schema of \(descriptor.id) is broken: \(error)",
                help: "this is the plugin's mistake, not yours")
        }
        return schema.resolve(description.config, names: names)
    }
}

extension Diagnostic {
    init(_ error: PluginFailure, at span: SourceSpan) {
        self.init(.error, at: span, error.message, help: error.help)
    }
}
