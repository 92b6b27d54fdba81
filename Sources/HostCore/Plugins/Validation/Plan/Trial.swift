/// One thing that a plugin is tried for, in a process of its own.
enum Trial: String, Sendable, CaseIterable {
    /// Of the file, which is only read.
    case file = "static"
    case probe
    case entry
    case lifecycle
    case storm
    case config
    case roles
    case tap
    case leak

    var summary: String {
        switch self {
        case .file: "what the file says: machine, entry, exported symbols, text relocations, executable stack"
        case .probe: "mapped, initialised and described in a process of its own, as every host does first"
        case .entry: "entry, factory and descriptor answer the same each time; what is not there is NULL"
        case .lifecycle: "each way through the life of an instance, two instances at once, on_main"
        case .storm: "commands, cancels, pauses and events at random, ended in the middle"
        case .config: "random settings that fit the schema, and some that do not"
        case .roles: "no call of the host from a thread or in a state where the headers forbid it"
        case .tap: "buffers of a real pipeline over two runs, then detached"
        case .leak: "memory, files and threads stay as they are while instances come and go"
        }
    }

    /// Whether it is done a second time with every control call serialised, to another process and back.
    var isSerialised: Bool {
        switch self {
        case .lifecycle, .storm, .config, .roles, .tap: true
        case .file, .probe, .entry, .leak: false
        }
    }
}

/// A trial, and where the plugin is while it is tried.
struct TrialStep: Sendable, Equatable {
    var trial: Trial
    var isSerialised = false

    /// "storm", "storm/serialised"
    var name: String { trial.rawValue + (isSerialised ? "/serialised" : "") }

    /// In the order they are done: what fails early says why the rest would.
    static let all: [TrialStep] =
        Trial.allCases.map { TrialStep(trial: $0) }
        + Trial.allCases.filter(\.isSerialised).map { TrialStep(trial: $0, isSerialised: true) }

    /// Those of a name: "storm" is both, "storm/serialised" and "storm/in-process" one of them. Nil where there is none.
    static func named(_ name: String) -> [TrialStep]? {
        let found = all.filter { step in
            step.name == name || step.trial.rawValue == name
                || (!step.isSerialised && "\(step.trial.rawValue)/in-process" == name)
        }
        return found.isEmpty
            ? nil : name.utf8.contains(UInt8(ascii: "/")) ? found.filter { $0.name == name || !$0.isSerialised } : found
    }
}
