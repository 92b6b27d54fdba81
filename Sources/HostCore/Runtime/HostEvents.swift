/// The events that the host itself posts, for messages about names and fields that none has.
public enum HostEvents {
    private static let rule = ["rule", "event", "event_source", "event_sequence"]
    private static let job = ["id", "plugin", "command", "state", "progress", "text", "elapsed_ns"]
    private static let reload = [
        "applied", "result", "took_ns", "pipelines", "plugins", "rules", "settings", "problems",
    ]
    private static let output = ["name", "class", "node"]

    /// With the keys that their payloads may have.
    static let all: [(name: String, fields: [String])] = [
        ("pipeline.state", ["state", "reason", "message", "restarts", "error"]),
        ("pipeline.first-buffer", ["element", "after_ns"]), ("pipeline.mode", ["mode", "sinks"]),
        ("pipeline.property", ["property", "value"]),
        ("lifecycle.will-pause", ["state"]), ("lifecycle.did-pause", ["state"]),
        ("lifecycle.will-resume", ["state"]), ("lifecycle.did-resume", ["state"]), ("lifecycle.changed", ["state"]),
        ("lifecycle.locked", []), ("lifecycle.unlocked", []), ("lifecycle.interrupted", ["source"]),
        ("lifecycle.interruption-ended", ["source", "should_resume", "over"]), ("lifecycle.low-power", ["on"]),
        ("config.reloading", []), ("config.reloaded", reload), ("config.reload-failed", reload),
        ("plugin.failed", ["message", "policy"]), ("plugin.restarted", ["restarts"]), ("plugin.enabled", []),
        ("plugin.configured", ["config"]), ("config.saved", ["file"]), ("config.reset", ["removed"]),
        ("plugin.disabled", []), ("input.key", ["input", "key", "code", "press", "held_ns"]),
        ("output.added", output), ("output.removed", output), ("clock.set", ["step_ns", "realtime_ns", "epoch"]),
        ("login.sleep-comes", []), ("login.sleep-released", ["after_ns", "given_up"]), ("login.awake", []),
        ("job.started", job), ("job.progress", job), ("job.ended", job),
        ("rule.fired", rule), ("rule.failed", rule + ["action", "message", "exit_code", "last_line"]),
        ("rule.dropped", rule + ["reason", "count"]),
    ]

    public static let names = all.map(\.name)

    /// The keys that events of these patterns may have; nil where one may be a plugin's own.
    static func fields(of patterns: [EventPattern]) -> [String]? {
        var found: [String] = []
        for pattern in patterns {
            let events = all.filter { pattern.matches($0.name) }
            if events.isEmpty || pattern == .all { return nil }
            for field in events.flatMap(\.fields) where !found.contains(field) { found.append(field) }
        }
        return found
    }

    /// What a pattern probably meant that takes none of them, though it begins as they do; nil: it is a plugin's own.
    static func explain(_ pattern: String) -> (message: String, suggestion: String?)? {
        guard !names.contains(where: { EventPattern(pattern).matches($0) }) else { return nil }
        let families = Set(names.map { String($0.prefix { $0 != "." }) + ".*" })
        let known = names + families.sorted()
        let nearest = Suggestion.nearest(to: pattern, among: known)
        let family = pattern.prefix { $0 != "." } + ".*"
        guard nearest != nil || families.contains(String(family)) else { return nil }
        return ("the host has no event \(quoted(pattern))", nearest)
    }
}
