import Foundation
import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

/// Fifos for devices, on a clock that moves when told.
@Suite(.timeLimit(.minutes(10))) struct InputServiceTests {
    private static let volume: UInt16 = 115

    init() { MainLoopThread.start() }

    /// Whether a device can be grabbed; a fifo always can.
    @HostActor
    private final class Grabs {
        var areFree = true
        var count = 0
    }

    @HostActor
    private final class House {
        let grabs = Grabs()
        let clock = VirtualClock()
        let log = Recorder<String>()
        let events: EventHub
        let service: InputService
        private(set) var told: [String] = []
        private var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

        init() {
            let log = Log(upTo: .debug) { [log] level, source, text in log.record("\(level) \(source): \(text)") }
            events = EventHub(clock: clock)
            service = InputService(events: events, clock: clock, log: log) { [grabs] _ in
                grabs.count += 1
                return grabs.areFree
            }
            _ = events.subscribe { [weak self] event in
                guard let self, event.name == "input.key" else { return }
                let payload = event.payload
                let held = (payload["held_ns"]?.int ?? -1) / 1_000_000
                self.told.append(
                    "\(payload["input"]?.string ?? "") \(payload["key"]?.string ?? "") "
                        + "\(payload["press"]?.string ?? "") \(held)")
                for waiter in self.waiters where waiter.count <= self.told.count { waiter.continuation.resume() }
                self.waiters.removeAll { $0.count <= self.told.count }
            }
        }

        /// Until so many presses were told since the start.
        func presses(_ count: Int) async {
            guard told.count < count else { return }
            await withCheckedContinuation { waiters.append((count, $0)) }
        }

        /// Lets the control thread do what else it has to do, until this holds.
        func until(_ condition: @HostActor () -> Bool) async throws { try await wait(while: !condition()) }

        func state(_ name: String) -> String? { service.status[name]?["state"]?.string }
    }

    /// A fifo that somebody writes events to.
    private final class Device {
        private(set) var path: String
        private var file: Int32 = -1

        init(_ path: String) {
            self.path = path
            mkfifo(path, 0o600)
        }

        func rename(to path: String) throws {
            try #require(Foundation.rename(self.path, path) == 0)
            self.path = path
        }

        /// The reader is there.
        func open() { file = Foundation.open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC) }

        func write(_ bytes: some Collection<UInt8>) {
            let count = Array(bytes).withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
            #expect(count == bytes.count)
        }

        func key(_ code: UInt16, _ value: Int32) { write(InputEventTests.key(code, value)) }

        func close() {
            if file >= 0 { Foundation.close(file) }
            file = -1
        }

        deinit { close() }
    }

    private func settings(
        _ name: String, _ device: String, _ change: (inout InputSettings) -> Void = { _ in }
    ) -> InputSettings {
        var settings = InputSettings(name)
        settings.device = device
        change(&settings)
        return settings
    }

    @Test @HostActor func pressesBecomeEvents() async throws {
        let place = try TemporaryDirectory()
        let house = House()
        let front = Device(place.path("front"))
        let back = Device(place.path("back"))
        house.service.start([settings("front", front.path), settings("back", back.path) { $0.hold = .seconds(5) }])
        front.open()
        back.open()
        front.key(Self.volume, 1)
        await house.presses(1)
        // Repetitions are nothing, and events may come in pieces.
        front.key(Self.volume, 2)
        house.clock.advance(by: .milliseconds(700))
        let bytes = InputEventTests.key(Self.volume, 0)
        front.write(bytes.prefix(7))
        back.key(0x2fe, 1)
        await house.presses(2)
        #expect(house.service.status["front"]?["down"]?.list == [.string("KEY_VOLUMEUP")])
        front.write(bytes.dropFirst(7))
        await house.presses(4)
        house.clock.advance(by: .milliseconds(4999))
        #expect(house.told.count == 4)
        house.clock.advance(by: .milliseconds(1))
        await house.presses(5)
        back.key(0x2fe, 0)
        await house.presses(6)
        #expect(
            house.told == [
                "front KEY_VOLUMEUP down 0", "back KEY_0x2fe down 0", "front KEY_VOLUMEUP long 700",
                "front KEY_VOLUMEUP up 700", "back KEY_0x2fe hold 5000", "back KEY_0x2fe up 5000",
            ])
        #expect(house.service.status["front"]?["presses"]?.int == 1)
        house.service.stop()
        #expect(house.clock.pendingCount == 0)
    }

    /// The time for a hold is over, and the release lies in the file already: what lies there is read first.
    @Test @HostActor func aReleaseThatWaitsIsToldWithItsHold() async throws {
        let place = try TemporaryDirectory()
        let house = House()
        let device = Device(place.path("keys"))
        house.service.start([settings("front", device.path)])
        device.open()
        device.key(Self.volume, 1)
        await house.presses(1)
        device.key(Self.volume, 0)
        // The control thread is here all the time; it did not look.
        house.clock.advance(by: .milliseconds(1999))
        house.clock.advance(by: .milliseconds(1))
        #expect(house.told.dropFirst().map { $0.split(separator: " ")[2] } == ["hold", "up"])
        #expect(house.service.status["front"]?["down"]?.list?.isEmpty == true)
        house.service.stop()
    }

    @Test @HostActor func aDeviceThatComesLaterIsFoundAndOneThatGoesIsWaitedFor() async throws {
        let place = try TemporaryDirectory()
        let house = House()
        let path = place.path("keys")
        house.service.start([settings("front", path)])
        #expect(house.state("front") == "waiting")
        #expect(house.log.elements == ["notice input front: \(path) is not there: waiting for it"])
        house.clock.advance(by: .seconds(600))
        #expect(house.log.elements.count == 1)
        // The directory tells; no time passes.
        var device = Device(path)
        try await house.until { house.state("front") == "open" }
        #expect(house.log.elements.last == "notice input front: \(path) is there")
        device.open()
        device.key(Self.volume, 1)
        await house.presses(1)
        house.clock.advance(by: .milliseconds(100))
        unlink(path)
        device.close()
        await house.presses(2)
        #expect(house.told.last == "front KEY_VOLUMEUP up 100")
        try await house.until { house.state("front") == "waiting" }
        #expect(house.log.elements.last == "notice input front: \(path) is gone: waiting for it")
        house.clock.advance(by: .seconds(60))
        // As udev makes its links: under another name first.
        device = Device(place.path("other"))
        try device.rename(to: path)
        try await house.until { house.state("front") == "open" }
        device.open()
        device.key(Self.volume, 1)
        await house.presses(3)
        #expect(house.told.last == "front KEY_VOLUMEUP down 0" && house.log.elements.count == 4)
        house.service.stop()
        // Nobody is left with a key that is down.
        #expect(house.told.last == "front KEY_VOLUMEUP up 0")
    }

    /// Another program had it, as while a desktop starts: its keys were everybody's for good.
    @Test @HostActor func aGrabThatIsRefusedIsTriedAgain() async throws {
        let place = try TemporaryDirectory()
        let house = House()
        let device = Device(place.path("keys"))
        house.grabs.areFree = false
        house.service.start([settings("front", device.path) { $0.grab = true }])
        #expect(house.state("front") == "open" && house.service.status["front"]?["grabbed"]?.bool == false)
        for pause in [1, 2, 4, 8, 16, 30, 30] as [Int64] {
            let count = house.grabs.count
            house.clock.advance(by: .seconds(pause))
            #expect(house.grabs.count == count + 1, "\(pause) s")
        }
        #expect(house.log.elements.count == 2 && house.log.elements.contains { $0.contains("`grab: true`") })
        // It is read all the time.
        device.open()
        device.key(Self.volume, 1)
        await house.presses(1)
        house.grabs.areFree = true
        house.clock.advance(by: .seconds(30))
        #expect(house.service.status["front"]?["grabbed"]?.bool == true)
        #expect(house.log.elements.last == "notice input front: \(device.path) is grabbed now")
        device.key(Self.volume, 0)
        await house.presses(3)
        #expect(house.clock.pendingCount == 0)
        house.grabs.areFree = false
        device.close()
        try await house.until { house.state("front") == "waiting" }
        #expect(house.service.status["front"]?["grabbed"]?.bool == false)
        house.service.stop()
        #expect(house.clock.pendingCount == 0)
    }

    @Test @HostActor func whatIsNoInputDeviceIsNotRead() throws {
        let place = try TemporaryDirectory()
        try "keys".write(toFile: place.path("text"), atomically: true, encoding: .utf8)
        for path in [place.path("text"), place.path(""), "/dev/null"] {
            let house = House()
            house.service.start([settings("front", path)])
            #expect(house.state("front") == "waiting")
            #expect(house.log.elements == ["warning input front: \(path) is no input device: waiting for one"])
            house.clock.advance(by: .seconds(100))
            #expect(house.log.elements.count == 1)
            house.service.stop()
        }
    }

    @Test @HostActor func aReloadTouchesOnlyWhatIsNew() async throws {
        let place = try TemporaryDirectory()
        let house = House()
        let front = Device(place.path("front"))
        let back = Device(place.path("back"))
        house.service.start([settings("front", front.path), settings("back", back.path)])
        front.open()
        back.open()
        front.key(Self.volume, 1)
        await house.presses(1)
        back.key(Self.volume, 1)
        await house.presses(2)
        house.service.use([
            settings("side", place.path("none")), settings("front", front.path),
            settings("back", back.path) { $0.keys = [1] },
        ])
        #expect(house.told.dropFirst(2) == ["back KEY_VOLUMEUP up 0"])
        #expect(house.service.status.members?.map(\.key) == ["side", "front", "back"])
        front.key(Self.volume, 0)
        await house.presses(5)
        #expect(house.told.dropFirst(3) == ["front KEY_VOLUMEUP short 0", "front KEY_VOLUMEUP up 0"])
        house.service.use([])
        #expect(house.service.status.members?.isEmpty == true && house.clock.pendingCount == 0)
        house.service.stop()
    }
}
