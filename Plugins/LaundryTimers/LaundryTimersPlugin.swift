import Locking
package import PluginKit

/// Timers that survive everything and fire exactly once, for pets that want their laundry done.
///
/// Decisions are in `Pet`, `Timekeeping` and `Courier`; the store and its thread in `TimerEngine`. This class is what happens on
/// main: the host's timers for the first that is due, events and notifications of those that are over, and commands.
package final class LaundryTimersPlugin: MediaPlugin, LiveConfigurable {
    package static let descriptor = PluginDescriptor(
        id: "org.mediahost.laundry-timers", name: "Laundry timers", vendor: "mediahost", version: "0.1.0",
        license: "MIT", summary: "Timers that survive restarts, reboots and clock changes, and are told exactly once.",
        requires: [.clock, .commands, .events, .stateDirectory, .timer, .worker],
        optional: [.lifecycle, .metrics, .notify])

    /// Used on main alone; the lock is for the compiler.
    struct State: Sendable {
        var settings: TimerSettings
        var engine: TimerEngine?
        var courier: Courier
        var pace = UpdatePace()
        var alarms: [DueQueue.Line: Alarm] = [:]
        var waking = Waking.off
        /// By row of the pet.
        var notifications: [Int64: Shown] = [:]
        var crowd: Crowd?
        var tick: TimerHandle?
        var update: TimerHandle?
        var updateInterval: Duration?
        var flush: TimerHandle?
        var noting: TimerHandle?
        var retry: TimerHandle?
        var clockWatch: TimerHandle?
        /// Armed while no further `changed` is told.
        var hush: TimerHandle?
        var mustTellChange = false
    }

    struct Shown: Sendable {
        var open: TimerStore.OpenTimer
        var handle: NotificationHandle
    }

    /// The notification of many, with those that nobody is done with.
    struct Crowd: Sendable {
        var open: [TimerStore.OpenTimer]
        var handle: NotificationHandle
    }

    struct Alarm: Sendable {
        var at: Int64
        var handle: TimerHandle
    }

    let host: Host
    let metrics: TimerMetrics
    let state: Locked<State>
    private let environment: TimerEnvironment

    package convenience init(host: Host, settings: TimerSettings) throws(PluginError) {
        try self.init(host: host, settings: settings, environment: .machine)
    }

    /// - Parameter environment: tests bring their own.
    package init(host: Host, settings: TimerSettings, environment: TimerEnvironment) throws(PluginError) {
        try settings.check()
        self.host = host
        self.environment = environment
        metrics = TimerMetrics(host)
        state = Locked(
            State(settings: settings, courier: Courier(staleAfter: settings.staleAfter.wholeNanoseconds)))
    }

    // MARK: Life

    package func activate() throws(PluginError) {
        let settings = state.withLock { $0.settings }
        let engine = TimerEngine(host, environment, settings.policy)
        state.withLock { $0.engine = engine }
        try armTick(settings)
        try findWaking(settings)
        define(settings, engine)
        engine.send(.summary, isKept: true) { [metrics] answer in
            guard case .success(.summary(let summary)) = answer else { return }
            metrics.redelivered?.add(Double(summary.redeliveries))
            metrics.due?.set(Double(summary.due))
        }
    }

    package func deactivate() {
        note()
        let (engine, unsent) = state.withLock { state in
            defer {
                state = State(settings: state.settings, courier: Courier(staleAfter: state.settings.policy.staleAfter))
            }
            return (state.engine, state.courier.unsent)
        }
        engine?.close(unsent: unsent)
    }

    package func validate(_ settings: TimerSettings) throws(PluginError) { try settings.check() }

    package func apply(_ settings: TimerSettings) throws(PluginError) {
        let engine = state.withLock { state in
            state.settings = settings
            state.courier.staleAfter = settings.policy.staleAfter
            return state.engine
        }
        guard let engine else { return }
        try armTick(settings)
        try findWaking(settings)
        engine.send(.policy(settings.policy), isKept: true)
        define(settings, engine)
    }

    private func define(_ settings: TimerSettings, _ engine: TimerEngine) {
        let complain: TimerEngine.Reply = { [host] answer in
            // What becomes of the store is said once, by whoever has it.
            guard case .failure(let refusal) = answer, refusal.code != .busy, refusal.code != .failed else { return }
            host.log(.warning, refusal.message)
        }
        for pet in settings.pets { engine.send(.definePet(pet.definition), isKept: true, complain) }
        for schedule in settings.schedules { engine.send(.schedule(schedule), isKept: true, complain) }
        look()
    }

    package func lifecycle(_ change: LifecycleChange, state: LifecycleState, acknowledgement: Acknowledgement) {
        self.state.withLock { $0.pace.state = state }
        if isHostEnding { engine?.dueSoon.close() }
        pace()
        // What became due in sleep is over at once.
        if change == .willResume || change == .didResume { engine?.send(.look) }
    }

    package var subscriptions: [String] { ["clock.*"] }

    /// Somebody set the wall clock: what waits for it is looked at anew, and the store learns what it shows.
    package func handle(_ event: PluginEvent) { engine?.send(.look) }

    /// Nobody hears then what is told: it waits in the store for the next host.
    var isHostEnding: Bool { state.withLock { $0.pace.state.contains(.shuttingDown) } }

    var engine: TimerEngine? { state.withLock { $0.engine } }

    // MARK: Waking up

    /// Told by the engine that something has changed.
    package func onMain() {
        guard let engine else { return }
        guard !isHostEnding else { return }
        let news = engine.takeOutbox()
        if news.mustDefine { define(state.withLock { $0.settings }, engine) }
        retry(after: news.retryAfter)
        // What is due already would come at once, and again, while the store cannot take it.
        let heads = news.retryAfter == nil ? news.heads : [:]
        arm(.realtime, at: heads[.realtime])
        arm(.boottime, at: [heads[.boottime], engine.dueSoon.next].compactMap { $0 }.min())
        metrics.active?.set(Double(news.active))
        state.withLock { $0.pace.active = news.active }
        pace()
        watchClock(news.waiting > 0)
        var deliveries = news.deliveries
        if !news.settled.isEmpty {
            let settled = SettledTimers(news.settled)
            close(settled)
            for index in deliveries.indices where settled.covers(deliveries[index]) {
                deliveries[index].isSilent = true
            }
        }
        deliver(deliveries)
        if news.hasCompleted || !news.settled.isEmpty { count() }
        if news.hasChanged { tellChange() }
    }

    /// At once, and then four times a second at most, however many change.
    private func tellChange() {
        guard state.withLock({ $0.hush }) == nil else { return state.withLock { $0.mustTellChange = true } }
        let running = state.withLock { $0.pace.active }
        try? host.post("changed", ["running": .int(Int64(running))])
        let handle = try? host.schedule(after: .milliseconds(250)) { [weak self] _ in
            guard let self else { return }
            let mustTell = self.state.withLock { state in
                state.hush = nil
                defer { state.mustTellChange = false }
                return state.mustTellChange
            }
            if mustTell { self.tellChange() }
        }
        state.withLock { $0.hush = handle }
    }

    private func armTick(_ settings: TimerSettings) throws(PluginError) {
        guard settings.hasTick else {
            state.withLock { $0.tick = nil }
            return
        }
        guard state.withLock({ $0.tick }) == nil else { return }
        let handle = try host.schedule(
            after: .nanoseconds(Health.period), on: .boottime, every: .nanoseconds(Health.period), slack: .seconds(5)
        ) { [weak self] _ in self?.tick() }
        state.withLock { $0.tick = handle }
    }

    /// All pets change by this one; nothing is computed for any of them until somebody asks.
    private func tick() {
        engine?.send(.look)
        guard let now = host.realtime else { return }
        try? host.post("tick", ["tick": .int(Health.tick(now.nanoseconds))])
    }

    // MARK: For whoever looks

    func watch(_ duration: Duration) {
        guard let now = host.monotonic else { return }
        state.withLock { $0.pace.watchedUntil = (now + duration).nanoseconds }
        pace()
    }

    private func pace() {
        guard let now = host.monotonic?.nanoseconds else { return }
        let (before, interval) = state.withLock { state in
            (state.updateInterval, state.engine == nil ? nil : state.pace.interval(at: now))
        }
        guard before != interval else { return }
        let handle = interval.flatMap { interval in
            try? host.schedule(after: interval, every: interval) { [weak self] _ in self?.update() }
        }
        state.withLock { state in
            state.update = handle
            state.updateInterval = interval
        }
    }

    private func update() {
        pace()
        guard state.withLock({ $0.updateInterval }) != nil else { return }
        engine?.send(.list(after: 0, limit: 100)) { [host] answer in
            if case .success(.list(let list)) = answer { try? host.post("update", list) }
        }
    }

    private func count() {
        engine?.send(.countDue) { [metrics] answer in
            if case .success(.count(let due)) = answer { metrics.due?.set(Double(due)) }
        }
    }
}
