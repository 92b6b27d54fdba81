import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

@Suite struct PropertyWatchesTests {
    private let clock = VirtualClock()

    init() throws {
        try GStreamer.start()
        MainLoopThread.start()
    }

    /// A source whose property can be set, and what is told of it.
    @HostActor
    private final class Bench {
        let pipeline: Pipeline
        let key: PropertyWatches.Key
        private(set) var told: [String?] = []
        private(set) var reads = 0
        private(set) var watches: PropertyWatches?
        private var waiting: CheckedContinuation<Void, Never>?

        init(_ clock: any HostClock, property: String = "num-buffers") throws {
            key = PropertyWatches.Key(pipeline: "p", path: PropertyPath(element: "s", property: property))
            pipeline = try Pipeline(launch: "fakesrc name=s ! fakesink", name: "p")
            watches = PropertyWatches(
                clock: clock,
                read: { [weak self, pipeline] key in
                    self?.reads += 1
                    return .value(pipeline.element(named: key.path.element)?.text(of: key.path.property))
                },
                tell: { [weak self] _, value in
                    self?.told.append(value)
                    self?.waiting?.resume()
                    self?.waiting = nil
                })
        }

        func hold() throws -> PropertyHold {
            let watches = try #require(watches)
            let hold = try watches.hold([key]) { [pipeline] _ in pipeline.element(named: "s") }
            hold.start()
            return hold
        }

        func tells(_ count: Int) async {
            while told.count < count { await withCheckedContinuation { waiting = $0 } }
        }

        func set(_ value: Int) { pipeline.element(named: "s")?.set("num-buffers", to: "\(value)") }
    }

    /// All that was enqueued so far has run.
    @HostActor private func settle() async { for _ in 0..<4 { await Task { @HostActor in }.value } }

    @Test @HostActor func theValueIsToldAtOnceAndWhenItChanges() async throws {
        let bench = try Bench(clock)
        let hold = try bench.hold()
        await bench.tells(1)
        #expect(bench.told == ["-1"])
        clock.advance(by: PropertyWatches.pause)
        bench.set(7)
        await bench.tells(2)
        #expect(bench.told == ["-1", "7"])
        withExtendedLifetime(hold) {}
    }

    /// A text that nobody has set: whoever waits for the first value would wait for ever.
    @Test @HostActor func thatThereIsNoValueIsToldOnce() async throws {
        let bench = try Bench(clock, property: "last-message")
        let hold = try bench.hold()
        await bench.tells(1)
        #expect(bench.told == [nil])
        bench.watches?.built("p", bench.pipeline)
        await settle()
        clock.advance(by: PropertyWatches.pause)
        await settle()
        #expect(bench.reads == 2 && bench.told == [nil])
        withExtendedLifetime(hold) {}
    }

    /// An element that says so a thousand times a second is asked five times.
    @Test @HostActor func aStormIsReadOnceInAPause() async throws {
        let bench = try Bench(clock)
        let hold = try bench.hold()
        await bench.tells(1)
        await settle()
        for value in 1...1000 { bench.set(value) }
        await settle()
        #expect(bench.reads == 1 && bench.told == ["-1"])
        clock.advance(by: PropertyWatches.pause)
        await bench.tells(2)
        #expect(bench.reads == 2 && bench.told == ["-1", "1000"])
        // What says the same again is no news.
        await settle()
        clock.advance(by: PropertyWatches.pause)
        bench.set(1000)
        await settle()
        #expect(bench.told.count == 2)
        withExtendedLifetime(hold) {}
    }

    @Test @HostActor func itEndsWithTheLastOneWhoWantsToKnow() async throws {
        let bench = try Bench(clock)
        var one: PropertyHold? = try bench.hold()
        var two: PropertyHold? = try bench.hold()
        await bench.tells(1)
        one = nil
        await settle()
        #expect(bench.watches?.count == 1)
        two = nil
        await settle()
        #expect(bench.watches?.count == 0 && clock.pendingCount == 0)
        clock.advance(by: PropertyWatches.pause)
        let reads = bench.reads
        bench.set(5)
        await settle()
        #expect(bench.reads == reads)
        withExtendedLifetime((one, two)) {}
    }

    @Test @HostActor func thereIsALimitForAllClientsTogether() async throws {
        let bench = try Bench(clock)
        let keys = (0..<PropertyWatches.most).map {
            PropertyWatches.Key(pipeline: "p", path: PropertyPath(element: "e\($0)", property: "x"))
        }
        let all = try bench.watches?.hold(keys) { _ in nil }
        let error = #expect(throws: ControlError.self) { _ = try bench.hold() }
        #expect(error?.code == .busy)
        withExtendedLifetime(all) {}
    }

    /// Eight clients of the network, with a token that may only look, had all that can be watched.
    @Test @HostActor func theNetworkLeavesRoomToTheSocket() async throws {
        let bench = try Bench(clock)
        let keys = (0..<PropertyWatches.most).map {
            PropertyWatches.Key(pipeline: "p", path: PropertyPath(element: "e\($0)", property: "x"))
        }
        let half = PropertyWatches.most / 2
        let watches = try #require(bench.watches)
        let afar = try watches.hold(Array(keys[..<half]), from: .network) { _ in nil }
        #expect(throws: ControlError.self) { try watches.hold([keys[half]], from: .web) { _ in nil } }
        // What is watched already costs nothing, whoever asks for it.
        var again: PropertyHold? = try watches.hold([keys[0]], from: .web) { _ in nil }
        var near: PropertyHold? = try watches.hold(Array(keys[half...]), from: .local) { _ in nil }
        // Also not what only the socket watches so far, but it is one more that others keep.
        #expect(throws: ControlError.self) { try watches.hold([keys[half]], from: .network) { _ in nil } }
        (again, near) = (nil, nil)
        await settle()
        #expect(watches.count == half)
        withExtendedLifetime((afar, again, near)) {}
    }
}
