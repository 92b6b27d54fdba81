/// The names of the events that the host itself posts, for messages about names that no event has.
enum HostEvents {
    static let names = [
        "pipeline.state", "pipeline.first-buffer", "pipeline.mode", "pipeline.property",
        "lifecycle.will-pause", "lifecycle.did-pause", "lifecycle.will-resume", "lifecycle.did-resume",
        "lifecycle.changed", "lifecycle.locked", "lifecycle.unlocked", "lifecycle.interrupted",
        "lifecycle.interruption-ended", "lifecycle.low-power",
        "config.reloading", "config.reloaded", "config.reload-failed",
        "plugin.failed", "plugin.restarted", "input.key", "output.added", "output.removed", "clock.set",
        "login.sleep-comes", "login.sleep-released", "login.awake",
        "rule.fired", "rule.failed", "rule.dropped",
    ]

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
