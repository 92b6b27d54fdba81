internal import GStreamerKit

/// Everything that is checked before a reload touches anything. The slow part runs on a worker.
struct ReloadCheck: Sendable {
    /// Nil where the file has errors.
    var plan: ReloadPlan?
    var problems: [Diagnostic]

    /// What can be said of the file without the plugins, and the pads that a plugin's config may name.
    private struct Reading: Sendable {
        var plan: ReloadPlan?
        var names = KnownNames(pipelines: [], instances: [])
        var memory: AvailableMemory?
        var problems: [Diagnostic]
    }

    /// A network file system or an element's plugin can take long, but not for ever.
    static let limit = ClockTime.seconds(30)

    /// - Parameter disabled: plugins that are disabled now.
    /// - Thread: main; waits for the worker.
    @HostActor
    static func run(
        _ source: ConfigurationSource, against running: HostConfiguration, _ plugins: PluginSet,
        disabled: Set<String>, gate: PluginGate, workers: WorkerPool, clock: any HostClock
    ) async -> ReloadCheck {
        let mapped = plugins.mapped
        let reading = await workers.result(within: limit, clock: clock) {
            read(source, against: running, gate, mapped, disabled)
        }
        guard let reading else {
            let message =
                "reading and building what \(source.path) says took longer than \(Quantity.durationText(limit.nanoseconds))"
            return ReloadCheck(plan: nil, problems: [Diagnostic(.error, at: nil, message)])
        }
        guard var plan = reading.plan else { return ReloadCheck(plan: nil, problems: reading.problems) }
        var problems =
            reading.problems
            + plugins.check(plan.toCheck(disabled), names: reading.names)
            + memoryRefusal(plan, plugins, disabled, reading.memory)
        // Plugins see only what is good as far as the host can tell.
        if !problems.contains(where: { $0.severity == .error }) {
            let live = plugins.liveChanges(plan.changedPlugins, names: reading.names)
            plan.keep(live.changes, same: live.same)
            problems += live.problems
            // Of instances that are new it is looked at when they are there.
            let staying = plugins.instances.filter { plan.plugins.stays($0.name) }
            problems += RuleCheck.commands(
                plan.new.rules, of: staying.map { ($0.name, $0.commands) }, names: reading.names)
        }
        problems = plan.new.secrets.mask(problems)
        let isGood = !problems.contains { $0.severity == .error }
        return ReloadCheck(plan: isGood ? plan : nil, problems: problems)
    }

    /// What new plugins reserve must fit beside what stays; what goes makes room.
    @HostActor
    private static func memoryRefusal(
        _ plan: ReloadPlan, _ plugins: PluginSet, _ disabled: Set<String>, _ memory: AvailableMemory?
    ) -> [Diagnostic] {
        guard var memory else { return [] }
        // One that does not begin takes nothing, and one that does not run has nothing to give.
        let coming = Set(plan.plugins.added + plan.plugins.changed).subtracting(plan.disabled(disabled))
        let going = Set(plan.plugins.removed + plan.plugins.changed).intersection(plugins.instances.map(\.name))
        let freed = plugins.reservations(
            of: plan.old.plugins.filter { going.contains($0.name) }, names: plan.old.knownNames)
        for reservation in freed { memory.bytes += min(max(0, reservation.bytes), Int64.max - memory.bytes) }
        let wanted = plugins.reservations(
            of: plan.new.plugins.filter { coming.contains($0.name) }, names: plan.new.knownNames)
        return MemoryAdmission.check(wanted, available: memory).map { [$0] } ?? []
    }

    /// - Thread: worker.
    private static func read(
        _ source: ConfigurationSource, against running: HostConfiguration, _ gate: PluginGate,
        _ mapped: Set<String>, _ disabled: Set<String>
    ) -> Reading {
        let loaded: ConfigurationCheck.Result
        do throws(PluginFailure) {
            loaded = try ConfigurationCheck.load(source.path, environment: source.environment)
        } catch {
            return Reading(plan: nil, problems: [Diagnostic(.error, at: nil, error.message, help: error.help)])
        }
        guard let configuration = loaded.configuration.map(source.allowed) else {
            return Reading(plan: nil, problems: loaded.diagnostics)
        }
        let plan = ReloadPlan(from: running, to: configuration)
        let built = ConfigurationCheck.build(plan.toBuild)
        for plugin in plan.toCheck(disabled) {
            guard let found = gate.find(plugin), !mapped.contains(found) else { continue }
            gate.admit([plugin])
            if let path = try? gate.library(of: plugin) { PluginLibrary.preload(path) }
        }
        var names = configuration.knownNames
        names.pads = built.pads
        return Reading(
            plan: plan, names: names, memory: AvailableMemory.read(),
            problems: loaded.diagnostics + built.diagnostics + plan.refusals)
    }
}
