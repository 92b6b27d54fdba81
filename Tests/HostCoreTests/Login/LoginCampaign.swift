import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

/// Random machines, sessions and logind's: no sleep is held up too long, and what the world is in the end, the host follows.
@Suite struct LoginCampaign {
    private static let delay = LoginInhibitor.delay(sleep: true)

    /// logind and the machine as they are, and what of it the host can know.
    private struct World {
        var isThere = false
        var isPreparing = false
        var isLocked = false
        var hasSession = true
        /// Whether the host hears the session's signals.
        var isFollowed = false
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

        mutating func handle(_ event: LoginStateMachine.Event) { perform(machine.handle(event, at: now)) }

        mutating func perform(_ actions: [LoginStateMachine.Action]) {
            for action in actions {
                switch action {
                case .connect, .note: break
                case .disconnect: cut()
                case .retryLater: isRetryDue = true
                case .askManager:
                    world.outbox.append(.manager(.init(isPreparingForSleep: world.isPreparing, limit: .seconds(5))))
                case .find: find()
                // As logind does: nobody delays what is under way.
                case .take(let inhibitor):
                    world.outbox.append(world.isPreparing ? .refused(inhibitor, "in progress") : .taken(inhibitor))
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
            world.isFollowed = false
            world.told = nil
        }

        private mutating func find() {
            world.outbox.removeAll { event in
                switch event {
                case .found, .notFound, .lock, .unlock, .lockedHint: true
                default: false
                }
            }
            world.isFollowed = world.hasSession
            world.outbox.append(
                world.hasSession ? .found(LoginSession(id: "1", isLocked: world.isLocked)) : .notFound("none"))
        }

        /// One that has crashed knows nothing of what the last one gave.
        mutating func appear() {
            world.isThere = true
            world.known = []
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
            default: break
            }
            handle(event)
        }

        mutating func step(_ random: inout Campaign) {
            switch Int.random(in: 0..<16, using: &random) {
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
                world.isLocked.toggle()
                guard world.isFollowed else { return }
                let kind = Int.random(in: 0..<3, using: &random)
                if kind != 1 { tell(world.isLocked ? .lock : .unlock, &random) }
                if kind != 0 { tell(.lockedHint(world.isLocked), &random) }
            default:
                world.hasSession.toggle()
                if !world.hasSession {
                    world.isLocked = false
                    world.isFollowed = false
                }
                tell(world.hasSession ? .sessionAdded : .sessionRemoved("1"), &random)
            }
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
        }

        /// The machine is awake, and logind behaves from now on.
        mutating func settle() {
            world.isPreparing = false
            if world.isThere { world.outbox.append(.sleep(false)) } else { appear() }
            while !world.outbox.isEmpty { deliver() }
            pass(.seconds(60))
        }
    }

    @Test func theHostFollowsWhatTheWorldIs() {
        var campaign = Campaign(rounds: 600)
        for round in 0..<campaign.rounds {
            var bench = Bench()
            bench.perform(bench.machine.use(LoginSettings(), isThere: true))
            for _ in 0..<Int.random(in: 1..<150, using: &campaign) {
                bench.step(&campaign)
                bench.check()
            }
            bench.settle()
            bench.check()
            let note = "round \(round), \(campaign.note)"
            #expect(bench.machine.sleep == .awake && bench.machine.link == .ready, "\(note)")
            #expect(bench.world.known.contains(Self.delay), "\(note)")
            #expect(!bench.state.contains(.suspended), "\(note)")
            #expect(bench.state.contains(.locked) == bench.world.isLocked, "\(note)")
            #expect(bench.timers.isEmpty, "\(note)")
            #expect(bench.faults.isEmpty, "\(note)")
            bench.perform(bench.machine.stop())
            #expect(bench.world.held.isEmpty, "\(note)")
            if !bench.faults.isEmpty { return }
        }
    }
}
