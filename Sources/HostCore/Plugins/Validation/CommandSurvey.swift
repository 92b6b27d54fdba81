internal import GStreamerKit
internal import Glibc

/// The commands of a plugin that does not run: an instance of it is made in a process of its own and asked.
///
/// Its settings are those of the config as far as they name nothing outside of it; files, secrets and pads are made up. So it
/// finds nothing of the user's that it could change.
struct CommandSurvey: Sendable {
    /// `mediahost`; another process than itself names it.
    var executable: String
    var environment: [String: String]
    var limit: ClockTime

    /// - Parameter config: what the schema made of it.
    /// - Returns: nil where it does not say: it ends its process, hangs, or takes no made-up settings.
    /// - Thread: a process that has nothing else to do.
    func commands(of path: String, named name: String, _ schema: ValueSchema?, _ config: Value) -> [PluginCommand]? {
        var template = Array("/tmp/mediahost-survey-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return nil }
        let directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { DirectoryTree.remove(directory) }
        let order: Value = [
            "directory": .string(directory), "name": .string(name),
            "settings": schema.map { Self.harmless($0.rule, config) } ?? [:],
        ]
        let words =
            ["mediahost"] + SurveyChild.command + ["--parent=\(getpid())", "--", path, JSONText.render(order)]
        var variables = PluginCheck.variables(environment, in: directory)
        // GStreamer's registry is there: to make another one takes longer than all the rest.
        variables["XDG_CACHE_HOME"] = environment["XDG_CACHE_HOME"] ?? environment["HOME"].map { "\($0)/.cache" }
        guard case .success(let process) = ProbeProcess.start(executable, words, variables),
            process.wait(limit) == .exited(0)
        else { return nil }
        return Self.read(process.report, of: name)
    }

    /// The keys of a config that say nothing of files, devices, URIs, memory, secrets and other parts of the host.
    static func harmless(_ rule: SchemaRule, _ config: Value) -> Value {
        guard case .object(let properties) = rule.kind, let members = config.members else { return [:] }
        return .map(
            members.compactMap { member in
                guard let rule = properties.first(where: { $0.key == member.key })?.rule, !rule.reservesMemory,
                    member.value != .null
                else { return nil }
                switch (rule.kind, rule.format) {
                case (.object, _), (.array, _), (_, .path), (_, .device), (_, .uri), (_, .secret), (_, .pad),
                    (_, .element),
                    (_, .pipeline), (_, .instance):
                    return nil
                default: return .init(member.key, rule.shown(member.value))
                }
            })
    }

    /// A plugin may write into the report, too: the last line of ours counts.
    static func read(_ report: [UInt8], of name: String) -> [PluginCommand]? {
        let lines = report.split(separator: UInt8(ascii: "\n")).filter { $0.starts(with: SurveyChild.word.utf8) }
        guard let line = lines.last,
            let list = try? JSONText.parse(
                String(decoding: line.dropFirst(SurveyChild.word.utf8.count), as: UTF8.self)
            ).list
        else { return nil }
        let commands = list.compactMap { entry -> PluginCommand? in
            guard let command = entry["name"]?.string, let summary = entry["summary"]?.string else { return nil }
            return try? PluginCommand(
                command, summary: summary, parameters: entry["parameters"]?.string, result: nil, of: name)
        }
        return commands.count == list.count ? commands : nil
    }
}
