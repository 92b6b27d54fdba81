import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

@Suite struct LifecycleControllerTests {
    init() { MainLoopThread.start() }

    @HostActor
    private final class Plugin: LifecycleParticipant {
        enum Manner { case atOnce, never, later, refusing }
        let name: String
        let acknowledgeWithin: ClockTime
        let manner: Manner
        weak var controller: LifecycleController?
        var seen: [(LifecycleChange, DesiredState)] = []
        var open: [UInt64] = []
        /// While it is told.
        var onCall: (@HostActor () -> Void)?

        init(_ name: String, _ manner: Manner, within: ClockTime = .milliseconds(500)) {
            self.name = name
            self.manner = manner
            acknowledgeWithin = within
        }

        func lifecycle(_ change: LifecycleChange, state: DesiredState, token: UInt64?, deadline: ClockTime?) {
            seen.append((change, state))
            onCall?()
            guard let token else { return }
            switch manner {
            case .atOnce: controller?.acknowledge(token, accepted: true)
            case .refusing: controller?.acknowledge(token, accepted: false)
            case .never, .later: open.append(token)
            }
        }

        func answer() {
            let tokens = open
            open = []
            for token in tokens { controller?.acknowledge(token, accepted: true) }
        }
    }

    @HostActor
    private final class Pipelines: LifecyclePipelines {
        var calls: [String] = []
        var finish: (@HostActor () -> Void)?
        var isQuick = false
        func follow(_ state: DesiredState, done: @escaping @HostActor () -> Void) {
            calls.append(state.names.joined(separator: " "))
            if state.isEmpty || isQuick { done() } else { finish = done }
        }
    }

    @HostActor
    private struct House {
        let clock = VirtualClock()
        let pipelines = Pipelines()
        let controller: LifecycleController
        let events: EventHub

        init(_ plugins: [Plugin]) {
            events = EventHub(clock: clock)
            controller = LifecycleController(clock: clock, events: events, log: Log { _, _, _ in })
            controller.connect(pipelines)
            for plugin in plugins {
                plugin.controller = controller
                controller.add(plugin)
            }
        }

        func join(_ name: String, _ manner: Plugin.Manner, within: ClockTime = .milliseconds(500)) -> Plugin {
            let plugin = Plugin(name, manner, within: within)
            plugin.controller = controller
            controller.welcome(plugin)
            return plugin
        }
    }

    @Test @HostActor func pipelinesWaitForEveryAnswer() {
        let quick = Plugin("quick", .atOnce)
        let slow = Plugin("slow", .later)
        let house = House([quick, slow])
        house.controller.change(adding: .paused)
        #expect(house.pipelines.calls.isEmpty)
        #expect(house.controller.stateName == "pausing")
        for token in slow.open { house.controller.acknowledge(token, accepted: true) }
        #expect(house.pipelines.calls == ["paused"])
        #expect(quick.seen.map(\.0) == [.willPause])
        house.pipelines.finish?()
        #expect(quick.seen.map(\.0) == [.willPause, .didPause])
        #expect(house.controller.stateName == "paused")
        #expect(house.clock.pendingCount == 0)
    }

    @Test @HostActor func aSilentPluginCostsItsDeadlineAndIsNamed() {
        let silent = Plugin("silent", .never, within: .milliseconds(200))
        let house = House([Plugin("quick", .atOnce), silent])
        house.controller.change(adding: .paused)
        house.clock.advance(by: .milliseconds(199))
        #expect(house.pipelines.calls.isEmpty)
        house.clock.advance(by: .milliseconds(1))
        #expect(house.pipelines.calls == ["paused"])
        #expect(house.controller.stragglers == ["silent": 1])
        for token in silent.open { house.controller.acknowledge(token, accepted: true) }
        #expect(house.controller.ignoredAnswers == 1)
    }

    @Test @HostActor func aRefusalDoesNotHoldThePauseUp() {
        let house = House([Plugin("no", .refusing)])
        house.controller.change(adding: .paused)
        #expect(house.pipelines.calls == ["paused"])
    }

    @Test @HostActor func aPluginThatGoesIsNotWaitedFor() {
        let silent = Plugin("silent", .never)
        let house = House([silent])
        house.controller.change(adding: .paused)
        house.controller.remove(silent)
        #expect(house.pipelines.calls == ["paused"])
        #expect(house.controller.stragglers.isEmpty)
    }

    @Test @HostActor func theWholeCycleIsToldInOrder() {
        let plugin = Plugin("p", .atOnce)
        let house = House([plugin])
        var names: [String] = []
        let unsubscribe = house.events.subscribe { names.append($0.name) }
        var settled = 0
        house.controller.change(adding: .paused)
        house.controller.whenSettled { settled += 1 }
        #expect(settled == 0)
        house.pipelines.finish?()
        #expect(settled == 1)
        house.controller.change(removing: .paused)
        #expect(plugin.seen.map(\.0) == [.willPause, .didPause, .willResume, .didResume])
        #expect(plugin.seen.map(\.1) == [.paused, .paused, [], []])
        #expect(
            names == [
                "lifecycle.will-pause", "lifecycle.did-pause", "lifecycle.will-resume", "lifecycle.did-resume",
            ])
        unsubscribe()
    }

    @Test @HostActor func whatDoesNotQuietIsToldAtOnceAndAsksNobody() {
        let plugin = Plugin("p", .never)
        let house = House([plugin])
        house.controller.follow(.locked(true))
        #expect(plugin.seen.map(\.0) == [.changed])
        #expect(plugin.seen.map(\.1) == [.locked])
        #expect(house.pipelines.calls == ["locked"])
        #expect(house.controller.stateName == "running")
        house.pipelines.finish?()
        house.controller.follow(.locked(false))
        #expect(plugin.seen.map(\.1) == [.locked, []])
        #expect(house.clock.pendingCount == 0)
    }

    @Test @HostActor func notesOfTriggersComeBeforeWhatTheyChange() {
        let house = House([])
        var names: [String] = []
        let unsubscribe = house.events.subscribe { names.append($0.name) }
        house.controller.follow(.locked(true))
        house.controller.follow(.locked(true))
        #expect(names == ["lifecycle.locked", "lifecycle.changed"])
        house.pipelines.finish?()
        house.controller.follow(.lowPower(true))
        #expect(names.dropFirst(2) == ["lifecycle.low-power", "lifecycle.changed"])
        unsubscribe()
    }

    // MARK: - Joining and leaving in the middle

    /// It was told half of a pair: did-pause without will-pause, and in the middle of a pause did-pause alone.
    @Test @HostActor func whoJoinsAPauseIsToldAllOfIt() {
        let slow = Plugin("slow", .later, within: .milliseconds(300))
        let house = House([slow])
        house.controller.follow(.pause)
        let asked = house.join("asked", .later, within: .milliseconds(500))
        #expect(asked.seen.map(\.0) == [.willPause])
        for token in slow.open { house.controller.acknowledge(token, accepted: true) }
        #expect(house.pipelines.calls.isEmpty)
        // It does not make the round longer than it was.
        house.clock.advance(by: .milliseconds(300))
        #expect(house.controller.stragglers == ["asked": 1])
        #expect(house.pipelines.calls == ["paused"])
        let during = house.join("during", .atOnce)
        #expect(during.seen.map(\.0) == [.willPause])
        house.pipelines.finish?()
        let after = house.join("after", .atOnce)
        for plugin in [asked, during, after] { #expect(plugin.seen.map(\.0) == [.willPause, .didPause]) }
        #expect(house.controller.ignoredAnswers == 0)
        house.controller.follow(.resume)
        for token in slow.open + asked.open { house.controller.acknowledge(token, accepted: true) }
        for plugin in [slow, asked, during, after] {
            #expect(plugin.seen.map(\.0) == [.willPause, .didPause, .willResume, .didResume])
        }
    }

    @Test @HostActor func whoJoinsDuringAResumeWasNotPaused() {
        let slow = Plugin("slow", .later)
        let house = House([slow])
        house.controller.follow(.locked(true))
        house.pipelines.finish?()
        house.controller.follow(.pause)
        slow.answer()
        house.pipelines.finish?()
        house.controller.follow(.resume)
        let late = house.join("late", .atOnce)
        #expect(late.seen.map(\.0) == [.changed])
        #expect(late.seen.map(\.1) == [.locked])
        slow.answer()
        house.pipelines.finish?()
        #expect(house.controller.stateName == "running")
        #expect(late.seen.count == 1)
        house.controller.follow(.pause)
        slow.answer()
        house.pipelines.finish?()
        #expect(late.seen.map(\.0) == [.changed, .willPause, .didPause])
    }

    /// The one before it fails while it is asked, and takes it along: it was told of a pause it had no part in any more.
    @Test @HostActor func whoGoesWhileOthersAreAskedIsNotTold() {
        let last = Plugin("last", .atOnce)
        let first = Plugin("first", .atOnce)
        let house = House([first, last])
        first.onCall = { house.controller.remove(last) }
        house.controller.follow(.pause)
        #expect(last.seen.isEmpty)
        #expect(house.pipelines.calls == ["paused"])
    }

    /// Who is asked after a plugin that holds the control thread up has its whole time all the same.
    @Test @HostActor func aSlowCallMakesNobodyElseLate() {
        let slow = Plugin("slow", .atOnce, within: .seconds(1))
        let patient = Plugin("patient", .later, within: .milliseconds(200))
        let house = House([slow, patient])
        slow.onCall = { house.clock.advance(by: .milliseconds(900)) }
        house.controller.follow(.pause)
        house.clock.advance(by: .milliseconds(199))
        #expect(house.controller.stragglers.isEmpty)
        patient.answer()
        #expect(house.pipelines.calls == ["paused"])
    }

    /// It answers, but the answer comes when its time is long over.
    @Test @HostActor func aCallThatHoldsTheHostUpIsLateAndNamedOnce() {
        for manner in [Plugin.Manner.atOnce, .later] {
            let slow = Plugin("slow", manner, within: .milliseconds(200))
            let house = House([slow])
            slow.onCall = { house.clock.advance(by: .milliseconds(201)) }
            house.controller.follow(.pause)
            #expect(house.controller.stragglers == ["slow": 1])
            #expect(house.pipelines.calls == ["paused"])
            house.clock.advance(by: .seconds(1))
            #expect(house.controller.stragglers == ["slow": 1])
        }
    }

    /// It was told without a question: the time of the round was counted from before the slow call.
    @Test @HostActor func whoJoinsAfterASlowCallIsAskedForWhatIsLeftOfTheRound() {
        let slow = Plugin("slow", .later)
        let house = House([slow])
        slow.onCall = { house.clock.advance(by: .milliseconds(400)) }
        house.controller.follow(.pause)
        slow.onCall = nil
        house.clock.advance(by: .milliseconds(200))
        let late = house.join("late", .later)
        slow.answer()
        #expect(house.pipelines.calls.isEmpty)
        house.clock.advance(by: .milliseconds(299))
        #expect(house.controller.stragglers.isEmpty)
        late.answer()
        #expect(house.pipelines.calls == ["paused"])
    }

    /// SIGSTOP, a virtual machine that is moved: all who were still at it were named. Not for ever: a sleep may wait.
    @Test @HostActor func whoIsAskedHasItsTimeAgainOnceWhereTheHostStoodStill() {
        let late = Plugin("late", .later)
        let silent = Plugin("silent", .never)
        let house = House([late, silent])
        house.controller.follow(.pause)
        house.clock.stall(for: .seconds(3))
        #expect(house.controller.stragglers.isEmpty && house.pipelines.calls.isEmpty)
        late.answer()
        house.clock.stall(for: .seconds(3))
        #expect(house.controller.stragglers == ["silent": 1])
        #expect(house.pipelines.calls == ["paused"])
    }

    /// What a plugin asks for while it is being told waits until the others were told.
    @Test @HostActor func aChangeFromInsideACallComesAfterIt() {
        let first = Plugin("first", .atOnce)
        let second = Plugin("second", .atOnce)
        let house = House([first, second])
        house.pipelines.isQuick = true
        first.onCall = { if first.seen.count == 2 { house.controller.follow(.resume) } }
        house.controller.follow(.pause)
        #expect(second.seen.map(\.0) == [.willPause, .didPause, .willResume, .didResume])
        #expect(house.controller.stateName == "running")
    }

    @Test @HostActor func nobodyToAskIsNoReasonToWait() {
        let house = House([])
        house.controller.change(adding: .paused)
        #expect(house.pipelines.calls == ["paused"])
    }
}
