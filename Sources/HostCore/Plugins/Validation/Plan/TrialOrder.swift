internal import GStreamerKit

/// What a trial's process is told to do.
struct TrialOrder: Sendable, Equatable {
    var step: TrialStep
    var seed: UInt64
    /// As the user gave them, before the schema: what the validator cannot guess.
    var settings: Value
    /// A directory of the trial's own, for whatever the plugin writes.
    var directory: String
    /// How long something may take that a plugin does by itself: an answer from a thread of its own. Real time, because such a
    /// thread has no other; only what is at fault waits as long.
    var patience: ClockTime

    /// How long a trial goes on that could go on for ever.
    var effort: ClockTime { min(.seconds(5), patience) }

    var text: String {
        JSONText.render([
            "trial": .string(step.trial.rawValue), "serialised": .bool(step.isSerialised),
            "seed": .string(String(seed)), "settings": settings, "directory": .string(directory),
            "patience": .int(patience.nanoseconds),
        ])
    }

    init(step: TrialStep, seed: UInt64, settings: Value, directory: String, patience: ClockTime) {
        self.patience = patience
        self.step = step
        self.seed = seed
        self.settings = settings
        self.directory = directory
    }

    init?(text: String) {
        guard let value = try? JSONText.parse(text), let trial = value["trial"]?.string.flatMap(Trial.init(rawValue:)),
            let seed = value["seed"]?.string.flatMap({ UInt64($0) }), let directory = value["directory"]?.string,
            let patience = value["patience"]?.int
        else { return nil }
        self.init(
            step: TrialStep(trial: trial, isSerialised: value["serialised"]?.bool == true), seed: seed,
            settings: value["settings"] ?? [:], directory: directory, patience: ClockTime(nanoseconds: patience))
    }
}
