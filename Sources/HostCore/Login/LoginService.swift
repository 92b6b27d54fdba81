internal import GStreamerKit

/// systemd-logind as a trigger of the lifecycle: performs what its machine decides. Nothing here waits.
@HostActor
final class LoginService {
    /// From a failed connection to the next attempt, doubled each time.
    static let firstPause = ClockTime.seconds(5)
    static let longestPause = ClockTime.seconds(300)

    /// What logind can make the host do.
    struct Reach {
        var lifecycle: LifecycleController
        var events: EventHub
        var shutDown: @HostActor () -> Void
        /// Who keeps the host from being quiet.
        var busy: @HostActor () -> String
    }

    private(set) var machine: LoginStateMachine
    private var bus: any LoginBus
    private let reach: Reach
    private let clock: any HostClock
    private let log: Log
    private var timers: [LoginStateMachine.Timer: HostTimer] = [:]
    private var retry: HostTimer?
    private var pause = LoginService.firstPause
    private var isRunning = false

    init(
        _ settings: LoginSettings, bus: any LoginBus, ownSession: String?, reach: Reach, clock: any HostClock, log: Log
    ) {
        machine = LoginStateMachine(settings, ownSession: ownSession)
        self.bus = bus
        self.reach = reach
        self.clock = clock
        self.log = log
    }

    // MARK: - What the host wants

    func start() {
        isRunning = true
        connect(machine.settings)
    }

    /// From now on these are the settings, and this the bus.
    func use(_ settings: LoginSettings, _ bus: any LoginBus) {
        guard isRunning else { return }
        self.bus.disconnect()
        self.bus.onEvent = nil
        // What still holds is replaced when the new one has it.
        bus.files = self.bus.files
        self.bus.files = [:]
        self.bus = bus
        retry?.cancel()
        pause = Self.firstPause
        connect(settings)
    }

    private func connect(_ settings: LoginSettings) {
        bus.onEvent = { [weak self] in self?.handle($0) }
        perform(machine.use(settings))
    }

    func hostEnds() { machine.hostEnds() }

    /// Lets everything go.
    func stop() {
        guard isRunning else { return }
        isRunning = false
        bus.onEvent = nil
        retry?.cancel()
        perform(machine.stop())
    }

    // MARK: - Performing

    private func handle(_ event: LoginStateMachine.Event) {
        guard isRunning else { return }
        switch event {
        case .appeared, .vanished: pause = Self.firstPause
        default: break
        }
        perform(machine.handle(event, at: clock.monotonic()))
    }

    private func perform(_ actions: [LoginStateMachine.Action]) {
        for action in actions { perform(action) }
    }

    private func perform(_ action: LoginStateMachine.Action) {
        switch action {
        case .connect:
            retry?.cancel()
            bus.connect()
        case .disconnect: bus.disconnect()
        case .retryLater:
            retry?.cancel()
            retry = clock.schedule(after: pause) { [weak self] in self?.handle(.retry) }
            pause = min(pause + pause, Self.longestPause)
        case .askManager: bus.askManager()
        case .find(let question): bus.find(question)
        case .take(let inhibitor): bus.take(inhibitor)
        case .release(let inhibitor): bus.release(inhibitor)
        case .add(let state): reach.lifecycle.change(adding: state)
        case .remove(let state): reach.lifecycle.change(removing: state)
        case .awaitQuiet(let round): reach.lifecycle.whenSettled { [weak self] in self?.handle(.quiet(round)) }
        case .shutDown: reach.shutDown()
        case .begin(let timer, let time):
            timers[timer]?.cancel()
            timers[timer] = clock.schedule(after: time) { [weak self] in self?.handle(.due(timer)) }
        case .end(let timer): timers.removeValue(forKey: timer)?.cancel()
        case .note(let note): write(note)
        }
    }

    private func write(_ note: LoginNote) {
        switch note {
        case .unreachable(let why):
            let longest = Quantity.durationText(Self.longestPause.nanoseconds)
            let text =
                "sleep, shutdown and locks of the machine are not followed: \(why): looking again, at last every \(longest); "
                + "`login: { bus: off }` does without"
            // As in a container.
            if bus.absence == nil { log.warning(text) } else { log.notice(text) }
        case .away: log.notice("the machine's sleep and locks are not followed: systemd-logind is not on the bus")
        case .silent:
            let time = Quantity.durationText(LoginStateMachine.patience.nanoseconds)
            log.warning("systemd-logind did not answer within \(time)")
        case .works: log.notice("systemd-logind is there: the machine's sleep and locks are followed")
        case .session(let id): log.notice("session \(id) is the one whose lock is followed")
        case .noSession(let why):
            var fix = ""
            if case .id(let id) = machine.settings.session {
                fix = ": `login: { session: \(id) }` asks for this one alone, `session: auto` for the active one, too"
            }
            log.notice("there is no session whose lock could be followed: \(why)\(fix)")
        case .locked(let isLocked): log.notice(isLocked ? "the session is locked" : "the session is unlocked")
        case .lockForgotten(let id):
            log.warning(
                "systemd-logind, asked anew, no longer says that session \(id) is locked: it counts as locked until "
                    + "it is unlocked, or by `mediahost unlock`")
        case .refused(let inhibitor, let why):
            let pause = Quantity.durationText(LoginStateMachine.refusalPause.nanoseconds)
            log.warning(
                "systemd-logind refused the inhibitor for \(inhibitor.what) (\(inhibitor.mode)): \(why) (polkit's action: "
                    + "\(inhibitor.action)); asked for again every \(pause); `login: { \(inhibitor.way) }` does without"
            )
        case .sleepComes:
            log.notice("the machine is about to sleep")
            post("login.sleep-comes")
        case .quiet(let time, let isHeld):
            log.notice(
                "quiet \(milliseconds(time)) after the word of sleep" + (isHeld ? "; the machine may sleep" : ""))
            post("login.sleep-released", ["after_ns": .int(time.nanoseconds), "given_up": false])
        case .gaveUp(let time):
            log.warning(
                "not quiet after \(milliseconds(time)): the machine's sleep is not held up longer; still busy: \(reach.busy())"
            )
            post("login.sleep-released", ["after_ns": .int(time.nanoseconds), "given_up": true])
        case .awake:
            log.notice("the machine is awake")
            post("login.awake")
        case .surelyAwake:
            let time = Quantity.durationText(LoginStateMachine.aloneLimit.nanoseconds)
            log.warning("systemd-logind has said nothing for \(time): the machine is taken to be awake")
            post("login.awake")
        case .shutdownComes: log.notice("the machine is about to shut down: ending")
        case .shutdownCancelled: log.notice("the machine's shutdown was called off; the host ends all the same")
        }
    }

    private func milliseconds(_ time: ClockTime) -> String { "\(time.nanoseconds / 1_000_000) ms" }

    private func post(_ name: String, _ payload: Value = .map([])) { reach.events.post(name, source: "host", payload) }
}
