import Foundation
import Testing

/// Audio outputs that come and go, on a running host whose only device providers are the test's: one that tells of changes, and
/// one like ALSA's that only looks, and always finds the same.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct OutputTests {
    private let place: Workplace
    private let environment: [String: String]

    init() async throws {
        place = try Workplace()
        let flags = try await Tool.require("pkg-config", ["--cflags", "--libs", "gstreamer-1.0"], in: place.directory)
        for name in ["gst", "outputs"] {
            try FileManager.default.createDirectory(atPath: place.path(name), withIntermediateDirectories: true)
        }
        try await Tool.require(
            "cc",
            ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", "\(Workplace.fixtures)/fake-outputs.c"]
                + ["-o", place.path("gst/libgstmediahostfakeoutputs.so")]
                + flags.output.split(whereSeparator: \.isWhitespace).map(String.init), in: place.directory)
        environment = [
            "GST_PLUGIN_PATH": place.path("gst"), "GST_REGISTRY": place.path("registry.bin"),
            "FAKE_OUTPUTS": place.path("outputs"),
        ]
    }

    private func config(_ outputs: String) -> String {
        """
        mediahost: 1
        pipelines:
          tone: { launch: audiotestsrc is-live=true ! fakesink, background: { output-lost: stop } }
        plugins: { ears: { module: KeyListener } }
        outputs: \(outputs)

        """
    }

    /// A directory: a file is made under another name first, which would be an output, too.
    private func plug(_ name: String) throws {
        try FileManager.default.createDirectory(
            atPath: place.path("outputs/\(name)"), withIntermediateDirectories: false)
    }

    private func unplug(_ name: String) throws {
        try FileManager.default.removeItem(atPath: place.path("outputs/\(name)"))
    }

    private func awaitDesired(_ names: [String], _ host: MediahostProcess) async throws {
        try await Deadline.poll("the desired state \(names)") {
            let status = try await host.answer("status")["lifecycle"]
            return status["desired"].list.compactMap(\.string) == names ? true : nil
        }
    }

    @Test func aLossStopsWhatSaysSoAndAnOutputBringsItBack() async throws {
        try plug("speaker")
        try await withHost(
            config("{ watch: on }"), in: place, plugins: ThirdParty.plugins(), environment: environment
        ) { host in
            try await host.log.next(containing: "first buffer")
            try await Deadline.poll("the outputs") {
                let outputs = try await host.answer("status")["outputs"]
                return outputs["devices"].list.first?["name"].string == "speaker" ? true : nil
            }
            // Two come and go before the last one is missed.
            try plug("headset")
            try await host.log.next(containing: "heard output.added headset")
            try unplug("speaker")
            try await host.log.next(containing: "heard output.removed speaker")
            #expect(try await host.answer("status")["outputs"]["lost"].bool == false)
            try unplug("headset")
            try await host.log.next(containing: "no audio output is there")
            try await host.log.next(containing: "pipeline tone: stopped")
            try await awaitDesired(["output-lost"], host)
            try plug("speaker")
            try await host.log.next(containing: #"the audio output "speaker" is there"#)
            try await host.log.next(containing: "first buffer")
            try await awaitDesired([], host)
            // The first list was no news.
            #expect(host.log.lines.filter { $0.contains("heard output.added speaker") }.count == 1)
            try await host.terminate()
        }
    }

    /// A board without a sound server: who only looks finds no output that is in use, and what plays was lost for good.
    @Test func whereNobodyTellsOfOutputsNoneIsLost() async throws {
        try FileManager.default.removeItem(atPath: place.path("outputs"))
        try await withHost(
            config("{ watch: on }"), in: place, plugins: ThirdParty.plugins(), environment: environment
        ) { host in
            try await host.log.next(containing: "audio outputs cannot be watched")
            #expect(try await host.answer("status")["outputs"]["watch"].string == "unknown")
            try await awaitDesired([], host)
            // The sound server comes later.
            try FileManager.default.createDirectory(
                atPath: place.path("outputs"), withIntermediateDirectories: true)
            try await host.log.next(containing: "no audio output is there")
            try await awaitDesired(["output-lost"], host)
            try await host.terminate()
        }
    }

    /// While none is there the monitor is begun anew (after 5 s, the first time); the new one must hear what the old one did.
    @Test func theMonitorThatIsBegunAnewHearsOfThem() async throws {
        try await withHost(
            config("{ watch: on }"), in: place, plugins: ThirdParty.plugins(), environment: environment
        ) { host in
            try await host.log.next(containing: "no audio output is there")
            try await Deadline.poll("the second start of the provider") {
                let starts = try String(contentsOfFile: place.path("outputs.starts"), encoding: .utf8)
                return starts.count > 1 ? true : nil
            }
            try plug("speaker")
            try await host.log.next(containing: #"the audio output "speaker" is there"#)
            try await awaitDesired([], host)
            try unplug("speaker")
            try await awaitDesired(["output-lost"], host)
            try await host.terminate()
        }
    }

    @Test func theOneThatIsNamedIsMissedAndAReloadNamesAnother() async throws {
        try plug("speaker")
        try await withHost(
            config("{ watch: on, device: node.headset }"), in: place, plugins: ThirdParty.plugins(),
            environment: environment
        ) { host in
            try await host.log.next(containing: #"the audio output "node.headset" is not there"#)
            try await awaitDesired(["output-lost"], host)
            try plug("headset")
            try await host.log.next(containing: #"the audio output "headset" is there"#)
            try await awaitDesired([], host)
            try unplug("headset")
            try await awaitDesired(["output-lost"], host)
            try place.write(config("{ watch: on, device: speaker }"), to: "config.yaml")
            #expect(try await host.ask("reload").ending == .exit(0))
            try await awaitDesired([], host)
            try unplug("speaker")
            try await awaitDesired(["output-lost"], host)
            // Nobody in this config plays to an output.
            try place.write(config("{ watch: auto, device: speaker }"), to: "config.yaml")
            #expect(try await host.ask("reload").ending == .exit(0))
            try await awaitDesired([], host)
            #expect(try await host.answer("status")["outputs"]["watch"].string == "off")
            try await host.terminate()
        }
    }
}
