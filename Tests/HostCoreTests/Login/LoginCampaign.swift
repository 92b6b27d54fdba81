import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

/// Random machines, sessions and logind's: no sleep is held up too long, and what the world is in the end, the host follows.
@Suite struct LoginCampaign {
    private static let delay = LoginInhibitor.sleep

    /// logind and the machine as they are, and what of it the host can know.
    private struct World {
        var isThere = false
        var isPreparing = false
        /// polkit lets nobody hold anything up.
        var isDenied = false
        var isLocked = false
        /// What logind says of that. It does not outlive logind.
        var hint = false
        var hasSession = true
        /// Each session has another one.
        var session = 1
        /// The greeter has the seat.
        var isAway = false
        /// Whether the host hears the session's signals, and whether it does so only until the next search.
        var isFollowed = false
        var isCandidate = false
        /// What of the lock the host has heard last, where it still holds.
        var heardOfLock: Bool?
        /// What logind has sent, in order.
        var outbox: [LoginStateMachine.Event] = []
        /// Files that the host has open, and those of them that this logind knows of.
        var held: Set<LoginInhibitor> = []
        var known: Set<LoginInhibitor> = []
        /// When the sleep that is under way was told to the host.
        var told: ClockTime?
    }

    private struct Bench {
        var machine = LoginStateMachine(LoginSettings(), ownSession: nil)
        var world = World()
        var now = ClockTime.seconds(1)
        var state: DesiredState = []
        var awaited: UInt64?
        var timers: [LoginStateMachine.Timer: ClockTime] = [:]
        var isRetryDue = false
        var faults: [String] = []
        /// How its desktop tells of locks: by signals, by the hint, or both.
        let signals: Bool
        let hints: Bool

        init(_ random: inout Campaign) {
            let kind = Int.random(in: 0..<3, using: &random)
            (signals, hints) = (kind != 1, kind != 0)
        }

        mutating func handle(_ event: LoginStateMachine.Event) { perform(machine.handle(event, at: now)) }

        mutating func perform(_ actions: [LoginStateMachine.Action]) {
            for action in actions {
                switch action {
                case .connect, .note: break
                case .disconnect: cut()
                case .retryLater: isRetryDue = true
                case .askManager:
                    world.outbox.append(.manager(.init(isPreparingForSleep: world.isPreparing, limit: .seconds(5))))
                case .find(let question): find(question)
                // As logind does: nobody delays what is under way.
                case .take(let inhibitor):
                    let isRefused = world.isDenied || (inhibitor == .sleep && world.isPreparing)
                    world.outbox.append(isRefused ? .refused(inhibitor, "no") : .taken(inhibitor))
                case .release(let inhibitor):
                    world.known.remove(inhibitor)
                    if world.held.remove(inhibitor) == nil { faults.append("\(inhibitor) was not held") }
                case .add(let added): state.formUnion(added)
                case .remove(let removed): state.subtract(removed)
                case .awaitQuiet(let round): awaited = round
                case .shutDown: faults.append("nobody asked for the end")
                case .begin(let timer, let span): timers[timer] = now + span
                case .end(let timer): timers[timer] = nil
                }
            }
        }

        /// Nothing that was under way arrives.
        mutating func cut() {
            world.outbox = []
            (world.isFollowed, world.isCandidate) = (false, false)
            world.told = nil
        }

        /// The session that was followed is heard until there is another one.
        private mutating func find(_ question: LoginSession.Question) {
            world.outbox.removeAll { event in
                switch event {
                case .found, .notFound: true
                case .lock, .unlock, .lockedHint: !world.isFollowed
                default: false
                }
            }
            world.isCandidate = false
            let isThere =
                switch question {
                case .ofProcess: false
                case .active: world.hasSession && !world.isAway
                case .id(let id): world.hasSession && id == "\(world.session)"
                }
            guard isThere else { return world.outbox.append(.notFound("none")) }
            world.isCandidate = true
            world.outbox.append(.found(LoginSession(id: "\(world.session)", isLocked: world.hint)))
        }

        /// One that has crashed knows nothing of what the last one gave.
        mutating func appear() {
            world.isThere = true
            world.known = []
            world.hint = false
            cut()
            handle(.appeared)
        }

        mutating func leave(_ event: LoginStateMachine.Event) {
            world.isThere = false
            world.known = []
            cut()
            handle(event)
        }

        /// One word of logind's arrives.
        mutating func deliver() {
            guard world.isThere, !world.outbox.isEmpty else { return }
            let event = world.outbox.removeFirst()
            switch event {
            case .taken(let inhibitor):
                world.held.insert(inhibitor)
                world.known.insert(inhibitor)
            case .sleep(let isPreparing): world.told = isPreparing ? world.told ?? now : nil
            case .manager(let manager): world.told = manager.isPreparingForSleep == true ? world.told ?? now : nil
            case .lock, .unlock, .lockedHint: hear(world.isFollowed)
            case .found(let session) where world.hasSession && session.id == "\(world.session)":
                world.isFollowed = true
                if session.isLocked { hear(true) }
            default: break
            }
            handle(event)
        }

        /// A word of the lock arrives: the host knows it where it is the last.
        private mutating func hear(_ counts: Bool) {
            let isLast = !world.outbox.contains { event in
                switch event {
                case .lock, .unlock, .lockedHint, .sessionRemoved: true
                default: false
                }
            }
            world.heardOfLock = counts && isLast ? world.isLocked : nil
        }

        mutating func step(_ random: inout Campaign) {
            switch Int.random(in: 0..<18, using: &random) {
            case 0...5: deliver()
            case 6, 7:
                world.isPreparing.toggle()
                tell(.sleep(world.isPreparing), &random)
            case 8:
                guard let round = awaited else { return }
                awaited = nil
                handle(.quiet(round))
            case 9, 10: pass(.milliseconds(Int64.random(in: 1..<3000, using: &random)))
            case 11: appear()
            case 12: leave(Bool.random(using: &random) ? .vanished : .unreachable("x"))
            case 13:
                guard isRetryDue else { return }
                isRetryDue = false
                handle(.retry)
            case 14:
                // Whether the screen is locked is known of a session only.
                guard world.hasSession else { return }
                lock(!world.isLocked)
            case 15:
                world.isAway.toggle()
                tell(.activeChanged, &random)
            case 16: world.isDenied.toggle()
            default:
                world.hasSession.toggle()
                if !world.hasSession {
                    (world.isLocked, world.hint, world.heardOfLock) = (false, false, nil)
                    (world.isFollowed, world.isCandidate) = (false, false)
                } else {
                    world.session += 1
                }
                tell(world.hasSession ? .sessionAdded : .sessionRemoved("\(world.session)"), &random)
                tell(.activeChanged, &random)
            }
        }

        private mutating func lock(_ isLocked: Bool) {
            (world.isLocked, world.heardOfLock) = (isLocked, nil)
            let isNews = hints && world.isThere && world.hint != isLocked
            if isNews { world.hint = isLocked }
            guard world.isFollowed || world.isCandidate, world.isThere else { return }
            if signals { world.outbox.append(isLocked ? .lock : .unlock) }
            if isNews { world.outbox.append(.lockedHint(isLocked)) }
        }

        /// Says it to the host, sometimes twice, where that listens.
        private mutating func tell(_ event: LoginStateMachine.Event, _ random: inout Campaign) {
            guard world.isThere else { return }
            world.outbox.append(event)
            if Int.random(in: 0..<4, using: &random) == 0 { world.outbox.append(event) }
        }

        /// Time goes on, and timers are due at their moment.
        mutating func pass(_ span: ClockTime) {
            let end = now + span
            while let next = timers.filter({ $0.value <= end }).min(by: { $0.value < $1.value }) {
                timers[next.key] = nil
                now = max(now, next.value)
                handle(.due(next.key))
                check()
            }
            now = end
        }

        /// What holds at every moment.
        mutating func check() {
            if world.held != machine.held { faults.append("holds \(world.held), believes \(machine.held)") }
            if let told = world.told, world.held.contains(LoginCampaign.delay), now - told > .seconds(4) {
                faults.append("a sleep is held up for \(now - told)")
            }
            if machine.sleep == .asleep, world.held.contains(LoginCampaign.delay) {
                faults.append("sleep is held up by who sleeps")
            }
            let mayBeAsleep = machine.sleep != .awake
            if state.contains(.suspended) != mayBeAsleep { faults.append("suspended and \(machine.sleep)") }
            if let heard = world.heardOfLock, state.contains(.locked) != heard {
                faults.append("told that locked is \(heard), believes \(machine.isLocked)")
            }
        }

        /// The machine is awake, and logind behaves from now on; what polkit refuses it refuses for a while yet.
        mutating func settle() {
            world.isPreparing = false
            if world.isThere { world.outbox.append(.sleep(false)) } else { appear() }
            while !world.outbox.isEmpty { deliver() }
            pass(.seconds(60))
            world.isDenied = false
            pass(.seconds(300))
            while !world.outbox.isEmpty { deliver() }
        }

        /// The screen is locked, and unlocked, before the host's eyes.
        mutating func lockAndUnlock() {
            (world.hasSession, world.isAway) = (true, false)
            world.outbox.append(.activeChanged)
            for isLocked in [true, false, true, false] {
                while !world.outbox.isEmpty { deliver() }
                check()
                lock(isLocked)
            }
            while !world.outbox.isEmpty { deliver() }
        }
    }

    @Test func theHostFollowsWhatTheWorldIs() {
        var campaign = Campaign(rounds: 600)
        for round in 0..<campaign.rounds {
            var bench = Bench(&campaign)
            bench.perform(bench.machine.use(LoginSettings()))
            for _ in 0..<Int.random(in: 1..<150, using: &campaign) {
                bench.step(&campaign)
                bench.check()
            }
            bench.settle()
            bench.check()
            let note = "round \(round), \(campaign.note)"
            #expect(bench.machine.sleep == .awake && bench.machine.link == .ready, "\(note)")
            #expect(bench.world.known == [.shutdown, .sleep], "\(note)")
            #expect(!bench.state.contains(.suspended), "\(note)")
            bench.lockAndUnlock()
            bench.check()
            #expect(bench.world.heardOfLock == false && !bench.state.contains(.locked), "\(note)")
            // One that ended while logind was away is forgotten the next time, but where it was locked.
            #expect(bench.machine.locks.count { !$0.value.isLocked } <= 2, "\(note)")
            #expect(bench.timers.isEmpty, "\(note)")
            #expect(bench.faults.isEmpty, "\(note)")
            bench.perform(bench.machine.stop())
            #expect(bench.world.held.isEmpty, "\(note)")
            if !bench.faults.isEmpty { return }
        }
    }
}
