package import GStreamerKit

/// What the host makes of systemd-logind: the decisions, without a bus, a clock or a host.
///
/// ```
///   off ──▶ connecting ──▶ away ◀──▶ asking ──▶ ready        the link; unreachable ends each but off, and is tried again
///
///          PrepareForSleep(true)            quiet, or the limit is reached
///   awake ──────────────────────▶ falling ───────────────────────────────▶ asleep
///     ▲                              │ (false): held still                   │ (false), or logind's property says so
///     └──────────────────────────────┴─── waking ◀── the inhibitor is asked ─┘
///                                          for anew; taken, refused or late: awake
/// ```
/// Everything is a level: a signal that comes twice changes nothing, and what was missed while logind was away is read from its
/// properties when it is back.
package struct LoginStateMachine: Sendable {
    enum Link: String, Sendable {
        case off, connecting, unreachable, away, asking, ready
    }

    enum Sleep: Sendable, Equatable {
        case awake
        /// The sleep waits for the host, since then.
        case falling(since: ClockTime)
        /// Nothing of the host's keeps the machine from sleeping.
        case asleep
        /// `suspended` is taken back when the next sleep will wait again.
        case waking
    }

    /// Each runs once at a time; beginning it anew replaces it.
    package enum Timer: Sendable, Hashable {
        /// Until the bus and logind must have answered.
        case patience
        /// Until the sleep is not held up any longer.
        case release
        /// Until the machine's wake is followed whether or not an inhibitor came.
        case wake
        /// Until a host without logind takes the machine to be awake.
        case alone
        /// Until what was refused is asked for again.
        case refused
    }

    /// What the caller is to do, in this order.
    package enum Action: Sendable, Equatable {
        case connect
        case disconnect
        /// Call `.retry` after a while; a little longer each time.
        case retryLater
        case askManager
        case find(LoginSession.Question)
        case take(LoginInhibitor)
        case release(LoginInhibitor)
        /// Of the host's desired state.
        case add(DesiredState)
        case remove(DesiredState)
        /// Call `.quiet` with this number when the host has reached its desired state.
        case awaitQuiet(UInt64)
        case shutDown
        /// Call `.due` then, unless it ends before.
        case begin(Timer, ClockTime)
        case end(Timer)
        case note(LoginNote)
    }

    package struct Sleeps: Sendable, Equatable {
        /// Since the start of the host.
        package var count = 0
        /// How often the machine slept before everybody was quiet.
        package var givenUp = 0
        /// From PrepareForSleep to the release, the last time.
        package var last: ClockTime?
    }

    /// What is known of a session's lock.
    struct Lock: Sendable, Equatable {
        var isLocked: Bool
        var hint: Bool?
    }

    /// How long the bus and logind may take for an answer.
    static let patience = ClockTime.seconds(10)
    /// The longest that a sleep is held up, whatever logind would allow.
    static let longestDelay = ClockTime.seconds(4)
    /// What logind allows where it does not say.
    static let usualLimit = ClockTime.seconds(5)
    /// How long a wake waits for the next inhibitor.
    static let wakeLimit = ClockTime.seconds(1)
    /// A sleep that was announced begins within logind's own limit; after as much time awake as this, there was none, or it is over.
    static let aloneLimit = ClockTime.seconds(30)
    /// polkit may be there by then, or have another rule.
    static let refusalPause = ClockTime.seconds(300)

    var settings: LoginSettings
    /// What `session: auto` looks for first.
    let ownSession: String?
    var link = Link.off
    var sleep = Sleep.awake
    /// Raised with each sleep: who was quiet for an earlier one says nothing of this one.
    var round: UInt64 = 0
    var sleeps = Sleeps()
    /// What logind allows.
    var limit = LoginStateMachine.usualLimit
    var held: Set<LoginInhibitor> = []
    var asked: Set<LoginInhibitor> = []
    /// Those of them that were held when logind came anew: it may know nothing of them.
    var old: Set<LoginInhibitor> = []
    var refusals: Set<LoginInhibitor> = []
    var session: LoginSession?
    /// What was asked last.
    var question: LoginSession.Question?
    /// What led to the session.
    var way: LoginSession.Question?
    var questions: [LoginSession.Question] = []
    var isSearching = false
    /// It is asked only whether the session that was followed is there still.
    var isChecking = false
    /// That was done since logind came.
    var hasChecked = false
    var isLocked = false
    var lockedHint: Bool?
    /// Of the sessions that were followed and have not ended.
    var locks: [String: Lock] = [:]
    /// logind came anew, and has not told of the session since: hints of locks do not outlive it.
    var isHintOld = false
    var isEnding = false
    /// logind is gone, and the machine was about to sleep.
    var isAlone = false
    var hasComplained = false
    var hasToldNoSession = false

    /// - Parameter ownSession: the session that the host was started in, by its environment.
    package init(_ settings: LoginSettings, ownSession: String?) {
        self.settings = settings
        self.ownSession = ownSession
    }

    /// Those that are to be held while the machine is awake.
    var wanted: [LoginInhibitor] {
        [.shutdown] + (settings.sleep == .delay ? [.sleep] : []) + (settings.powerKey == .take ? [.powerKey] : [])
    }

    /// How long a sleep is held up at most: logind must not be the first to lose patience.
    var delay: ClockTime {
        min(Self.longestDelay, ClockTime(nanoseconds: limit.nanoseconds / 5 * 4))
    }

    /// Whether logind is there to be asked.
    var isLinked: Bool { link == .asking || link == .ready }

    // MARK: - What the host wants

    package mutating func use(_ settings: LoginSettings) -> [Action] {
        let isFollowed = settings.bus != .off
        if settings.session != self.settings.session { session = nil }
        self.settings = settings
        isHintOld = true
        var actions: [Action] = [.disconnect, .end(.patience), .end(.wake), .end(.refused)]
        forgetLink()
        refusals = []
        hasComplained = false
        hasToldNoSession = false
        actions += letGo { [wanted] in !wanted.contains($0) }
        // Whether the machine is about to sleep is read again; until then what held before holds on.
        if sleep != .awake, sleep == .waking || !isFollowed || settings.sleep == .ignore {
            actions += wakeUp() + [.note(.awake)]
        }
        guard isFollowed else {
            link = .off
            session = nil
            lockedHint = nil
            locks = [:]
            return actions + follow(locked: false) + letGo { _ in true }
        }
        link = .connecting
        return actions + [.connect, .begin(.patience, Self.patience)]
    }

    /// The end of the host has begun, whoever wanted it: nothing is changed any more, and what is held is held until `stop`.
    package mutating func hostEnds() { isEnding = true }

    /// The host has ended.
    package mutating func stop() -> [Action] {
        link = .off
        let timers: [Timer] = [.patience, .release, .wake, .alone, .refused]
        return [.disconnect] + timers.map { .end($0) } + letGo { _ in true }
    }

    // MARK: - Parts

    /// What was asked of a logind that is gone is not answered any more.
    mutating func forgetLink() {
        asked = []
        (isSearching, isChecking, hasChecked) = (false, false, false)
        questions = []
    }

    mutating func letGo(_ isMeant: (LoginInhibitor) -> Bool) -> [Action] {
        let gone = held.filter(isMeant).sorted { $0.what < $1.what }
        held.subtract(gone)
        return gone.map { .release($0) }
    }

    mutating func take(_ inhibitors: [LoginInhibitor]) -> [Action] {
        asked.formUnion(inhibitors)
        return inhibitors.map { .take($0) }
    }

    /// The machine is awake, and so is the host from now on.
    mutating func wakeUp() -> [Action] {
        guard sleep != .awake else { return [] }
        sleep = .awake
        isAlone = false
        let ends: [Action] = [.end(.release), .end(.wake), .end(.alone)]
        return isEnding ? ends : ends + [.remove(.suspended)]
    }

    mutating func follow(locked: Bool) -> [Action] {
        guard locked != isLocked else { return [] }
        isLocked = locked
        if isEnding { return [] }
        return [.note(.locked(locked)), locked ? .add(.locked) : .remove(.locked)]
    }

    mutating func complain(_ note: LoginNote) -> [Action] {
        defer { hasComplained = true }
        return hasComplained ? [] : [.note(note)]
    }
}
