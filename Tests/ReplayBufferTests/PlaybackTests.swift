import Foundation
import GStreamerKit
import HostCore
import HostTestKit
import Locking
import PluginABI
import PluginKit
import Testing

@testable import ReplayBuffer

/// Pictures out of the ring through a real decoder, by the numbers in them.
@Suite struct PlaybackTests {
    private static let step = NumberedPictures.step

    /// A plugin that records, and a pipeline that shows.
    private final class Stage {
        let instance: FakeInstance
        let tap: FakeTap
        let output: Pipeline
        private let element: Element
        private let probe: PadProbe?
        private let stream: EncodedStream
        private var fed = 0

        /// - Parameters:
        ///   - tail: what the pictures come to behind their decoder.
        ///   - plays: whether the output does from the start.
        init(
            frames: Int = 300, gop: Int = 20, bFrames: Int = 0,
            tail: String = "identity name=probe ! fakesink sync=false async=false", plays: Bool = true
        ) throws {
            let fake = FakeHost()
            fake.setNow(1000 * second)
            stream = try NumberedPictures.h264(frames, gop: gop, bFrames: bFrames)
            try GStreamer.start()
            output = try Pipeline(
                launch: "appsrc name=replay ! h264parse ! avdec_h264 max-threads=1 ! videoconvert "
                    + "! video/x-raw,format=GRAY8 ! \(tail)", name: "view")
            element = try #require(output.element(named: "replay"))
            // The plugin gives back a reference of its own each time.
            fake.setElement("view/replay", element.retained())
            instance = try FakeInstance.running(
                ReplayBufferPlugin.descriptor.id, of: PluginEntry.entry(for: ReplayBufferPlugin.self),
                config: ["video": "cam/v.src", "output": "view/replay"], in: fake)
            tap = try instance.tap("cam/v.src")
            tap.startEpoch(1)
            tap.setFormat(stream.caps)
            let sink = try #require(output.element(named: "probe")?.pad(named: "src"))
            let shared = Shown()
            shown = shared
            probe = sink.addProbe { data in
                if case .buffer(let view) = consume data {
                    let bytes = view.withBytes { [UInt8]($0) } ?? []
                    shared.add(NumberedPictures.number(bytes))
                }
                return .pass
            }
            try instance.tellBuilt("view", output.element.raw)
            if plays { output.setState(.playing) }
        }

        final class Shown: Sendable {
            private let numbers = Locked<[Int]>([])
            private let condition = NSCondition()
            func add(_ number: Int) {
                condition.lock()
                numbers.withLock { $0.append(number) }
                condition.broadcast()
                condition.unlock()
            }
            var all: [Int] { numbers.withLock { $0 } }

            /// Waits until that one was shown last, and so often in all; false after a minute.
            func wait(for number: Int, times: Int = 1) -> Bool {
                let end = Date(timeIntervalSinceNow: 60)
                condition.lock()
                defer { condition.unlock() }
                while !numbers.withLock({ all in all.last == number && all.count { $0 == number } >= times }) {
                    guard condition.wait(until: end) else { return false }
                }
                return true
            }
        }
        let shown: Shown
        /// Of the element `sink` at the end.
        private(set) var sinkStats = ""

        /// The camera and the clock go on.
        /// - Parameter atOnce: how many frames come before the plugin gets to look at them.
        func run(frames: Int, feeding: Bool = true, atOnce: Int = 1) throws {
            for number in 1...frames {
                if feeding {
                    let unit = stream.units[fed]
                    tap.push(
                        unit.bytes, pts: unit.pts, dts: unit.dts ?? .min, duration: PlaybackTests.step,
                        isDelta: unit.isDelta)
                    fed += 1
                }
                try instance.advance(by: .nanoseconds(PlaybackTests.step))
                if number.isMultiple(of: atOnce) { instance.settle() }
            }
        }

        func ask(_ command: String, _ parameters: Value = [:]) throws {
            _ = try instance.ask(command, parameters)
        }

        /// All pictures that came out, once the decoder has given everything.
        func end() throws -> [Int] {
            let source = try #require(AppSource(element))
            source.endOfStream()
            while true {
                switch output.bus.next(timeout: .seconds(60)) {
                case .endOfStream:
                    let stats = output.element(named: "sink")?.text(of: "stats") ?? ""
                    sinkStats = stats.replacingOccurrences(of: "\\", with: "")
                    try instance.tellReleased("view", output.element.raw)
                    output.setState(.null)
                    probe?.cancel()
                    instance.end()
                    return shown.all
                case .error(let report): throw report
                case nil: throw EncodedStream.Silence()
                default: break
                }
            }
        }
    }

    @Test func playsWithADelayEveryPictureOnce() throws {
        let stage = try Stage()
        try stage.run(frames: 100)
        try stage.ask("play", ["delay": "3s"])
        try stage.run(frames: 60)
        let numbers = try stage.end()
        // Live until then, then from 3 s before frame 100 on: every picture, in order, none twice.
        let jump = try #require(numbers.firstIndex(of: 99).map { $0 + 1 })
        // The first picture was over when the output first looked.
        #expect((numbers.first ?? 9) <= 1 && Array(numbers[..<jump]) == Array((numbers.first ?? 0)..<100))
        let after = Array(numbers[jump...])
        #expect(after.first == 40 || after.first == 39)
        #expect(after == Array((after.first ?? 0)..<((after.first ?? 0) + after.count)))
        // As far as the viewer is, and a little ahead.
        #expect((after.last ?? 0) >= 99 && (after.last ?? 0) <= 104)
    }

    /// The clock of the test goes faster than that of the pipeline, so the line is told anew with each look; the picture that it is told with
    /// may be one that is decoded before others and shown after them.
    @Test(arguments: [0, 2], 1...4)
    func aLineThatIsToldAnewCutsOffNoPicture(bFrames: Int, atOnce: Int) throws {
        let stage = try Stage(bFrames: bFrames)
        try stage.run(frames: 120, atOnce: atOnce)
        let numbers = try stage.end()
        let first = try #require(numbers.first)
        #expect(first <= 2 * atOnce && numbers == Array(first..<(first + numbers.count)), "\(numbers)")
        #expect(numbers.count > 100)
    }

    @Test func aStandingViewerSeesThePictureOfEachPlace() throws {
        let stage = try Stage()
        try stage.run(frames: 100)
        try stage.ask("pause")
        try stage.run(frames: 10)
        for place in ["1025ms", "3s", "2990ms", "0.1s"] { try stage.ask("seek", ["at": .string(place)]) }
        try stage.run(frames: 10)
        let numbers = try stage.end()
        let still = Array(numbers.drop { $0 < 99 }.dropFirst())
        #expect(still == [99, 20, 60, 59, 2] || still == [20, 60, 59, 2], "\(still)")
    }

    /// A decoder keeps reordered pictures back until more come; wherever in a picture the place is, the next one is not shown with it.
    @Test(arguments: 1...3, [0, 1, 25, 49])
    func aStandingViewerSeesReorderedPictures(bFrames: Int, milliseconds: Int64) throws {
        let stage = try Stage(bFrames: bFrames)
        try stage.run(frames: 100)
        try stage.ask("pause")
        try stage.run(frames: 10)
        for place in [21, 22, 23, 24, 39] as [Int64] {
            try stage.ask("seek", ["at": .string("\(place * PlaybackTests.step / 1_000_000 + milliseconds)ms")])
            #expect(stage.shown.wait(for: Int(place)))
        }
        let numbers = try stage.end()
        #expect(numbers.suffix(5) == [21, 22, 23, 24, 39], "\(numbers.suffix(10))")
    }

    @Test(arguments: [0, 2])
    func stepsShowOnePictureAfterTheOther(bFrames: Int) throws {
        let stage = try Stage(bFrames: bFrames)
        try stage.run(frames: 100)
        try stage.ask("pause")
        try stage.ask("seek", ["at": "1950ms"])
        for count in [1, 1, 1, -1, -1, -1, -1, -1, 5, -41, 200, -1] {
            try stage.ask("step", ["count": .int(Int64(count))])
        }
        let place = try stage.instance.ask("position")
        #expect(place["viewer"] == "paused")
        let end = try #require(place["position"]?.int) / Self.step
        // The last picture is one that can be shown already: two less where decoding is two behind.
        #expect(end == 98 - Int64(bFrames))
        let numbers = try stage.end()
        let shown = [39, 40, 41, 42, 41, 40, 39, 38, 37, 42, 1, Int(end) + 1, Int(end)]
        #expect(numbers.suffix(shown.count) == shown[...], "\(numbers.suffix(20))")
    }

    @Test func aStepThatLeadsNowhereIsRefused() throws {
        let stage = try Stage()
        #expect(throws: FakeInstance.Broken.self) { try stage.ask("step") }
        try stage.run(frames: 30)
        try stage.ask("pause")
        let late = #expect(throws: FakeInstance.Broken.self) { try stage.ask("step") }
        #expect(late?.description == "cannot step: there is no picture after that of 1.5s yet")
        try stage.ask("seek", ["at": "0s"])
        let early = #expect(throws: FakeInstance.Broken.self) { try stage.ask("step", ["count": -1]) }
        #expect(early?.description == "cannot step: nothing is kept from before the picture of 0s")
        #expect(throws: FakeInstance.Broken.self) { try stage.ask("step", ["count": 0]) }
        #expect(throws: FakeInstance.Broken.self) { try stage.ask("step", ["count": 251]) }
        _ = try stage.end()
    }

    /// Who drags is shown each picture, also by an output that is late with every one: its sink and its decoder throw none away.
    @Test func aSlowOutputShowsEachPlace() throws {
        let stage = try Stage(
            tail:
                "identity sleep-time=400000 ! identity name=probe ! fakesink name=sink sync=true qos=true max-lateness=5000000",
            plays: false)
        try stage.run(frames: 100)
        try stage.ask("pause")
        stage.output.setState(.playing)
        for place in [10, 59, 60, 25, 99] {
            try stage.ask("seek", ["at": .string("\(Int64(place) * Self.step / 1_000_000 + 1)ms")])
            #expect(stage.shown.wait(for: place))
        }
        _ = try stage.end()
        #expect(stage.sinkStats.contains(" dropped=(guint64)0,"), "\(stage.sinkStats)")
    }

    @Test func aPlaceFarFromItsKeyFrameIsShown() throws {
        let stage = try Stage(frames: 310, gop: 400)
        try stage.run(frames: 300)
        try stage.ask("pause")
        try stage.run(frames: 5)
        try stage.ask("seek", ["at": "14s"])
        try stage.run(frames: 5)
        let numbers = try stage.end()
        #expect(numbers.last == 280 && numbers.count { $0 == 280 } == 2)
    }

    /// Over the beginnings of GOPs, each picture once.
    @Test(arguments: [0, 2], [1, 2])
    func backwardsShowsOnePictureAfterTheOther(bFrames: Int, speed: Int) throws {
        let stage = try Stage(bFrames: bFrames)
        try stage.run(frames: 101)
        try stage.ask("play", ["at": "4025ms", "rate": .int(Int64(-speed))])
        #expect(stage.shown.wait(for: 80, times: 2))
        let expected = Array(stride(from: 80 - speed, through: 20, by: -speed))
        for number in expected {
            try stage.run(frames: 1)
            #expect(stage.shown.wait(for: number, times: 2), "\(stage.shown.all.suffix(8))")
        }
        let numbers = try stage.end()
        #expect(Array(numbers.suffix(expected.count)) == expected, "\(numbers)")
    }

    @Test func afterAPauseOfTheHostItGoesOnWithTheFirstFrame() throws {
        let stage = try Stage()
        try stage.run(frames: 100)
        try stage.ask("play", ["delay": "2s"])
        try stage.run(frames: 20)
        try stage.instance.tell(mh_lifecycle_change(MH_LIFECYCLE_WILL_PAUSE), token: 5, state: 1)
        stage.tap.endOfStream()
        try stage.instance.tell(mh_lifecycle_change(MH_LIFECYCLE_DID_PAUSE), token: 0, state: 1)
        try stage.run(frames: 100, feeding: false)
        try stage.instance.tell(mh_lifecycle_change(MH_LIFECYCLE_WILL_RESUME), token: 6)
        try stage.run(frames: 20, feeding: false)
        let place = try stage.instance.ask("position")["position"]?.int
        #expect(place == 4 * second)
        try stage.run(frames: 20)
        let numbers = try stage.end()
        let after = Array(numbers[(try #require(numbers.firstIndex(of: 99)) + 1)...])
        #expect(after == Array((after.first ?? 0)..<((after.first ?? 0) + after.count)))
        #expect((after.last ?? 0) >= 99 && (after.last ?? 0) <= 104)
    }

    /// All workers write clips: one look that waits is enough.
    @Test func looksAtTheOutputDoNotPileUp() throws {
        let stage = try Stage()
        try stage.run(frames: 5)
        try stage.instance.advance(by: .seconds(2))
        #expect(stage.instance.fake.waitingWork == 1)
        try stage.run(frames: 5)
        #expect(stage.instance.fake.waitingWork == 0)
        #expect(try stage.end().last == 9)
    }

    @Test func anOutputThatIsNoAppsrcIsNamed() throws {
        let fake = FakeHost()
        try GStreamer.start()
        let output = try Pipeline(launch: "videotestsrc name=replay ! fakesink", name: "view")
        fake.setElement("view/replay", try #require(output.element(named: "replay")).retained())
        let instance = try FakeInstance.running(
            ReplayBufferPlugin.descriptor.id, of: PluginEntry.entry(for: ReplayBufferPlugin.self),
            config: ["video": "cam/v.src", "output": "view/replay"], in: fake)
        try instance.tellBuilt("view", output.element.raw)
        #expect(fake.seen.log == ["nothing is played: output view/replay is a videotestsrc, not an appsrc"])
        instance.end()
    }
}
