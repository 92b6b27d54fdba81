internal import GStreamerKit
internal import PluginABI

/// A trial under way: the house, the plugin in it, and what it is configured with.
@HostActor
final class TrialBench {
    let order: TrialOrder
    let house: TrialHouse
    let plugin: any CallTarget
    let schema: ValueSchema
    let names: KnownNames
    let settings: TrialSettings
    /// What is not random about a trial: plain settings, with what the user gave.
    let config: Value
    var random: TrialRandom

    private init(
        _ order: TrialOrder, _ house: TrialHouse, _ schema: ValueSchema, _ names: KnownNames, _ settings: TrialSettings,
        _ config: Value
    ) {
        self.order = order
        self.house = house
        plugin = house.plugin
        self.schema = schema
        self.names = names
        self.settings = settings
        self.config = config
        random = TrialRandom(seed: order.seed)
    }

    /// Opens the library and holds the trial. What is found goes into the pipe.
    static func hold(_ order: TrialOrder, _ plugin: any CallTarget, _ desk: HostDesk) async {
        step("the library is opened")
        let answer = plugin.perform(TrialCall(.open, 0))
        guard let facts = answer.first.flatMap(LibraryFacts.init), let descriptor = facts.descriptors.first else {
            let reason = answer.count > 1 ? answer[1].string ?? "" : "no answer"
            return TrialPipe.tell(
                TrialFault(
                    "cannot be opened a second time: \(reason)", expected: "as the probe found it",
                    fix: "let entry.init depend on nothing outside the library"))
        }
        if facts.descriptors.count > 1 { TrialPipe.note("the library has more plugins than one; the first is tried") }
        let missing = descriptor.requires.filter {
            !GuardTables.guards($0) || GuardTables.inProcessOnly.contains($0)
        }
        if order.step.isSerialised, !missing.isEmpty {
            return skip("needs \(missing.joined(separator: ", ")), which another process cannot have")
        }
        do {
            let schema = try ValueSchema(json: descriptor.configSchema ?? #"{"type":"object"}"#)
            let pipelines = TrialPipelines.descriptions(encoded: false)
            var names = KnownNames(
                pipelines: pipelines.map { ($0.name, $0.launch.named().elements.map(\.name)) }, instances: ["tried"])
            names.pads = [:]
            let settings = TrialSettings(directory: order.directory)
            let given = merge(settings.plain(schema.rule), order.settings)
            let config: Value
            do throws(ValueSchemaError) {
                config = try schema.resolve(given, names: names)
            } catch {
                return skip("no settings for it could be guessed: \(error); give them as KEY=VALUE")
            }
            let house = TrialHouse(descriptor, plugin: plugin, desk: desk, directory: order.directory)
            house.build(pipelines)
            let bench = TrialBench(order, house, schema, names, settings, config)
            await bench.run()
        } catch {
            skip("its schema cannot be read: \(error)")
        }
    }

    private func run() async {
        switch order.step.trial {
        case .file, .probe: return
        case .entry: entry()
        case .lifecycle: await lifecycle()
        case .storm: await storm()
        case .config: await configurations()
        case .roles: await roles()
        case .tap: await tap()
        case .leak: return await leak()
        }
        _ = plugin.perform(TrialCall(.settle, 0))
    }

    /// The user's word counts.
    private static func merge(_ plain: Value, _ given: Value) -> Value {
        guard let members = plain.members, let more = given.members else { return plain }
        return .map(members.filter { member in !more.contains { $0.key == member.key } } + more)
    }

    // MARK: - Words

    static func step(_ text: String) { TrialPipe.write(TrialReport.step(text)) }
    func step(_ text: String) { Self.step(text) }
    static func skip(_ text: String) { TrialPipe.write(TrialReport.skipped(text)) }

    func fault(_ found: String, expected: String, fix: String) {
        TrialPipe.tell(TrialFault(found, expected: expected, fix: fix))
    }

    // MARK: - What several trials do

    /// An instance that was initialised; nil where it was refused, which is a fault then.
    func instance(_ name: String = "tried") -> PluginInstance? {
        do throws(PluginFailure) {
            return try house.make(config, named: name)
        } catch {
            let (count, last) = house.logged
            fault(
                "refused settings that fit its schema: \(error.message)\(count > 0 ? " (\(last))" : "")",
                expected: "MH_OK for \(JSONText.render(config))",
                fix: "say in the schema what is valid, or give settings that it takes as KEY=VALUE")
            return nil
        }
    }

    /// The same, active.
    func activeInstance(_ name: String = "tried") async -> PluginInstance? {
        guard let instance = instance(name) else { return nil }
        do throws(PluginFailure) {
            try instance.activate()
            return instance
        } catch {
            fault(
                "could not be activated: \(error.message) (\(house.logged.last))", expected: "MH_OK from activate",
                fix: "say in the log what is missing; attach taps at the pads of the settings")
            await house.end(instance)
            return nil
        }
    }

    /// Whether it gave up by itself; that is a fault where nothing was wrong.
    func checkFailures(_ place: String) {
        guard let failure = house.failures.first else { return }
        fault(
            "gave up \(place): \(failure.message)", expected: "it goes on",
            fix: "call fail only where an instance cannot go on")
    }

    /// Ends it, and reads what the host has counted against it.
    func end(_ instance: PluginInstance) async {
        let counters = instance.context.counters
        await house.end(instance)
        if counters.deepEvents.load(ordering: .relaxed) > 0 {
            fault(
                "posts an event because of one that followed from its own, without an end",
                expected: "chains of events end (mediahost/events.h)", fix: "do not post what it subscribes to")
        }
        if counters.frequentEvents.load(ordering: .relaxed) > 0 {
            fault(
                "posts more events than the host takes", expected: "at most 2000 in a second (mediahost/events.h)",
                fix: "post what changed, not each time something is looked at")
        }
    }
}
