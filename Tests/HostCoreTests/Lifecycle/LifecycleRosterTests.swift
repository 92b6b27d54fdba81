import Testing

@testable import HostCore

@Suite struct LifecycleRosterTests {
    @Test func aResumeIsForThoseWhoWerePaused() {
        var roster = LifecycleRoster<String>()
        roster.add("a")
        let paused = [roster.take(.willPause), roster.take(.didPause)]
        #expect(paused == [["a"], ["a"]])
        roster.add("b")
        let resumed = [roster.take(.willResume), roster.take(.changed), roster.take(.didResume)]
        #expect(resumed == [["a"], ["a", "b"], ["a"]])
        let again = [roster.take(.willPause), roster.take(.didPause)]
        #expect(again == [["a", "b"], ["a", "b"]])
    }

    @Test func whoJoinsIsToldWhatHolds() {
        let cases: [(LifecycleStateMachine.State, DesiredState, LifecycleRoster<String>.Welcome)] = [
            (.running, [], .nothing), (.running, .locked, .tell([.changed])),
            (.asking(.willPause), .paused, .ask(.willPause)), (.pausing, .paused, .tell([.willPause])),
            (.paused, .paused, .tell([.willPause, .didPause])),
            (.adapting(isPaused: true), .paused, .tell([.willPause, .didPause])),
            (.asking(.willResume), [], .nothing), (.resuming, .lowPower, .tell([.changed])),
            (.adapting(isPaused: false), .locked, .tell([.changed])),
        ]
        for (state, told, expected) in cases {
            var roster = LifecycleRoster<String>()
            let welcome = roster.welcome("a", in: state, told: told)
            #expect(welcome == expected, "\(state)")
        }
    }

    @Test func placesAreKeptWhereNoneIsGiven() {
        var roster = LifecycleRoster<String>()
        for name in ["d", "b", "c", "a", "b"] { roster.add(name) }
        roster.sort { ["a": 0, "b": 1][$0] ?? 2 }
        #expect(roster.members == ["a", "b", "d", "c"])
        roster.remove("b")
        #expect(roster.members == ["a", "d", "c"])
    }
}
