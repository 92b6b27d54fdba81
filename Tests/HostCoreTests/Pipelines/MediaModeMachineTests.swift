import HostTestKit
import Testing

@testable import HostCore

@Suite struct MediaModeMachineTests {
    private func playing(streams: Int = 1) -> MediaModeMachine {
        var machine = MediaModeMachine()
        _ = machine.handle(.moves)
        _ = machine.handle(.plays(streams: streams))
        return machine
    }

    @Test func goesAndComesBackStepByStep() {
        var machine = playing(streams: 2)
        #expect(machine.handle(.wants(.audio)) == [.hide(1)])
        #expect(machine.handle(.idle(1, round: 1)) == [])
        #expect(machine.handle(.idle(0, round: 1)) == [.end])
        #expect(machine.mode == .audio && !machine.isSettled)
        #expect(machine.handle(.ended) == [.settled])
        #expect(machine.handle(.due(1, round: 1)) == [.endDecoder(1)])
        #expect(machine.handle(.wants(.video)) == [.show])
        #expect(machine.handle(.up) == [.feed, .settled] && machine.mode == .video)
    }

    /// On its way up, too: what was over never ended.
    @Test func whatHangsKeepsNoEnd() {
        var machine = playing()
        for event in [MediaModeMachine.Event.wants(.audio), .idle(0, round: 1), .ended] { _ = machine.handle(event) }
        #expect(machine.handle(.hangs) == [] && !machine.hangs)
        #expect(machine.handle(.wants(.video)) == [.show])
        #expect(machine.handle(.hangs) == [] && machine.hangs)
        #expect(machine.handle(.end(0)) == [.postEndOfStream])
        #expect(machine.handle(.up) == [.feed, .settled] && !machine.hangs)
    }

    @Test func aChangeOfMindIsFollowedWhenTheStepIsOver() {
        var machine = playing()
        _ = machine.handle(.wants(.audio))
        _ = machine.handle(.idle(0, round: 1))
        #expect(machine.handle(.wants(.video)) == [])
        #expect(machine.handle(.ended) == [.show])
        #expect(machine.handle(.wants(.audio)) == [])
        #expect(machine.handle(.up) == [.feed, .hide(2)])
    }

    /// Nothing was ended yet. What comes to rest later does so for nobody.
    @Test func aChangeOfMindWaitsForNoStreamToRest() {
        var machine = playing()
        #expect(machine.handle(.wants(.audio)) == [.hide(1)])
        #expect(machine.handle(.wants(.video)) == [.feed, .settled])
        #expect(machine.handle(.wants(.audio)) == [.hide(2)])
        #expect(machine.handle(.idle(0, round: 1)) == [] && machine.handle(.due(0, round: 1)) == [])
        #expect(machine.isHiding)
        #expect(machine.handle(.idle(0, round: 2)) == [.end])
        #expect(machine.handle(.ended) == [.settled])
    }

    @Test func whatPlaysLaterIsHiddenAtOnce() {
        var machine = MediaModeMachine()
        #expect(machine.handle(.wants(.audio)) == [.settled] && machine.mode == .video)
        #expect(machine.handle(.moves) == [.settled])
        #expect(machine.handle(.plays(streams: 1)) == [.hide(1)])
        #expect(machine.handle(.goes) == [.settled])
        _ = machine.handle(.moves)
        #expect(machine.handle(.plays(streams: 1)) == [.hide(2)])
    }

    /// A worker looks for what can be hidden, and may find it only when the pipeline stands still again: what was to be hidden
    /// then was on its way to a sink for as long as that lasted.
    @Test func whatIsFoundInAPauseIsHiddenAfterIt() {
        var machine = MediaModeMachine()
        for event in [MediaModeMachine.Event.wants(.audio), .moves, .stands] { _ = machine.handle(event) }
        #expect(machine.handle(.plays(streams: 1)) == [.settled])
        #expect(machine.handle(.moves) == [.hide(1)])
    }

    /// Who asks is not kept waiting, and nothing is half hidden while it stands still.
    @Test func whatStandsStillIsHiddenWhenItMoves() {
        var machine = playing()
        #expect(machine.handle(.stands) == [.settled])
        #expect(machine.handle(.wants(.audio)) == [.settled] && machine.mode == .video)
        #expect(machine.handle(.moves) == [.hide(1)])
        #expect(machine.handle(.stands) == [.feed, .settled])
        #expect(machine.handle(.idle(0, round: 1)) == [])
        #expect(machine.handle(.moves) == [.hide(2)])
    }

    /// A pipeline forgets on its way through PAUSED who was over, and what is hidden does not say so again: it never ended.
    @Test func whatIsOverSaysSoWheneverItPlaysOnceMore() {
        var machine = playing(streams: 2)
        _ = machine.handle(.wants(.audio))
        for number in 0..<2 { _ = machine.handle(.idle(number, round: 1)) }
        #expect(machine.handle(.ended) == [.settled])
        _ = machine.handle(.end(0))
        _ = machine.handle(.stands)
        #expect(machine.handle(.moves) == [.settled])
        #expect(machine.handle(.end(1)) == [.postEndOfStream])
        _ = machine.handle(.stands)
        #expect(machine.handle(.moves) == [.settled, .postEndOfStream])
        #expect(machine.handle(.moves) == [.settled, .postEndOfStream])
        // Also where it only plays to its end.
        #expect(machine.handle(.drains) == [.postEndOfStream])
        _ = machine.handle(.goesOn(0))
        #expect(machine.handle(.moves) == [.settled] && machine.handle(.drains).isEmpty)
    }

    /// What is mixed may wait for what rests already.
    @Test func whoRestsGoesOnUntilAllRest() {
        var machine = playing(streams: 3)
        #expect(machine.handle(.give(0)) == [] && machine.resting.isEmpty)
        _ = machine.handle(.wants(.audio))
        #expect(machine.handle(.give(0)) == [] && machine.resting.isEmpty)
        _ = machine.handle(.idle(2, round: 1))
        _ = machine.handle(.idle(0, round: 1))
        #expect(machine.resting == [0, 2])
        #expect(machine.handle(.give(2)) == [.giveOne(2, round: 1)])
        // It is under way again, and is not asked twice; nor is what is not there.
        #expect(machine.resting == [0])
        #expect(machine.handle(.give(2)) == [] && machine.handle(.give(3)) == [])
        #expect(machine.handle(.idle(1, round: 1)) == [])
        #expect(machine.isHiding)
        #expect(machine.handle(.idle(2, round: 1)) == [.end])
        #expect(!machine.isHiding && machine.resting.isEmpty && machine.handle(.give(0)) == [])
    }

    @Test func decodersAreEndedAfterWhatTheyFeed() {
        var machine = playing()
        _ = machine.handle(.wants(.audio))
        #expect(machine.handle(.due(0, round: 1)) == [])
        _ = machine.handle(.idle(0, round: 1))
        #expect(machine.handle(.ended) == [.endDecoder(0), .settled])
    }

    @Test func theEndIsToldWhenAllHiddenStreamsHaveReachedIt() {
        var machine = playing(streams: 2)
        _ = machine.handle(.wants(.audio))
        _ = machine.handle(.end(0))
        for stream in 0..<2 { _ = machine.handle(.idle(stream, round: 1)) }
        #expect(machine.handle(.ended) == [.settled])
        #expect(machine.handle(.end(1)) == [.postEndOfStream])
        // A seek of the one that ends last, and of both.
        _ = machine.handle(.goesOn(1))
        #expect(machine.handle(.end(1)) == [.postEndOfStream])
        for stream in 0..<2 { #expect(machine.handle(.goesOn(stream)) == []) }
        #expect(machine.handle(.end(1)) == [])
        #expect(machine.handle(.end(0)) == [.postEndOfStream])
    }

    /// Beside what performs its actions: nothing is asked of elements in the wrong order, and it always arrives.
    @Test func neverAsksOutOfOrder() {
        var campaign = Campaign(rounds: 20_000)
        for _ in 0..<campaign.rounds {
            var machine = MediaModeMachine()
            var performer = Performer(streams: Int.random(in: 1...3, using: &campaign))
            for _ in 0..<Int.random(in: 1...30, using: &campaign) {
                let event = performer.anyEvent(&campaign)
                performer.perform(machine.handle(event))
            }
            if performer.plays { performer.perform(machine.handle(.moves)) }
            while let event = performer.nextAnswer { performer.perform(machine.handle(event)) }
            #expect(machine.isSettled && performer.faults.isEmpty, "\(campaign.note): \(performer.faults)")
            #expect(!performer.plays || performer.isShown == (machine.wanted == .video), "\(campaign.note)")
        }
    }
}

/// Elements as the machine's actions reach them.
private struct Performer {
    let streams: Int
    var plays = false
    var isShown = true
    /// Where it may hang.
    var isOnItsWayUp = false
    var endedDecoders: Set<Int> = []
    var held: Set<Int> = []
    /// Held, and not at rest.
    var moving: Set<Int> = []
    var over: Set<Int> = []
    /// Of the last time that it was hidden.
    var round = 0
    var faults: [String] = []
    /// What is under way and will answer, in order.
    private var answers: [MediaModeMachine.Event] = []

    init(streams: Int) { self.streams = streams }

    var nextAnswer: MediaModeMachine.Event? {
        mutating get {
            guard !answers.isEmpty else { return nil }
            let answer = answers.removeFirst()
            if case .idle(let stream, self.round) = answer { moving.remove(stream) }
            return answer
        }
    }

    mutating func anyEvent(_ campaign: inout Campaign) -> MediaModeMachine.Event {
        switch Int.random(in: 0..<12, using: &campaign) {
        case 11: return .hangs
        case 10: return .give(Int.random(in: 0...streams, using: &campaign))
        case 8: return .stands
        case 9: return .moves
        case 0, 1: return .wants(.audio)
        case 2, 3: return .wants(.video)
        case 4 where !plays:
            (plays, isShown, isOnItsWayUp, held, endedDecoders) = (true, true, false, [], [])
            return .plays(streams: streams)
        case 5 where plays && Bool.random(using: &campaign):
            (plays, answers) = (false, [])
            return .goes
        case 6 where plays && !held.isEmpty:
            let stream = held.randomElement(using: &campaign) ?? 0
            if Bool.random(using: &campaign) {
                return .due(stream, round: round - Int.random(in: 0...1, using: &campaign))
            }
            guard over.remove(stream) == nil else { return .goesOn(stream) }
            over.insert(stream)
            return .end(stream)
        default: return nextAnswer ?? .wants(.video)
        }
    }

    mutating func perform(_ actions: [MediaModeMachine.Action]) {
        for action in actions {
            switch action {
            case .hide(let number):
                round = number
                if !plays || !isShown || !held.isEmpty { faults.append("hide") }
                (held, moving, over) = (Set(0..<streams), Set(0..<streams), [])
                answers += (0..<streams).map { .idle($0, round: number) }
            case .giveOne(let stream, let number):
                if number != round || !isShown || !held.contains(stream) || moving.contains(stream) {
                    faults.append("give one")
                }
                moving.insert(stream)
                answers.append(.idle(stream, round: round))
            case .end:
                if !isShown || held.count != streams || !moving.isEmpty { faults.append("end") }
                isShown = false
                answers.append(.ended)
            case .endDecoder(let stream):
                if isShown || !held.contains(stream) { faults.append("end decoder \(stream)") }
                endedDecoders.insert(stream)
            case .show:
                if isShown || !plays { faults.append("show") }
                (isShown, isOnItsWayUp, endedDecoders) = (true, true, [])
                answers.append(.up)
            case .feed:
                if !isShown || held.isEmpty { faults.append("feed") }
                // What was under way still says so when it rests.
                (held, moving, isOnItsWayUp) = ([], [], false)
            case .postEndOfStream:
                if isShown && !isOnItsWayUp || over.count != streams { faults.append("end of stream") }
            case .settled: break
            }
        }
    }
}
