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

        init(_ name: String, _ manner: Manner, within: ClockTime = .milliseconds(500)) {
            self.name = name
            self.manner = manner
            acknowledgeWithin = within
        }

        func lifecycle(_ change: LifecycleChange, state: DesiredState, token: UInt64?, deadline: ClockTime?) {
            seen.append((change, state))
            guard let token else { return }
            switch manner {
            case .atOnce: controller?.acknowledge(token, accepted: true)
            case .refusing: controller?.acknowledge(token, accepted: false)
            case .never, .later: open.append(token)
            }
        }
    }

    @HostActor
    private final class Pipelines: LifecyclePipelines {
        var calls: [String] = []
        var finish: (@HostActor () -> Void)?
        func quiet(_ state: DesiredState, done: @escaping @HostActor () -> Void) {
            calls.append("quiet")
            finish = done
        }
        func restore(done: @escaping @HostActor () -> Void) {
            calls.append("restore")
            done()
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
    }

    @Test @HostActor func pipelinesWaitForEveryAnswer() {
        let quick = Plugin("quick", .atOnce)
        let slow = Plugin("slow", .later)
        let house = House([quick, slow])
        house.controller.change(adding: .paused)
        #expect(house.pipelines.calls.isEmpty)
        #expect(house.controller.stateName == "pausing")
        for token in slow.open { house.controller.acknowledge(token, accepted: true) }
        #expect(house.pipelines.calls == ["quiet"])
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
        #expect(house.pipelines.calls == ["quiet"])
        #expect(house.controller.stragglers == ["silent": 1])
        for token in silent.open { house.controller.acknowledge(token, accepted: true) }
        #expect(house.controller.ignoredAnswers == 1)
    }

    @Test @HostActor func aRefusalDoesNotHoldThePauseUp() {
        let house = House([Plugin("no", .refusing)])
        house.controller.change(adding: .paused)
        #expect(house.pipelines.calls == ["quiet"])
    }

    @Test @HostActor func aPluginThatGoesIsNotWaitedFor() {
        let silent = Plugin("silent", .never)
        let house = House([silent])
        house.controller.change(adding: .paused)
        house.controller.remove(silent)
        #expect(house.pipelines.calls == ["quiet"])
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

    @Test @HostActor func nobodyToAskIsNoReasonToWait() {
        let house = House([])
        house.controller.change(adding: .paused)
        #expect(house.pipelines.calls == ["quiet"])
    }
}
