import GStreamerKit
import HostCore
import HostTestKit
import Locking
import PluginKit
import Testing

@testable import ReplayBuffer

/// Sound beside the pictures: what comes out of both, and when.
@Suite struct PlaybackSoundTests {
    private static let picture = second / 20
    private static let packet = second / 50

    private struct Item: Equatable {
        var number: Int
        var pts: Int64
        var runningTime: Int64?
    }

    private final class Lane: Sendable {
        let probe: PadProbe?

        init(_ pipeline: Pipeline, _ name: String) throws {
            let pad = try #require(pipeline.element(named: name)?.pad(named: "src"))
            let shared = Shared()
            self.shared = shared
            probe = pad.addProbe(events: true) { data in
                switch consume data {
                case .buffer(let view):
                    let bytes = view.withBytes { [UInt8]($0) } ?? []
                    shared.add(bytes.first.map { Int($0) | Int(bytes[1]) << 8 } ?? -1, view.pts)
                case .event(.segment(let segment)): shared.set(segment)
                default: break
                }
                return .pass
            }
        }

        final class Shared: Sendable {
            private let state = Locked((items: [Item](), segment: GStreamerKit.Segment?.none))
            func set(_ segment: GStreamerKit.Segment) { state.withLock { $0.segment = segment } }
            func add(_ number: Int, _ pts: ClockTime?) {
                state.withLock {
                    let running = $0.segment?.runningTime(of: pts)?.nanoseconds
                    $0.items.append(Item(number: number, pts: pts?.nanoseconds ?? -1, runningTime: running))
                }
            }
            var items: [Item] { state.withLock { $0.items } }
        }
        private let shared: Shared
        var items: [Item] { shared.items }
    }

    private final class Stage {
        let instance: FakeInstance
        let output: Pipeline
        let seen: Lane
        let heard: Lane
        private let video: FakeTap
        private let audio: FakeTap
        private var fed = (pictures: 0, packets: 0)

        init() throws {
            let fake = FakeHost()
            fake.setNow(1000 * second)
            try GStreamer.start()
            output = try Pipeline(
                launch: "appsrc name=replay ! identity name=seen ! fakesink sync=false async=false "
                    + "appsrc name=sound ! identity name=heard ! fakesink sync=false async=false", name: "view")
            for name in ["replay", "sound"] {
                fake.setElement("view/\(name)", try #require(output.element(named: name)).retained())
            }
            instance = try FakeInstance.running(
                ReplayBufferPlugin.descriptor.id, of: PluginEntry.entry(for: ReplayBufferPlugin.self),
                config: [
                    "video": "cam/v.src", "audio": ["cam/a.src"], "output": "view/replay",
                    "output-audio": "view/sound",
                ], in: fake)
            (video, audio) = (try instance.tap("cam/v.src"), try instance.tap("cam/a.src"))
            for (tap, caps) in [(video, "video/x-vp8"), (audio, "audio/x-opus")] {
                tap.startEpoch(1)
                tap.setFormat(caps)
            }
            (seen, heard) = (try Lane(output, "seen"), try Lane(output, "heard"))
            try instance.tellBuilt("view", output.element.raw)
            output.setState(.playing)
        }

        /// Sound is 0.3 s earlier than the pictures.
        func run(pictures: Int) throws {
            for _ in 0..<pictures {
                push(video, &fed.pictures, PlaybackSoundTests.picture, isDelta: fed.pictures % 10 != 0)
                while Int64(fed.packets) * PlaybackSoundTests.packet
                    < Int64(fed.pictures) * PlaybackSoundTests.picture + 300_000_000
                {
                    push(audio, &fed.packets, PlaybackSoundTests.packet, isDelta: false)
                }
                try instance.advance(by: .nanoseconds(PlaybackSoundTests.picture))
                instance.settle()
            }
        }

        private func push(_ tap: FakeTap, _ number: inout Int, _ length: Int64, isDelta: Bool) {
            tap.push(
                [UInt8(number & 255), UInt8(number >> 8)], pts: Int64(number) * length, duration: length,
                isDelta: isDelta)
            number += 1
        }

        func ask(_ command: String, _ parameters: Value = [:]) throws { _ = try instance.ask(command, parameters) }

        func end() throws {
            for name in ["replay", "sound"] {
                try #require(output.element(named: name).flatMap { AppSource($0) }).endOfStream()
            }
            while true {
                switch output.bus.next(timeout: .seconds(60)) {
                case .endOfStream:
                    try instance.tellReleased("view", output.element.raw)
                    output.setState(.null)
                    seen.probe?.cancel()
                    heard.probe?.cancel()
                    instance.end()
                    return
                case .error(let report): throw report
                case nil: throw EncodedStream.Silence()
                default: break
                }
            }
        }
    }

    @Test func soundComesOnceInOrderAndOnTheLineOfThePictures() throws {
        let stage = try Stage()
        try stage.run(pictures: 100)
        try stage.ask("play", ["delay": "3s"])
        try stage.run(pictures: 40)
        // Who stands, or goes faster, hears nothing.
        try stage.ask("pause")
        try stage.run(pictures: 10)
        try stage.ask("play", ["rate": 2])
        try stage.run(pictures: 10)
        try stage.ask("seek", ["at": "1010ms"])
        try stage.ask("play")
        try stage.run(pictures: 20)
        try stage.end()

        let numbers = stage.heard.items.map(\.number)
        // Each run begins where the one before does not lead.
        var runs: [[Int]] = []
        for number in numbers {
            if let last = runs.last?.last, last + 1 == number {
                runs[runs.count - 1].append(number)
            } else {
                runs.append([number])
            }
        }
        #expect(runs.count == 3, "\(runs.map { ($0.first ?? -1, $0.last ?? -1) })")
        guard runs.count == 3 else { return }
        // Live; then from 2 s on for 2 s, and a little ahead; then from 1.01 s on for a second.
        #expect((runs[0].first ?? 9) <= 5 && (249...266).contains(runs[0].last ?? 0))
        #expect(runs[1].first == 100 && (200...207).contains(runs[1].last ?? 0))
        #expect(runs[2].first == 50 && (100...107).contains(runs[2].last ?? 0))

        // Both are shown by one line: running time less media time is the same.
        let lines = Set(stage.seen.items.compactMap { item in item.runningTime.map { $0 - item.pts } })
        let offLine = stage.heard.items.filter { item in
            item.runningTime.map { !lines.contains($0 - item.pts) } ?? false
        }
        #expect(offLine == [])
        // What sounds at a place that was jumped to may begin before it.
        #expect(stage.heard.items.count { $0.runningTime == nil } <= 3)
    }

    @Test func whatCannotBePlayedIsNamed() throws {
        let cases: [(Value, String)] = [
            (
                ["video": "cam/v.src", "output": "view/replay", "output-audio": "view/sound"],
                "there is no sound to play"
            ),
            (
                ["video": "cam/v.src", "audio": ["cam/a.src"], "output-audio": "view/sound"],
                "must be another appsrc of the pipeline that output names"
            ),
            (
                ["video": "cam/v.src", "audio": ["cam/a.src"], "output": "view/replay", "output-audio": "b/sound"],
                "must be another appsrc of the pipeline that output names"
            ),
        ]
        for (config, text) in cases {
            let error = #expect(throws: FakeInstance.Broken.self) {
                try FakeInstance.running(
                    ReplayBufferPlugin.descriptor.id, of: PluginEntry.entry(for: ReplayBufferPlugin.self),
                    config: config)
            }
            #expect(error?.description.contains(text) == true, "\(error?.description ?? "")")
        }
    }
}
