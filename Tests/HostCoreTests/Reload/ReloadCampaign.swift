import Foundation
import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

/// Random reloads of a host with two pipelines that no file ever changes: they lose no buffer and never start anew.
///
/// `make campaign NAME=reload N=1000` prints what a reload costs beyond the start of what it changed.
@Suite struct ReloadCampaign {
    init() throws {
        MainLoopThread.start()
        try GStreamer.start()
    }

    private static let untouched = """
        pipelines:
          video: { launch: "\(HostReloadTests.live())" }
          audio: { launch: "audiotestsrc is-live=true name=v samplesperbuffer=441 ! audio/x-raw,rate=44100 ! fakesink" }

        """

    private static func changing(_ round: Int) -> String {
        "  c: { launch: \"\(HostReloadTests.live("! identity name=i\(round)"))\" }\n"
    }

    /// What a file of a round does.
    private enum Kind: CaseIterable {
        case changed, bad, doesNotStart, added, same
    }

    @Test @HostActor func untouchedPipelinesLoseNoBuffer() async throws {
        var campaign = Campaign(rounds: 30)
        let bench = try ReloadBench(Self.untouched + Self.changing(0))
        let taps = [SequenceTap(frame: .milliseconds(10)), SequenceTap(frame: .milliseconds(10))]
        let changed = SequenceTap(frame: .milliseconds(10))
        for (name, tap) in zip(["video", "audio", "c"], taps + [changed]) {
            _ = try #require(bench.host.pipelines[name]).attach(tap, at: try ElementPad("v.src"))
        }
        for name in ["video", "audio", "c"] { await bench.awaits(name, "playing") }

        var current = Self.changing(0)
        var builds = 1
        var beyond: [ClockTime] = []
        for round in 1...campaign.rounds {
            // Half of them change, as most reloads do.
            let kind =
                Bool.random(using: &campaign) ? .changed : Kind.allCases.randomElement(using: &campaign) ?? .changed
            switch kind {
            case .changed:
                let next = Self.changing(round)
                try bench.write(Self.untouched + next)
                let begin = bench.host.clock.monotonic()
                let report = await bench.host.reloader.reload()
                #expect(report.isApplied, "round \(round), \(campaign.note): \(report.response.body)")
                if let live = bench.events.last(where: { $0.name == "pipeline.first-buffer" && $0.source == "c" }) {
                    let own = ClockTime(nanoseconds: live.payload["after_ns"]?.int ?? 0)
                    beyond.append(live.monotonic - begin - own)
                }
                current = next
                builds += 1
            case .bad:
                let report = try await bench.reload(Self.untouched + "  c: { launch: \"fakesrc ! fakesnk\" }\n")
                #expect(report.result == .refused, "round \(round), \(campaign.note)")
            case .doesNotStart:
                let report = try await bench.reload(
                    Self.untouched + "  c: { launch: filesrc name=v location=/nowhere ! fakesink }\n")
                #expect(report.result == .rolledBack, "round \(round), \(campaign.note)")
                // The version that does not start delivers nothing, so the tap sees no epoch of it.
                builds += 1
            case .added:
                let report = try await bench.reload(
                    Self.untouched + current + "  more: { launch: \"\(HostReloadTests.live())\" }\n")
                #expect(report.isApplied, "round \(round), \(campaign.note)")
                #expect(try await bench.reload(Self.untouched + current).isApplied, "round \(round), \(campaign.note)")
            case .same:
                let report = try await bench.reload("# round \(round)\n" + Self.untouched + current)
                #expect(report.summary.contains("nothing has changed"), "round \(round), \(campaign.note)")
            }
            #expect(bench.host.pipelines.controllers.map(\.name) == ["video", "audio", "c"], "\(campaign.note)")
        }
        #expect(await bench.end() == .asked)
        for tap in taps {
            #expect(tap.seen.epochs == [1], "\(campaign.note)")
            #expect(tap.seen.breaks == [], "\(campaign.note)")
        }
        #expect(changed.seen.epochs.count == builds, "\(campaign.note)")
        #expect(changed.seen.breaks == [], "\(campaign.note)")
        report(beyond, of: campaign.rounds, buffers: taps.map(\.seen.buffers))
    }

    private func report(_ times: [ClockTime], of rounds: Int, buffers: [Int]) {
        let sorted = times.sorted()
        guard let most = sorted.last else { return }
        func text(_ time: ClockTime) -> String { String(format: "%.1f ms", Double(time.nanoseconds) / 1e6) }
        let p99 = sorted[min(sorted.count - 1, sorted.count * 99 / 100)]
        print(
            "reload campaign: \(rounds) rounds, \(buffers) buffers of the others; request to first buffer beyond the "
                + "start itself: median \(text(sorted[sorted.count / 2])), p99 \(text(p99)), most \(text(most)) of \(times.count)"
        )
        // A number of the project. Beside all other suites, on one main loop with them, it would mean nothing.
        if rounds >= 1000 { #expect(p99 <= .milliseconds(100)) }
    }
}
