import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

/// Random plugins, users and services: nothing is told twice, nothing stays on the screen that nobody wants there.
@Suite struct NotificationCampaign {
    /// A service, what it shows, and what it has not answered yet.
    private struct Desk {
        var screen: Set<UInt32> = []
        var last: UInt32 = 0
        var question: (token: UInt64, replaces: UInt32)?
        var isAsked = false
        var isConnecting = false
        var hasDeadline = false
    }

    private struct Bench {
        var machine = NotificationStateMachine()
        var desk = Desk()
        var now = ClockTime.seconds(1)
        /// Those that were taken and have not ended.
        var open: Set<UInt64> = []
        var faults: [String] = []

        mutating func perform(_ actions: [NotificationStateMachine.Action]) {
            for action in actions {
                switch action {
                case .connect: desk.isConnecting = true
                case .disconnect: desk = Desk(hasDeadline: desk.hasDeadline)
                case .askAbilities: desk.isAsked = true
                case .send(let token, let message):
                    if desk.question != nil { faults.append("two questions at once") }
                    desk.question = (token, message.replaces)
                    if message.replaces != 0, !desk.screen.contains(message.replaces) {
                        faults.append("replaces \(message.replaces), which is not there")
                    }
                case .close(let number): desk.screen.remove(number)
                case .tell(let token, .closed):
                    if open.remove(token) == nil { faults.append("\(token) ended twice") }
                case .tell(let token, .chosen): if !open.contains(token) { faults.append("\(token) is over") }
                case .beginDeadline:
                    if desk.hasDeadline { faults.append("two deadlines") }
                    desk.hasDeadline = true
                case .endDeadline: desk.hasDeadline = false
                case .retryLater, .startService, .note: break
                }
            }
        }

        mutating func handle(_ event: NotificationStateMachine.Event) { perform(machine.handle(event, at: now)) }

        mutating func appear() {
            desk = Desk(last: desk.last, hasDeadline: desk.hasDeadline)
            handle(.appeared)
        }

        mutating func answer() {
            if desk.isAsked {
                desk.isAsked = false
                handle(.abilities(["actions"]))
            } else if let (token, replaces) = desk.question {
                desk.question = nil
                if replaces == 0 { desk.last += 1 }
                let number = replaces == 0 ? desk.last : replaces
                desk.screen.insert(number)
                handle(.sent(token, .shown(number)))
            }
        }

        mutating func step(_ random: inout Campaign) {
            switch Int.random(in: 0..<16, using: &random) {
            case 0...3:
                var request = NotificationRequest("a")
                if Bool.random(using: &random) { request.key = "k\(Int.random(in: 0..<3, using: &random))" }
                request.expiry = [.byDefault, .never, .after(.seconds(5))][Int.random(in: 0..<3, using: &random)]
                request.endsWithInstance = Bool.random(using: &random)
                let (answer, actions) = machine.show(
                    request, for: "p\(Int.random(in: 0..<2, using: &random))", called: "P", at: now)
                if let token = answer.token { open.insert(token) }
                perform(actions)
            case 4:
                guard let token = open.randomElement(using: &random) else { return }
                open.remove(token)
                perform(machine.withdraw(token).actions)
            case 5...7: answer()
            case 8:
                guard let token = desk.question?.token else { return }
                desk.question = nil
                if Bool.random(using: &random) { return handle(.sent(token, .refused("no"))) }
                desk = Desk(last: desk.last, hasDeadline: desk.hasDeadline)
                handle(.sent(token, .lost))
                handle(.vanished)
            case 9:
                guard let number = desk.screen.randomElement(using: &random) else { return }
                desk.screen.remove(number)
                handle(.closed(number, code: UInt32.random(in: 0..<6, using: &random)))
            case 10: now = now + .seconds(Int64.random(in: 1..<4, using: &random))
            case 11: perform(machine.expire(at: now))
            case 12:
                guard desk.hasDeadline else { return }
                desk.hasDeadline = false
                handle(.deadline)
            case 13: appear()
            case 14:
                desk = Desk(last: desk.last, hasDeadline: desk.hasDeadline)
                handle(Bool.random(using: &random) ? .vanished : .unreachable("x"))
            default: handle(.retry)
            }
        }

        /// Everybody behaves from now on.
        mutating func settle() {
            perform(machine.prepare())
            appear()
            for _ in 0..<400 where desk.isAsked || desk.question != nil { answer() }
        }
    }

    @Test func nothingIsLostAndNothingIsLeft() {
        var campaign = Campaign(rounds: 400)
        for round in 0..<campaign.rounds {
            var bench = Bench()
            for _ in 0..<Int.random(in: 1..<120, using: &campaign) { bench.step(&campaign) }
            bench.settle()
            #expect(bench.machine.queue.isEmpty, "round \(round), \(campaign.note)")
            // What the plugins have open is what the machine knows of, and all of that is on the screen.
            #expect(bench.open == Set(bench.machine.entries.keys), "round \(round), \(campaign.note)")
            #expect(bench.desk.screen.count == bench.open.count, "round \(round), \(campaign.note)")
            for token in bench.open { bench.perform(bench.machine.withdraw(token).actions) }
            #expect(bench.desk.screen.isEmpty, "round \(round), \(campaign.note)")
            #expect(!bench.desk.hasDeadline && bench.machine.entries.isEmpty, "round \(round), \(campaign.note)")
            #expect(bench.faults.isEmpty, "round \(round), \(campaign.note)")
            if !bench.faults.isEmpty { return }
        }
    }
}
