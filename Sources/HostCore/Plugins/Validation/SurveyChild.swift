internal import GStreamerKit
internal import Glibc

/// The process of a `CommandSurvey`: makes one instance, which never becomes active, and writes down its commands.
public enum SurveyChild {
    /// The command that begins it, hidden from the help: `mediahost plugin survey FILE ORDER`.
    static let command = ["plugin", "survey"]
    /// What the line of its report begins with.
    static let word = "commands "

    /// - Parameter parent: whoever waits for the report.
    /// - Thread: the main thread of a process that does nothing else. Does not return.
    public static func run(_ path: String, _ order: String, parent: Int32?) -> Never {
        TrialChild.prepare(parent: parent)
        guard let order = try? JSONText.parse(order), let directory = order["directory"]?.string,
            chdir(directory) == 0
        else { _exit(2) }
        let loop = MainLoop()
        loop.run {
            guard let commands = commands(path, order, directory) else { _exit(1) }
            let list = commands.map { command -> Value in
                [
                    "name": .string(command.name), "summary": .string(command.summary),
                    "parameters": command.parametersText.map { .string($0) } ?? .null,
                ]
            }
            TrialPipe.write("\(word)\(JSONText.render(.list(list)))\n")
            // Neither destructors nor what was registered for the end of a process: they are not what is asked.
            _exit(0)
        }
        _exit(2)
    }

    @HostActor
    private static func commands(_ path: String, _ order: Value, _ directory: String) -> [PluginCommand]? {
        do {
            try GStreamer.start()
            let log = Log { _, _, text in TrialChild.say(text) }
            let library = try PluginLibrary(path: path)
            guard let descriptor = library.descriptors.first else { return nil }
            let schema = try ValueSchema(json: descriptor.configSchema ?? #"{"type":"object"}"#)
            let host = Host(
                HostConfiguration(), log: log, gate: PluginGate(unprobed: PluginSearch(environment: [:]), log: log)
            ) { _ in }
            let name = order["name"]?.string ?? "surveyed"
            let context = PluginContext(
                instance: name, log: log, clock: SystemClock(), workers: WorkerPool(), stateRoot: directory)
            let instance = try PluginInstance(
                name, descriptor: descriptor, config: try config(schema, order["settings"] ?? [:], directory),
                environment: host, context: context
            ) { table throws(PluginFailure) in try library.create(descriptor.id, named: name, host: table) }
            return withExtendedLifetime(host) { instance.commands }
        } catch {
            TrialChild.say("\(error)")
            return nil
        }
    }

    /// The user's own where it fits what is made up for the rest.
    private static func config(_ schema: ValueSchema, _ given: Value, _ directory: String) throws -> Value {
        let pipelines = TrialPipelines.descriptions(encoded: false)
        var names = KnownNames(
            pipelines: pipelines.map { ($0.name, $0.launch.named().elements.map(\.name)) }, instances: ["tried"])
        names.pads = [:]
        let plain = TrialSettings(directory: directory).plain(schema.rule)
        let own = given.members ?? []
        let others = (plain.members ?? []).filter { member in !own.contains { $0.key == member.key } }
        if let config = try? schema.resolve(.map(others + own), names: names) { return config }
        return try schema.resolve(plain, names: names)
    }
}
