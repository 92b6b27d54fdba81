internal import GStreamerKit

/// The rules of the config at work: hears events, asks `RuleMachine`, has `RulePerformer` do what it says, and tells of it.
@HostActor
final class RuleService {
    /// The host owns it, and outlives what it does.
    private unowned let host: Host
    private(set) var machine = RuleMachine()
    private let performer: RulePerformer
    private var unsubscribe: (@HostActor () -> Void)?
    private var timer: (due: ClockTime, timer: HostTimer)?
    private var isOver = false
    /// Firings that have begun and are not over.
    private var underWay = 0
    /// Whether any rule is at work.
    var isBusy: Bool { underWay > 0 }
    /// Whether the end of the host waits for programs.
    var isAwaited: Bool { isOver && (performer.programs.count > 0 || waiter != nil) }
    private var waiter: (@HostActor () -> Void)?
    /// How long a firing whose program has ended may take to say so.
    private static let lastWords = ClockTime.seconds(1)
    /// The message of the last failure of each.
    private var lastFailures: [RuleMachine.ID: String] = [:]

    init(_ host: Host) {
        self.host = host
        performer = RulePerformer(host)
    }

    /// These from now on; what did not change keeps what it has seen, and what a removed one has begun goes on to its end.
    func use(_ rules: [RuleSettings]) {
        machine.use(rules)
        lastFailures = lastFailures.filter { machine[$0.key] != nil }
        unsubscribe?()
        unsubscribe = nil
        let patterns = machine.patterns
        if !patterns.isEmpty, !isOver {
            unsubscribe = host.events.subscribe(to: patterns) { [weak self] in self?.hear($0.event) }
        }
        arm()
    }

    /// Hears nothing more; calls `done` when no program of a rule runs any more, and it was said what became of them.
    func end(_ done: @escaping @HostActor () -> Void) {
        isOver = true
        use([])
        let hasPrograms = performer.programs.count > 0
        performer.programs.endAll { [self] in
            // What else is under way, as a call of a plugin, may never end.
            guard hasPrograms, underWay > 0 else { return done() }
            let timer = host.clock.schedule(after: Self.lastWords) { [self] in endWaiting() }
            waiter = {
                timer.cancel()
                done()
            }
        }
    }

    private func endWaiting() {
        waiter?()
        waiter = nil
    }

    private func hear(_ event: Event) {
        perform(machine.handle(event, at: host.clock.monotonic()))
        arm()
    }

    private func arm() {
        let due = machine.due
        guard due != timer?.due else { return }
        timer?.timer.cancel()
        timer = due.map { due in
            let now = host.clock.monotonic()
            return (due, host.clock.schedule(after: due > now ? due - now : .zero) { [weak self] in self?.wake() })
        }
    }

    private func wake() {
        timer = nil
        perform(machine.advance(to: host.clock.monotonic()))
        arm()
    }

    private func perform(_ actions: [RuleMachine.Action]) {
        guard !isOver else { return }
        for action in actions {
            switch action {
            case .fire(let id, let event): fire(id, event)
            case .report(let id, let why, let count, let event): report(id, why, count, event)
            }
        }
    }

    private func fire(_ id: RuleMachine.ID, _ event: Event) {
        guard let rule = machine[id]?.settings else { return }
        log(rule).debug("fires for \(event.name) of \(event.source)")
        let fired = host.events.post("rule.fired", source: "host", payload(rule.name, event), cause: event)
        let occasion = RulePerformer.Occasion(rule: rule.name, event: event, fired: fired)
        // Not from inside the event: who posted it is still at it. Keeps the host until it is done.
        underWay += 1
        HostActor.task { [self, host] in
            await carryOut(id, rule, occasion)
            underWay -= 1
            // Behind the end of this task.
            if underWay == 0, waiter != nil { HostActor.enqueue { [self] in endWaiting() } }
            withExtendedLifetime(host) {}
        }
    }

    private func carryOut(_ id: RuleMachine.ID, _ rule: RuleSettings, _ occasion: RulePerformer.Occasion) async {
        // What is not begun when the host ends is not begun any more.
        for action in rule.actions where !isOver {
            do throws(RuleFailure) {
                try await performer.perform(action, for: occasion)
            } catch {
                return fail(id, rule, action, error, occasion)
            }
        }
        finish(id, failed: false)
    }

    private func fail(
        _ id: RuleMachine.ID, _ rule: RuleSettings, _ action: RuleAction, _ failure: RuleFailure,
        _ occasion: RulePerformer.Occasion
    ) {
        if failure.isBusy {
            let now = host.clock.monotonic()
            perform(machine.refused(id, occasion.event, at: now))
            return finish(id, failed: false)
        }
        let message = host.secrets.mask(failure.message)
        log(rule).error("\(action.summary): \(message)")
        if machine[id] != nil { lastFailures[id] = "\(action.summary): \(message)" }
        var more: [Value.Member] = [.init("action", .string(action.summary)), .init("message", .string(message))]
        if let code = failure.exitCode { more.append(.init("exit_code", .int(Int64(code)))) }
        if let line = failure.lastLine { more.append(.init("last_line", .string(line))) }
        host.events.post(
            "rule.failed", source: "host",
            host.secrets.mask(payload(rule.name, occasion.event, more)), cause: occasion.fired)
        finish(id, failed: true)
    }

    private func finish(_ id: RuleMachine.ID, failed: Bool) {
        perform(machine.finished(id, failed: failed, at: host.clock.monotonic()))
        arm()
    }

    private func report(_ id: RuleMachine.ID, _ why: RuleDrop, _ count: Int, _ event: Event) {
        guard let rule = machine[id]?.settings else { return }
        let what = "\(event.name) of \(event.source)"
        let times = count > 1 ? "; \(count) since it was said last" : ""
        let again = "; said at most once a minute"
        switch why {
        case .loop:
            log(rule).warning(
                "does not fire for \(what), which followed from \(EventHub.deepest) others: a loop\(times)\(again)")
        case .rate:
            let period = Quantity.durationText(rule.rate.period.nanoseconds)
            log(rule).warning(
                "does not fire for \(what): more than \(rule.rate.count) in \(period)\(times)\(again)")
        case .busy:
            log(rule).warning("does not fire for \(what): too much is under way\(times)\(again)")
        }
        host.events.post(
            "rule.dropped", source: "host",
            payload(
                rule.name, event, [.init("reason", .string(why.rawValue)), .init("count", .int(Int64(count)))]),
            cause: event)
    }

    private func payload(_ rule: String, _ event: Event, _ more: [Value.Member] = []) -> Value {
        .map(
            [
                .init("rule", .string(rule)), .init("event", .string(event.name)),
                .init("event_source", .string(event.source)),
                .init("event_sequence", .int(Int64(clamping: event.sequence))),
            ] + more)
    }

    private func log(_ rule: RuleSettings) -> Log { host.log.from("rule \(rule.name)") }

    /// The `rule.fired` of that number, while a program runs because of it.
    func cause(_ sequence: UInt64) -> Event? { performer.causes[sequence] }

    /// What went wrong with it last.
    func lastFailure(of id: RuleMachine.ID) -> String? { lastFailures[id] }
}
