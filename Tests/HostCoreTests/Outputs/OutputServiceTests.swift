import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

/// The outputs over a lifecycle of its own, with a monitor that tells what the test says.
@Suite struct OutputServiceTests {
    private static let speaker = DeviceIdentity(name: "Porch Speaker", node: "alsa_output.porch")

    init() { MainLoopThread.start() }

    @HostActor
    private final class ScriptedMonitor: OutputMonitor {
        var onEvent: (@HostActor (OutputPresence.Event) -> Void)?
        private(set) var isRunning = false

        func start() { isRunning = true }
        func stop() {
            isRunning = false
            onEvent = nil
        }
    }

    @HostActor
    private final class House {
        let clock = VirtualClock()
        let log = Recorder<String>()
        let lifecycle: LifecycleController
        private(set) var monitors: [ScriptedMonitor] = []
        private(set) var told: [String] = []
        private(set) lazy var service = OutputService(
            lifecycle: lifecycle, events: events, clock: clock,
            log: Log(upTo: .debug) { [log] level, _, text in log.record("\(level): \(text)") }
        ) { [unowned self] in
            self.monitors.append(ScriptedMonitor())
            return self.monitors[self.monitors.count - 1]
        }
        let events: EventHub

        init() {
            events = EventHub(clock: clock)
            lifecycle = LifecycleController(clock: clock, events: events, log: Log(upTo: .error) { _, _, _ in })
            _ = events.subscribe { [weak self] event in
                guard event.name.hasPrefix("output.") else { return }
                let payload = event.payload
                self?.told.append(
                    "\(event.name) \(payload["name"]?.string ?? "") \(payload["class"]?.string ?? "") "
                        + "\(payload["node"]?.string ?? "")")
            }
        }

        func tell(_ event: OutputPresence.Event) { monitors.last?.onEvent?(event) }
        var isWatching: Bool { monitors.contains(where: \.isRunning) }
        var isLost: Bool { lifecycle.desired == [.outputLost] }
    }

    private static func settings(_ watch: OutputSettings.Watch = .auto, _ device: String? = nil) -> OutputSettings {
        var settings = OutputSettings()
        settings.watch = watch
        settings.device = device
        return settings
    }

    @Test @HostActor func aLossIsAReasonUntilTheOutputIsBack() {
        let house = House()
        house.service.start(Self.settings(), isNeeded: true)
        #expect(house.service.status["watch"]?.string == "asking")
        house.tell(.begun([Self.speaker]))
        #expect(house.told.isEmpty && house.log.elements.isEmpty && house.lifecycle.desired == [])
        house.tell(.removed(Self.speaker))
        #expect(house.isLost && house.lifecycle.stateName == "running")
        #expect(house.service.status["lost"]?.bool == true)
        house.tell(.added(Self.speaker))
        #expect(house.lifecycle.desired == [])
        #expect(
            house.told == [
                "output.removed Porch Speaker Audio/Sink alsa_output.porch",
                "output.added Porch Speaker Audio/Sink alsa_output.porch",
            ])
        #expect(
            house.log.elements == [
                "warning: no audio output is there", "notice: the audio output \"Porch Speaker\" is there",
            ])
        #expect(house.service.status["devices"]?.list?.first?["node"]?.string == "alsa_output.porch")
        // It is only looked now and then whether the provider still tells.
        house.clock.advance(by: .seconds(299))
        #expect(house.monitors.count == 1 && house.clock.pendingCount == 1)
    }

    /// A provider whose server was not there when it started does not look for it again.
    @Test @HostActor func whileItIsLostTheMonitorIsBegunAnew() {
        let house = House()
        house.service.start(Self.settings(), isNeeded: true)
        house.tell(.begun([]))
        #expect(house.isLost)
        for (count, pause) in [5, 10, 20, 40, 80, 160, 300, 300].enumerated() as EnumeratedSequence<[Int64]> {
            house.clock.advance(by: .seconds(pause) - .milliseconds(1))
            #expect(house.monitors.count == count + 1)
            house.clock.advance(by: .milliseconds(1))
            #expect(house.monitors.count == count + 2)
            #expect(house.monitors.filter(\.isRunning).count == 1)
            house.tell(.begun([]))
        }
        #expect(house.log.elements.count == 1)
        house.clock.advance(by: .seconds(300))
        house.tell(.begun([Self.speaker]))
        #expect(house.lifecycle.desired == [])
        #expect(house.told == ["output.added Porch Speaker Audio/Sink alsa_output.porch"])
        // The next loss is followed up soon again.
        house.tell(.removed(Self.speaker))
        let count = house.monitors.count
        house.clock.advance(by: .seconds(5))
        #expect(house.monitors.count == count + 1)
    }

    /// A provider whose server was started anew while nothing played tells nothing any more: an output that went after that was
    /// there for good.
    @Test @HostActor func whileItIsThereTheMonitorIsBegunAnewNowAndThen() {
        let house = House()
        house.service.start(Self.settings(), isNeeded: true)
        for count in 1...3 {
            house.tell(.begun([Self.speaker]))
            house.clock.advance(by: .seconds(300) - .milliseconds(1))
            #expect(house.monitors.count == count)
            house.clock.advance(by: .milliseconds(1))
            #expect(house.monitors.count == count + 1 && house.monitors.filter(\.isRunning).count == 1)
        }
        #expect(house.told.isEmpty && house.log.elements.isEmpty)
        house.tell(.begun([]))
        #expect(house.isLost)
        // And when the host plays again.
        house.clock.advance(by: .seconds(5))
        house.tell(.begun([Self.speaker]))
        house.clock.advance(by: .seconds(60))
        let count = house.monitors.count
        house.events.post("lifecycle.did-resume", source: "host", .map([]))
        #expect(house.monitors.count == count + 1)
        house.service.stop()
        house.events.post("lifecycle.did-resume", source: "host", .map([]))
        #expect(house.monitors.count == count + 1 && house.clock.pendingCount == 0)
    }

    /// Each was queued behind the one that hangs.
    @Test @HostActor func aProviderThatDoesNotAnswerIsNotAskedAgain() {
        let house = House()
        house.service.start(Self.settings(), isNeeded: true)
        house.tell(.begun([Self.speaker]))
        house.clock.advance(by: .seconds(60))
        house.service.doubt()
        #expect(house.monitors.count == 2 && house.service.status["watch"]?.string == "asking")
        for _ in 0..<3 {
            house.clock.advance(by: .seconds(600))
            house.service.doubt()
        }
        // Another name is no reason either.
        house.service.use(Self.settings(.auto, "Headset"), isNeeded: true)
        house.clock.advance(by: .seconds(600))
        #expect(house.monitors.count == 2 && house.isLost)
        house.tell(.begun([Self.speaker]))
        #expect(house.service.status["watch"]?.string == "on")
        house.clock.advance(by: .seconds(10))
        #expect(house.monitors.count == 3)
    }

    @Test @HostActor func whereNobodyCanSayItIsAskedAgainForAWhile() {
        let house = House()
        house.service.start(Self.settings(), isNeeded: true)
        for (count, pause) in [5, 10, 20, 40, 80, 160].enumerated() as EnumeratedSequence<[Int64]> {
            house.tell(.unlisted)
            #expect(house.service.status["watch"]?.string == "unknown")
            // What plays without a sound server fails for other reasons.
            house.service.doubt()
            house.clock.advance(by: .seconds(pause) - .milliseconds(1))
            #expect(house.monitors.count == count + 1, "\(pause) s")
            house.clock.advance(by: .milliseconds(1))
            #expect(house.monitors.count == count + 2, "\(pause) s")
        }
        #expect(house.log.elements.count == 1 && house.lifecycle.desired == [])
        // Then there is none, unless something fails or the host resumes, and that not often.
        house.tell(.unlisted)
        #expect(house.clock.pendingCount == 0)
        for _ in 0..<3 { house.service.doubt() }
        house.clock.advance(by: .seconds(299))
        #expect(house.monitors.count == 7)
        house.clock.advance(by: .seconds(1))
        #expect(house.monitors.count == 8)
        house.tell(.unlisted)
        #expect(house.clock.pendingCount == 0)
        house.clock.advance(by: .seconds(1000))
        house.service.doubt()
        #expect(house.monitors.count == 9)
        house.tell(.begun([Self.speaker]))
        #expect(house.service.status["watch"]?.string == "on" && house.log.elements.count == 1)
    }

    /// A provider whose server has died goes on with the list it had.
    @Test @HostActor func aPipelineThatFailsMakesItLookAnew() {
        let house = House()
        house.service.doubt()
        house.service.start(Self.settings(), isNeeded: true)
        house.tell(.begun([Self.speaker]))
        house.clock.advance(by: .seconds(60))
        house.service.doubt()
        #expect(house.monitors.count == 2)
        // It fails again and again.
        house.clock.advance(by: .seconds(1))
        house.tell(.begun([Self.speaker]))
        for _ in 0..<3 { house.service.doubt() }
        house.clock.advance(by: .milliseconds(3999))
        #expect(house.monitors.count == 2)
        house.clock.advance(by: .milliseconds(1))
        #expect(house.monitors.count == 3)
        house.tell(.begun([]))
        #expect(house.isLost && house.told == ["output.removed Porch Speaker Audio/Sink alsa_output.porch"])
        house.service.doubt()
        house.clock.advance(by: .seconds(5))
        #expect(house.monitors.count == 4)
        house.tell(.begun([Self.speaker]))
        #expect(house.lifecycle.desired == [])
    }

    @Test @HostActor func nobodyWatchesWhereNobodyPlays() {
        for (watch, isNeeded, isWatched) in [
            (.auto, false, false), (.auto, true, true), (.off, true, false), (.on, false, true),
        ] as [(OutputSettings.Watch, Bool, Bool)] {
            let house = House()
            house.service.start(Self.settings(watch), isNeeded: isNeeded)
            #expect(house.isWatching == isWatched)
            #expect((house.service.status["watch"]?.string == "off") == !isWatched)
            house.service.stop()
            #expect(!house.isWatching)
        }
    }

    @Test @HostActor func aReloadIsFollowed() {
        let house = House()
        house.service.start(Self.settings(), isNeeded: true)
        house.tell(.begun([Self.speaker]))
        house.service.use(Self.settings(.auto, "Headset"), isNeeded: true)
        #expect(house.isLost && house.monitors.count == 1)
        #expect(
            house.log.elements.last
                == "warning: the audio output \"Headset\" is not there, there is \"Porch Speaker\" (node alsa_output.porch); "
                + "`outputs: { device: NAME }` says which one is needed")
        house.service.use(Self.settings(.auto, "alsa_output.porch"), isNeeded: true)
        #expect(house.lifecycle.desired == [])
        house.service.use(Self.settings(.auto, "Headset"), isNeeded: true)
        // Nobody plays any more: nobody misses it.
        house.service.use(Self.settings(.auto, "Headset"), isNeeded: false)
        #expect(house.lifecycle.desired == [] && house.clock.pendingCount == 0)
        #expect(!house.isWatching)
        house.service.use(Self.settings(.on), isNeeded: false)
        house.tell(.begun([]))
        #expect(house.isLost)
        // At the end of the host nothing is changed any more.
        house.service.stop()
        #expect(house.isLost && house.clock.pendingCount == 0)
        house.service.use(Self.settings(.on), isNeeded: true)
        #expect(!house.isWatching)
    }
}
