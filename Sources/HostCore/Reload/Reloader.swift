internal import GStreamerKit

/// Performs reloads, one at a time: checks the file, then does what the plan and its transaction say.
///
/// Requests that come while one is under way share the next, which reads the file after the last of them: a storm of
/// signals is two reloads, and nobody's change is missed.
@HostActor
public final class Reloader {
    public typealias Waiter = @HostActor @Sendable (ReloadReport) -> Void

    /// The host owns it, and outlives what it does.
    private unowned let host: Host
    private var waiting: [Waiter] = []
    private var isRunning = false
    private var application: ReloadApplication?

    init(_ host: Host) { self.host = host }

    /// How often the file was read again, and what came of it the last time: what runs may not be what the file says.
    var status: Value {
        [
            "file": host.source.map { .string($0.path) } ?? .null, "reloads": .int(Int64(count)),
            "last_reload": last.map { .string($0.name) } ?? .null,
        ]
    }

    private var count = 0
    private var last: ReloadReport.Result?

    /// Whether a reload is under way, or waits: nothing is saved meanwhile that it may have read already.
    var isBusy: Bool { isRunning }

    /// Whether pipelines and plugins are being exchanged just now.
    var isApplying: Bool { application != nil }

    /// What is to hold when the one that is under way is over, as far as it has come.
    var target: HostConfiguration? { application?.target }

    /// Reloads as soon as no other reload is under way; `done` gets the report, which is logged and told as an event, too.
    public func request(_ done: @escaping Waiter = { _ in }) {
        waiting.append(done)
        guard !isRunning else { return }
        isRunning = true
        // Keeps the host until the last reload is over.
        HostActor.task { [self, host] in
            while !waiting.isEmpty {
                let served = waiting
                waiting = []
                let report = await perform(host)
                for waiter in served { waiter(report) }
            }
            isRunning = false
        }
    }

    /// The same, for who can wait.
    public func reload() async -> ReloadReport {
        await withCheckedContinuation { continuation in request { continuation.resume(returning: $0) } }
    }

    /// A pipeline has told something.
    func follow(_ pipeline: PipelineController) { application?.follow(pipeline) }

    /// A plugin has ended by itself.
    func pluginFailed(_ name: String, _ error: PluginFailure) { application?.pluginFailed(name, error) }

    /// The host shuts down: what is under way is left as it is.
    func abandon() { application?.abandon() }

    private func perform(_ host: Host) async -> ReloadReport {
        let begin = host.clock.monotonic()
        host.events.post("config.reloading", source: "host", .map([]))
        var report = await attempt(host)
        report.took = host.clock.monotonic() - begin
        count += 1
        last = report.result
        tell(report, host)
        return report
    }

    private func attempt(_ host: Host) async -> ReloadReport {
        func report(
            _ result: ReloadReport.Result, _ problems: [Diagnostic] = [], _ plan: ReloadPlan? = nil
        ) -> ReloadReport { ReloadReport(result, problems, plan: plan, took: .zero) }

        guard let source = host.source else {
            let error = Diagnostic(.error, at: nil, "this host was not started from a file: there is nothing to reload")
            return report(.refused, [error])
        }
        guard !host.isEnding else { return report(.abandoned) }
        // What is being saved now is read, too.
        await host.overrides.settle()
        let check = await ReloadCheck.run(
            source, against: host.configuration, host.plugins, disabled: host.disabledPlugins, gate: host.gate,
            workers: host.workers, clock: host.clock)
        guard let plan = check.plan else { return report(.refused, check.problems) }
        guard !host.isEnding else { return report(.abandoned) }
        // What is replaced may still speak: the old secrets stay hidden beside the new ones.
        host.hide(plan.new.secrets)
        let failedBefore = host.plugins.failures
        let (outcome, transaction) = await apply(plan, host)
        // What ended meanwhile is judged by what holds from now on.
        if outcome == .committed { host.configuration = plan.new }
        for pipeline in host.pipelines.controllers { host.decideEnding(pipeline) }
        host.followPluginPolicies(failedBefore: failedBefore)
        switch outcome {
        case .committed:
            host.forgetFiles()
            if plan.old.notifications != plan.new.notifications { host.notifications.use(host.notificationBus()) }
            if plan.old.login != plan.new.login { host.login.use(host.loginSettings, host.loginBus()) }
            host.inputs.use(plan.new.inputs)
            host.rules.use(plan.new.rules)
            host.outputs.use(host.outputSettings, isNeeded: host.needsOutput)
            return report(.applied, check.problems + host.onReloaded(), plan)
        case .rolledBack:
            let problems = check.problems + host.secrets.mask(transaction.problems)
            return report(transaction.isRestored ? .rolledBack : .broken, problems, plan)
        case .abandoned: return report(.abandoned, [], plan)
        }
    }

    private func apply(
        _ plan: ReloadPlan, _ host: Host
    ) async -> (ReloadTransaction.Outcome, ReloadTransaction) {
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<(ReloadTransaction.Outcome, ReloadTransaction), Never>) in
            let application = ReloadApplication(plan, of: host) { continuation.resume(returning: ($0, $1)) }
            self.application = application
            application.begin()
        }
        application = nil
        return result
    }

    private func tell(_ report: ReloadReport, _ host: Host) {
        for problem in report.problems {
            let text = DiagnosticRenderer().render(problem)
            host.log.write(problem.severity == .error ? .error : .warning, String(text.dropLast()))
        }
        host.log.write(report.isApplied ? .notice : .error, report.summary)
        host.events.post(report.isApplied ? "config.reloaded" : "config.reload-failed", source: "host", report.value)
    }
}
