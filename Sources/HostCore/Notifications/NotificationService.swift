internal import GStreamerKit

/// The notifications of all instances, and the way to the service that shows them. Nothing here waits.
///
/// What instances hear they hear in a later turn of the main loop, never inside of their own call.
@HostActor
final class NotificationService {
    typealias Listener = @HostActor (_ token: UInt64, NotificationReport) -> Void

    private struct Listening {
        var instance: String
        var run: Listener
    }

    /// How long the bus and the service may take for an answer.
    static let patience = ClockTime.seconds(10)
    /// From a failed connection to the next attempt, doubled each time.
    static let firstPause = ClockTime.seconds(5)
    static let longestPause = ClockTime.seconds(300)
    /// How long the host's end waits for what is still to be sent.
    static let lastWait = ClockTime.seconds(1)

    private var machine = NotificationStateMachine()
    private var bus: any NotificationBus
    private let clock: any HostClock
    private let timers: TimerService
    private let log: Log
    private var listeners: [UInt64: Listening] = [:]
    private var deadline: HostTimer?
    private var retry: HostTimer?
    private var pause = NotificationService.firstPause
    private var expiry: (due: ClockTime, timer: UInt64?)?
    private var hasToldAbsence = false

    init(bus: any NotificationBus, clock: any HostClock, timers: TimerService, log: Log) {
        self.bus = bus
        self.clock = clock
        self.timers = timers
        self.log = log
        listen()
    }

    // MARK: - What plugins want

    func show(
        _ request: NotificationRequest, for instance: String, called application: String, _ listener: @escaping Listener
    ) -> NotificationAnswer {
        if machine.isUnused, let absence = bus.absence {
            if !hasToldAbsence { log.notice("notifications of plugins are not shown: \(absence); said once") }
            hasToldAbsence = true
            return .unavailable
        }
        let (answer, actions) = machine.show(request, for: instance, called: application, at: clock.boottime())
        if let token = answer.token { listeners[token] = Listening(instance: instance, run: listener) }
        perform(actions)
        return answer
    }

    /// Its listener hears nothing more.
    func withdraw(_ token: UInt64) {
        listeners[token] = nil
        perform(machine.withdraw(token).actions)
    }

    /// The instance is ending: its listeners hear nothing more.
    func end(_ instance: String) {
        listeners = listeners.filter { $0.value.instance != instance }
        perform(machine.instanceEnded(instance))
    }

    // MARK: - What the host wants

    /// Looks for the service, because an instance will want it.
    func prepare() {
        if bus.absence == nil { perform(machine.prepare()) }
    }

    /// From now on this bus is the one. What was shown on the old one stays there.
    func use(_ bus: any NotificationBus) {
        self.bus.disconnect()
        self.bus.onEvent = nil
        self.bus = bus
        hasToldAbsence = false
        listen()
        perform(machine.busChanged(isThere: bus.absence == nil))
    }

    /// Calls `done` when what was withdrawn has left the process, or after a second.
    func finish(_ done: @escaping @HostActor @Sendable () -> Void) {
        let once = Once(done)
        let limit = clock.schedule(after: Self.lastWait) { once.run() }
        bus.flush {
            limit.cancel()
            once.run()
        }
    }

    /// Runs what it was given, the first time only.
    @HostActor
    private final class Once {
        private var action: (@HostActor @Sendable () -> Void)?

        init(_ action: @escaping @HostActor @Sendable () -> Void) { self.action = action }

        func run() {
            let action = action
            self.action = nil
            action?()
        }
    }

    // MARK: - Performing

    private func listen() {
        bus.onEvent = { [weak self] in self?.handle($0) }
    }

    private func handle(_ event: NotificationStateMachine.Event) {
        switch event {
        case .appeared, .vanished: pause = Self.firstPause
        default: break
        }
        perform(machine.handle(event, at: clock.boottime()))
    }

    private func perform(_ actions: [NotificationStateMachine.Action]) {
        for action in actions { perform(action) }
        setExpiry()
    }

    private func perform(_ action: NotificationStateMachine.Action) {
        switch action {
        case .connect:
            retry?.cancel()
            bus.connect()
        case .disconnect: bus.disconnect()
        case .retryLater:
            retry = clock.schedule(after: pause) { [weak self] in self?.handle(.retry) }
            pause = min(pause + pause, Self.longestPause)
        case .startService: bus.startService()
        case .askAbilities: bus.askAbilities()
        case .send(let token, let message): bus.send(token, message)
        case .close(let number): bus.close(number)
        case .tell(let token, let report): tell(token, report)
        case .beginDeadline:
            deadline?.cancel()
            deadline = clock.schedule(after: Self.patience) { [weak self] in self?.handle(.deadline) }
        case .endDeadline: deadline?.cancel()
        case .note(let note): write(note)
        }
    }

    private func tell(_ token: UInt64, _ report: NotificationReport) {
        guard let listener = listeners[token] else { return }
        if case .closed = report { listeners[token] = nil }
        HostActor.enqueue { listener.run(token, report) }
    }

    /// In suspend, too: who comes back to the board after hours is not told what was to be read within seconds.
    private func setExpiry() {
        let due = machine.nextExpiry
        guard due != expiry?.due else { return }
        if let timer = expiry?.timer { timers.cancel(timer) }
        expiry = due.map { due in
            (due, timers.arm(.init(due: due), on: .boottime) { [weak self] _ in self?.expire() })
        }
    }

    private func expire() {
        expiry = nil
        perform(machine.expire(at: clock.boottime()))
    }

    private func write(_ note: NotificationNote) {
        switch note {
        case .unreachable(let why): log.warning("notifications wait: cannot reach the bus: \(why)")
        case .noService(let why): log.notice("notifications wait: nobody on the bus shows them: \(why)")
        case .silent:
            let time = Quantity.durationText(Self.patience.nanoseconds)
            log.warning("notifications wait: the notification service did not answer within \(time)")
        case .refused(let why): log.warning("the notification service refused a notification: \(why)")
        case .works(let waiting):
            log.notice("the notification service answers; notifications that waited: \(waiting)")
        }
    }
}
