/// What stands between a running configuration and a new one: the comparison of two values.
///
/// - Thread: any. Pure.
struct ReloadPlan: Sendable {
    let old: HostConfiguration
    let new: HostConfiguration
    let pipelines: ReloadDifference
    private(set) var plugins: ReloadDifference
    let rules: ReloadDifference
    /// Other keys of the file that differ: what they say is taken over at once.
    let settings: [String]
    /// Instances that go on with another config.
    private(set) var live: [LiveChange] = []

    /// A config that an instance takes over while it runs, and the one to go back to; both resolved.
    struct LiveChange: Sendable, Equatable {
        var name: String
        var old: Value
        var new: Value
    }

    init(from old: HostConfiguration, to new: HostConfiguration) {
        self.old = old
        self.new = new
        pipelines = ReloadDifference(from: old.pipelines, to: new.pipelines, name: \.name) { earlier, later in
            // A loop is begun with a seek, and ends with one.
            let loops = (earlier.onEOS == .loop) != (later.onEOS == .loop)
            if loops || !earlier.buildsTheSame(as: later) { return .changed }
            return earlier == later ? .unchanged : .adjusted
        }
        rules = ReloadDifference(from: old.rules, to: new.rules, name: \.name) { $0 == $1 ? .unchanged : .changed }
        plugins = ReloadDifference(from: old.plugins, to: new.plugins, name: \.name) { earlier, later in
            if earlier != later { return .changed }
            return earlier.policy == later.policy ? .unchanged : .adjusted
        }
        settings = Self.settings.filter { $0.differs(old, new) }.map(\.key)
    }

    /// Nothing has to be done but to remember where things are written now.
    var isEmpty: Bool { pipelines.isEmpty && plugins.isEmpty && rules.isEmpty && settings.isEmpty }

    /// By key, in the order in which they are told.
    private static var settings: [(key: String, differs: (HostConfiguration, HostConfiguration) -> Bool)] {
        [
            ("notifications", { $0.notifications != $1.notifications }), ("login", { $0.login != $1.login }),
            ("inputs", { $0.inputs != $1.inputs }), ("outputs", { $0.outputs != $1.outputs }),
            ("plugin-path", { $0.pluginPath != $1.pluginPath }),
            ("overrides", { $0.overridesFile != $1.overridesFile }),
        ]
    }

    var hasRules: Bool { !old.rules.isEmpty || !new.rules.isEmpty }

    /// Who is disabled under the new configuration: as before, but where the config itself says otherwise now.
    func disabled(_ before: Set<String>) -> Set<String> {
        var disabled = before.intersection(new.plugins.map(\.name))
        for plugin in new.plugins {
            let earlier = old.plugins.first { $0.name == plugin.name }
            guard earlier?.isEnabled != plugin.isEnabled else { continue }
            if plugin.isEnabled { disabled.remove(plugin.name) } else { disabled.insert(plugin.name) }
        }
        return disabled
    }

    /// Plugins whose module and config must be good: those that run from now on, and those that a start begins.
    func toCheck(_ before: Set<String>) -> [PluginDescription] {
        let disabled = disabled(before)
        return new.plugins.filter { $0.isEnabled || !disabled.contains($0.name) }
    }

    /// Plugins of one name whose module or config differs.
    var changedPlugins: [(old: PluginDescription, new: PluginDescription)] {
        new.plugins.filter { plugins.changed.contains($0.name) }.compactMap { new in
            old.plugins.first { $0.name == new.name }.map { ($0, new) }
        }
    }

    /// These need no new instance.
    /// - Parameter same: those whose config means what it meant before.
    mutating func keep(_ changes: [LiveChange], same: [String] = []) {
        live = changes
        let names = Set(changes.map(\.name) + same)
        plugins.changed.removeAll(where: names.contains)
        plugins.adjusted += new.plugins.map(\.name).filter(names.contains)
    }

    /// What cannot change while the host runs.
    var refusals: [Diagnostic] {
        guard old.control != new.control else { return [] }
        return [
            Diagnostic(
                .error, at: nil, "\"control\" cannot change while the host runs",
                help: "restart the host, or put \"control\" back as it was")
        ]
    }

    /// Pipelines to build for the check: those that will run anew, and all where a plugin is to be checked against pads.
    var toBuild: [PipelineDescription] {
        guard plugins.added.isEmpty, plugins.changed.isEmpty else { return new.pipelines }
        let names = Set(pipelines.added + pipelines.changed)
        return new.pipelines.filter { names.contains($0.name) }
    }

    /// One way through a reload, in names: what is stopped and ended in reverse order, and started in order.
    struct Leg: Sendable, Equatable {
        var stopping: [String]
        var ending: [String]
        var starting: [String]
    }

    /// From the old configuration to the new one.
    var forward: Leg {
        Self.leg(from: old, to: new, pipelines.removed, pipelines.added, pipelines, plugins.removed, plugins)
    }

    /// And back.
    var back: Leg {
        Self.leg(from: new, to: old, pipelines.added, pipelines.removed, pipelines, plugins.added, plugins)
    }

    private static func leg(
        from: HostConfiguration, to: HostConfiguration, _ leaving: [String], _ coming: [String],
        _ pipelines: ReloadDifference, _ leavingPlugins: [String], _ plugins: ReloadDifference
    ) -> Leg {
        let stopping = Set(leaving + pipelines.changed)
        let starting = Set(coming + pipelines.changed)
        let ending = Set(leavingPlugins + plugins.changed)
        return Leg(
            stopping: from.pipelines.map(\.name).filter(stopping.contains).reversed(),
            ending: from.plugins.map(\.name).filter(ending.contains).reversed(),
            starting: to.pipelines.map(\.name).filter(starting.contains))
    }
}
