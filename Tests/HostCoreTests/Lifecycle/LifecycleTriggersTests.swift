import Testing

@testable import HostCore

@Suite struct LifecycleTriggersTests {
    /// What the host is to be after these.
    private static func state(_ triggers: LifecycleTrigger...) -> DesiredState {
        var all = LifecycleTriggers()
        for trigger in triggers { _ = all.handle(trigger) }
        return all.state
    }

    private static let call = LifecycleTrigger.interruptionBegan(source: "call")
    private static let bell = LifecycleTrigger.interruptionBegan(source: "bell")

    private static func over(_ source: String, _ shouldResume: Bool) -> LifecycleTrigger {
        .interruptionEnded(source: source, shouldResume: shouldResume)
    }

    @Test func anInterruptionEndsWithTheWordToGoOnOrWaitsForTheUser() {
        #expect(Self.state(Self.call) == .interrupted)
        #expect(Self.state(Self.call, Self.over("call", true)) == [])
        #expect(Self.state(Self.call, Self.over("call", false)) == .waiting)
        #expect(Self.state(Self.call, Self.over("call", false), .resume) == [])
    }

    @Test func theLastOfThoseThatOverlapEndsIt() {
        #expect(Self.state(Self.call, Self.bell, Self.over("call", true)) == .interrupted)
        #expect(Self.state(Self.call, Self.bell, Self.over("call", true), Self.over("bell", true)) == [])
        #expect(Self.state(Self.call, Self.bell, Self.over("bell", true), Self.over("call", true)) == [])
        // One of them did not say to go on.
        #expect(Self.state(Self.call, Self.bell, Self.over("call", false)) == [.interrupted, .waiting])
        #expect(Self.state(Self.call, Self.bell, Self.over("call", false), Self.over("bell", true)) == .waiting)
    }

    @Test func doubledAndLonelyOnesChangeNothing() {
        #expect(Self.state(Self.call, Self.call, Self.over("call", true)) == [])
        #expect(Self.state(Self.over("call", false)) == [])
        #expect(Self.state(Self.call, Self.over("call", true), Self.over("call", false)) == [])
        #expect(Self.state(.resume, .resume, .locked(false), .lowPower(false), .suspended(false)) == [])
    }

    /// What is interrupted while it waits for its user goes on waiting.
    @Test func anInterruptionDoesNotAnswerForTheUser() {
        #expect(
            Self.state(Self.call, Self.over("call", false), Self.bell, Self.over("bell", true)) == .waiting)
    }

    @Test func theUsersWordDuringAnInterruptionCountsAfterIt() {
        #expect(Self.state(Self.call, .pause) == [.interrupted, .paused])
        #expect(Self.state(Self.call, .pause, Self.over("call", true)) == .paused)
        #expect(Self.state(.pause, Self.call, .resume) == .interrupted)
        #expect(Self.state(.pause, Self.call, .resume, Self.over("call", true)) == [])
        // Who resumed has said what the end of the interruption would ask for.
        #expect(Self.state(Self.call, .resume, Self.over("call", false)) == [])
        // The later word counts, and one that comes after the resume was not spoken of.
        #expect(Self.state(Self.call, .resume, .pause, Self.over("call", false)) == [.paused, .waiting])
        #expect(Self.state(Self.call, .resume, Self.bell, Self.over("call", false)) == .interrupted)
        #expect(
            Self.state(Self.call, .resume, Self.bell, Self.over("call", false), Self.over("bell", false)) == .waiting)
    }

    @Test func aResumeWakesNoMachineAndUnlocksNothing() {
        #expect(Self.state(.suspended(true), .locked(true), .resume) == [.suspended, .locked])
    }

    @Test func theEndIsNotTakenBack() {
        #expect(Self.state(.shuttingDown, .resume) == .shuttingDown)
        #expect(Self.state(.shuttingDown, .bits(adding: [], removing: .shuttingDown)) == .shuttingDown)
    }

    @Test func aBitIsNoSourceOfAnInterruption() {
        #expect(Self.state(.bits(adding: .interrupted, removing: [])) == [])
        #expect(Self.state(Self.call, .bits(adding: [], removing: .interrupted)) == .interrupted)
        let unknown = DesiredState(rawValue: 1 << 40)
        #expect(Self.state(.bits(adding: unknown, removing: [])) == unknown)
    }

    @Test func onlyChangesAreTold() {
        var triggers = LifecycleTriggers()
        let seen = [
            .locked(true), .locked(true), Self.call, Self.call, Self.bell, Self.over("call", false),
            Self.over("call", false), Self.over("bell", true), .lowPower(true),
            .bits(adding: [], removing: [.locked, .lowPower]),
        ].map { triggers.handle($0) }
        #expect(
            seen == [
                [.locked], [], [.interrupted(source: "call")], [], [.interrupted(source: "bell")],
                [.interruptionEnded(source: "call", shouldResume: false, isOver: false)], [],
                [.interruptionEnded(source: "bell", shouldResume: true, isOver: true)], [.lowPower(true)],
                [.unlocked, .lowPower(false)],
            ])
        #expect(triggers.interrupters.isEmpty)
    }
}
