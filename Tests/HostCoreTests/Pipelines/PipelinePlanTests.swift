import Testing

@testable import HostCore

@Suite struct PipelinePlanTests {
    private typealias Order = PipelinePlan.Order
    private typealias Situation = PipelinePlan.Situation

    private static func playing(_ name: String, _ policy: BackgroundPolicy = BackgroundPolicy()) -> Situation {
        Situation(name: name, intent: .playing, policy: policy)
    }

    /// As it shows itself while the lifecycle has stopped it.
    private static func stopped(_ name: String, _ policy: BackgroundPolicy = BackgroundPolicy()) -> Situation {
        Situation(name: name, intent: .stopped, policy: policy)
    }

    /// What is really done, in order: "stop b".
    private static func steps(_ orders: [Order]) -> [String] {
        orders.compactMap { order in order.target.map { "\($0) \(order.name)" } }
    }

    @Test func quietGoesBackwardsAndResumeForwards() {
        var plan = PipelinePlan()
        let names = ["a", "b", "c"]
        let down = plan.follow(.paused, names.map { Self.playing($0) })
        #expect(Self.steps(down) == ["stopped c", "stopped b", "stopped a"])
        let up = plan.follow([], names.map { Self.stopped($0) })
        #expect(Self.steps(up) == ["playing a", "playing b", "playing c"])
    }

    @Test func eachComesBackToWhatItsUserWanted() {
        var plan = PipelinePlan()
        let intents: [PipelineIntent] = [.playing, .paused, .stopped, .ended]
        let all = intents.map { Situation(name: "\($0)", intent: $0, policy: BackgroundPolicy()) }
        let down = plan.follow(.paused, all)
        #expect(Self.steps(down) == ["stopped paused", "stopped playing"])
        let up = plan.follow([], intents.map { Self.stopped("\($0)") })
        #expect(Self.steps(up) == ["playing playing", "paused paused"])
    }

    /// Once it was read, what the lifecycle has made of the pipeline says nothing of its user.
    @Test func theIntentIsReadBeforeAnythingChangesAndOnce() {
        var plan = PipelinePlan()
        _ = plan.follow(.interrupted, [Self.playing("a")])
        let more = plan.follow([.interrupted, .paused], [Situation(name: "a", intent: .paused, policy: .init())])
        #expect(Self.steps(more) == ["stopped a"])
        let less = plan.follow(.interrupted, [Self.stopped("a")])
        #expect(Self.steps(less) == ["paused a"])
        let again = plan.follow([.interrupted, .locked], [Self.stopped("a")])
        #expect(Self.steps(again).isEmpty)
        let up = plan.follow([], [Self.stopped("a")])
        #expect(Self.steps(up) == ["playing a"])
    }

    @Test func afterAnInterruptionTheDeviceIsOpenedAgain() {
        let policy = BackgroundPolicy(all: .stop)
        var plan = PipelinePlan()
        let down = plan.follow(.interrupted, [Self.playing("a", policy)])
        #expect(Self.steps(down) == ["stopped a"])
        let ready = plan.follow(.waiting, [Self.stopped("a", policy)])
        #expect(Self.steps(ready) == ["paused a"])
        #expect(ready.allSatisfy { !$0.isQuieter })
        let up = plan.follow([], [Self.stopped("a", policy)])
        #expect(Self.steps(up) == ["playing a"])
    }

    @Test func itsUsersWordWhileItIsQuietCountsWhenItComesBack() {
        var plan = PipelinePlan()
        _ = plan.follow(.paused, [Self.playing("a"), Self.stopped("b")])
        plan.stop("a")
        let order = plan.start(Self.stopped("b"))
        #expect(order?.target == .stopped)
        let up = plan.follow([], [Self.stopped("a"), Self.stopped("b")])
        #expect(Self.steps(up) == ["playing b"])
        let now = plan.start(Self.stopped("a"))
        #expect(now == nil)
    }

    @Test func soundAloneIsAModeOfWhatPlays() {
        var policy = BackgroundPolicy()
        policy.locked = .audioOnly
        var plan = PipelinePlan()
        let locked = plan.follow(.locked, [Self.playing("a", policy)])
        #expect(locked == [Order(name: "a", target: nil, media: .audio, isQuieter: true)])
        let paused = plan.follow([.locked, .paused], [Self.playing("a", policy)])
        #expect(paused == [Order(name: "a", target: .stopped, media: .audio, isQuieter: true)])
        // What is built while its user is waited for is not shown behind the lock.
        let waiting = plan.follow([.locked, .waiting], [Self.stopped("a", policy)])
        #expect(waiting.map(\.media) == [.audio])
        // The resume of a locked host: built for sound alone from the start.
        let resumed = plan.follow(.locked, [Self.stopped("a", policy)])
        #expect(resumed == [Order(name: "a", target: .playing, media: .audio, isQuieter: false)])
        let unlocked = plan.follow([], [Self.playing("a", policy)])
        #expect(unlocked == [Order(name: "a", target: nil, media: .video, isQuieter: false)])
    }

    /// Whoever unlocks a paused host looks at what stands still, not at nothing until the resume.
    @Test func anUnlockGivesWhatStandsStillItsPicturesBack() {
        var policy = BackgroundPolicy()
        (policy.locked, policy.paused) = (.audioOnly, .pause)
        var plan = PipelinePlan()
        _ = plan.follow(.locked, [Self.playing("a", policy)])
        let paused = plan.follow([.locked, .paused], [Self.playing("a", policy)])
        #expect(paused == [Order(name: "a", target: .paused, media: .audio, isQuieter: true)])
        let unlocked = plan.follow(.paused, [Self.playing("a", policy)])
        #expect(unlocked == [Order(name: "a", target: nil, media: .video, isQuieter: false)])
    }

    /// Its user listens to it alone: an unlock must not show it.
    @Test func whatItsUserWantsToHearAloneStaysSo() {
        var listener = Self.playing("a")
        listener.media = .audio
        var plan = PipelinePlan()
        _ = plan.follow(.locked, [listener])
        let unlocked = plan.follow([], [listener])
        #expect(unlocked.map(\.media) == [.audio])
    }

    // MARK: - In the hand of a reload

    @Test func whatAReloadHasInHandIsLeftAlone() {
        var plan = PipelinePlan()
        plan.hold(Self.playing("a"))
        let down = plan.follow(.paused, [Self.stopped("a"), Self.playing("b")])
        #expect(Self.steps(down) == ["stopped b"])
        let released = plan.release(Self.stopped("a"), toRun: true)
        #expect(released.order?.target == .stopped)
        #expect(plan.isQuieted("a"))
        let up = plan.follow([], [Self.stopped("a"), Self.stopped("b")])
        #expect(Self.steps(up) == ["playing a", "playing b"])
    }

    @Test func whatComesUpInAnInterruptionStandsReady() {
        var plan = PipelinePlan()
        _ = plan.follow(.interrupted, [])
        let released = plan.release(Self.stopped("new"), toRun: true)
        #expect(released.order?.target == .paused)
        let up = plan.follow([], [Situation(name: "new", intent: .paused, policy: .init())])
        #expect(Self.steps(up) == ["playing new"])
    }

    @Test func aReloadKeepsThePauseOfAUserAlsoWhenItHasToGoBack() {
        var plan = PipelinePlan()
        plan.hold(Situation(name: "a", intent: .paused, policy: .init()))
        plan.hold(Self.stopped("a"))
        let released = plan.release(Self.stopped("a"), toRun: true)
        #expect(released.order?.target == .paused)
    }

    /// The old build was begun once more, and played on beside the new one for good.
    @Test func aStartInTheHandOfAReloadWaitsForIt() {
        for (toRun, intent) in [(true, PipelineIntent.playing), (false, .stopped), (false, .ended)] {
            var plan = PipelinePlan()
            plan.hold(Situation(name: "a", intent: intent, policy: .init()))
            #expect(!plan.mayPlay(Self.stopped("a")))
            let order = plan.start(Self.stopped("a"))
            #expect(order?.name == "a" && order?.target == nil && order?.media == nil)
            #expect(plan.isToRun(Self.stopped("a")))
            let released = plan.release(Self.stopped("a"), toRun: toRun)
            #expect(released.order?.target == .playing && released.isStarted)
            #expect(plan.mayPlay(Self.stopped("a")))
            plan.hold(Self.playing("a"))
            let again = plan.release(Self.stopped("a"), toRun: true)
            #expect(again.order?.target == .playing && !again.isStarted)
        }
    }

    @Test func theLastWordOfAUserInTheHandOfAReloadCounts() {
        var plan = PipelinePlan()
        plan.hold(Self.playing("a"))
        var isPaused = plan.pause(Self.stopped("a"))
        var released = plan.release(Self.stopped("a"), toRun: true)
        #expect(!isPaused && released.order?.target == .paused)
        // What does not run is not paused.
        plan.hold(Self.stopped("a"))
        isPaused = plan.pause(Self.stopped("a"))
        #expect(!isPaused && !plan.isToRun(Self.stopped("a")))
        _ = plan.start(Self.stopped("a"))
        isPaused = plan.pause(Self.stopped("a"))
        released = plan.release(Self.stopped("a"), toRun: false)
        #expect(!isPaused && released.order?.target == .paused)
        plan.hold(Self.stopped("a"))
        _ = plan.start(Self.stopped("a"))
        plan.stop("a")
        released = plan.release(Self.stopped("a"), toRun: true)
        #expect(released == .init(order: nil, intent: .stopped, isStarted: false))
    }

    /// A lock was blamed for what low power asks for, and nothing at all while the host came back.
    @Test func itIsQuietForWhatAsksForThat() {
        var policy = BackgroundPolicy()
        policy.lowPower = .pause
        var plan = PipelinePlan()
        _ = plan.follow([.locked, .lowPower], [Self.playing("a", policy)])
        #expect(plan.quietMode(of: Self.playing("a", policy)) == .pause)
        #expect(plan.reasons(.pause, of: Self.playing("a", policy)) == .lowPower)
        _ = plan.follow([.paused, .suspended, .lowPower], [Self.playing("a", policy)])
        #expect(plan.reasons(.stop, of: Self.playing("a", policy)) == [.paused, .suspended])
        _ = plan.follow(.shuttingDown, [Self.playing("a", policy)])
        #expect(plan.reasons(.stop, of: Self.playing("a", policy)) == .shuttingDown)
    }

    @Test func nothingComesUpInAHostThatEnds() {
        var plan = PipelinePlan()
        plan.hold(Self.playing("a"))
        _ = plan.follow(.shuttingDown, [Self.stopped("a")])
        let released = plan.release(Self.stopped("a"), toRun: true)
        #expect(released.order == nil)
    }

    /// `background:` was changed by a reload while the host was paused.
    @Test func anotherPolicyIsFollowedAtOnce() {
        var plan = PipelinePlan()
        _ = plan.follow(.paused, [Self.playing("a"), Self.playing("b", BackgroundPolicy(all: .keep))])
        let orders = plan.follow(
            plan.state, [Self.stopped("a", BackgroundPolicy(all: .keep)), Self.playing("b")])
        #expect(Self.steps(orders) == ["stopped b", "playing a"])
    }
}
