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
        /// Files that the host has open, and requests it waits for.
        var held: Set<LoginInhibitor> = []
        var requests: [LoginInhibitor] = []
        var isManagerAsked = false
        var question: LoginSession.Question?
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
                case .disconnect: forget()
                case .retryLater: isRetryDue = true
                case .askManager: world.isManagerAsked = true
                case .find(let question): world.question = question
                case .take(let inhibitor): world.requests.append(inhibitor)
                case .release(let inhibitor):
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

        /// Nothing that was under way is answered.
        mutating func forget() {
            world.requests = []
            world.isManagerAsked = false
            world.question = nil
        }

        mutating func appear() {
            world.isThere = true
            forget()
            handle(.appeared)
        }

        mutating func leave(_ event: LoginStateMachine.Event) {
            world.isThere = false
            world.told = nil
            forget()
            handle(event)
        }

        /// logind answers one thing.
        mutating func answer() {
            guard world.isThere else { return }
            if world.isManagerAsked {
                world.isManagerAsked = false
                if world.isPreparing, world.told == nil { world.told = now }
                handle(.manager(.init(isPreparingForSleep: world.isPreparing, limit: .seconds(5))))
            } else if !world.requests.isEmpty {
                let inhibitor = world.requests.removeFirst()
                // As logind does: nobody delays what is under way.
                if world.isPreparing { return handle(.refused(inhibitor, "in progress")) }
                world.held.insert(inhibitor)
                handle(.taken(inhibitor))
            } else if world.question != nil {
                world.question = nil
                handle(
                    world.hasSession ? .found(LoginSession(id: "1", isLocked: world.isLocked)) : .notFound("none"))
            }
        }

        mutating func step(_ random: inout Campaign) {
            switch Int.random(in: 0..<15, using: &random) {
            case 0...4: answer()
            case 5, 6:
                world.isPreparing.toggle()
                guard world.isThere else { return }
                world.told = world.isPreparing ? now : nil
                handle(.sleep(world.isPreparing))
                if Bool.random(using: &random) { handle(.sleep(world.isPreparing)) }
            case 7:
                guard let round = awaited else { return }
                awaited = nil
                handle(.quiet(round))
            case 8, 9: pass(.milliseconds(Int64.random(in: 1..<3000, using: &random)))
            case 10: appear()
            case 11: leave(Bool.random(using: &random) ? .vanished : .unreachable("x"))
            case 12:
                guard isRetryDue else { return }
                isRetryDue = false
                handle(.retry)
            case 13: lock(&random)
            default:
                guard world.isThere else { return }
                world.hasSession.toggle()
                if !world.hasSession { world.isLocked = false }
                handle(world.hasSession ? .sessionAdded : .sessionRemoved("1"))
            }
        }

        private mutating func lock(_ random: inout Campaign) {
            // Whether the screen is locked is known of a session only, and told by who is asked for it.
            guard world.hasSession else { return }
            world.isLocked.toggle()
            guard world.isThere, machine.session != nil, world.question == nil else { return }
            switch Int.random(in: 0..<3, using: &random) {
            case 0: handle(world.isLocked ? .lock : .unlock)
            case 1: handle(.lockedHint(world.isLocked))
            default:
                handle(world.isLocked ? .lock : .unlock)
                handle(.lockedHint(world.isLocked))
            }
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
            let mayBeAsleep = machine.sleep != .awake
            if state.contains(.suspended) != mayBeAsleep { faults.append("suspended and \(machine.sleep)") }
        }

        /// The machine is awake, and logind behaves from now on.
        mutating func settle() {
            world.isPreparing = false
            world.told = nil
            if world.isThere { handle(.sleep(false)) } else { appear() }
            for _ in 0..<20 { answer() }
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
            #expect(bench.world.held.contains(Self.delay), "\(note)")
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
