import Foundation
import Testing

/// `mediahost doctor`: what it looks at here, for people and for scripts.
@Suite(.timeLimit(.minutes(10)))
struct DoctorTests {
    private func doctor(
        _ arguments: [String] = [], _ environment: [String: String] = [:], in place: Workplace
    ) async throws -> Tool.Result {
        let quiet = ["MEDIAHOST_SOCKET": place.path("control.sock"), "STATE_DIRECTORY": place.directory]
        return try await Tool.run(
            Workplace.mediahost, ["doctor"] + arguments, environment: quiet.merging(environment) { $1 },
            in: place.directory)
    }

    @Test func everyTopicIsLookedAtAndNothingIsInTheWayHere() async throws {
        let result = try await doctor(in: Workplace())
        #expect(result.ending == .exit(0), "\(result.output)")
        #expect(result.errors == "" && !result.output.contains("\u{1B}"))
        for topic in ["GStreamer", "plugins", "devices", "permissions", "limits", "clock", "service"] {
            #expect("\n\(result.output)".contains("\n\(topic)\n  "), "\(topic)")
        }
        #expect(result.output.contains("ok       ReplayBuffer: org.mediahost.replay-buffer "))
        #expect(result.output.contains("\n0 errors, "))
    }

    @Test func whatAConfigLacksIsAnErrorWithItsPackage() async throws {
        let place = try Workplace()
        try place.write(
            """
            mediahost: 1
            pipelines: { cam: { launch: libcamerasrc ! fakesink } }
            control: { socket: /proc/none/control.sock }
            """, to: "config.yaml")
        let result = try await doctor(["config.yaml", "--json"], in: place)
        #expect(result.ending == .exit(1))
        let report = try JSON(result.output)
        #expect(report["healthy"].bool == false && report["errors"].int == 1)
        let finding = try #require(report["findings"].list.first { $0["topic"].string == "config" })
        #expect(finding["level"].string == "error")
        #expect(finding["text"].string == #"config.yaml:2:29: no element "libcamerasrc""#)
        #expect(finding["fix"].string?.contains("gstreamer1.0-libcamera") == true)
    }

    @Test func socketThatCannotBeMadeAndPluginsThatDoNotLoadAreErrors() async throws {
        let place = try Workplace()
        try place.write("", to: "file")
        let result = try await doctor(
            [],
            [
                "MEDIAHOST_SOCKET": place.path("file/x/control.sock"),
                "MEDIAHOST_PLUGIN_PATH": "\(ThirdParty.plugins()):\(place.path("absent"))",
            ], in: place)
        #expect(result.ending == .exit(1))
        for text in [
            "error    \(place.path("file/x")) (control socket) cannot be used: \(place.path("file")) is no directory",
            "libText.so is no shared library", "libOtherABI.so was built for plugin ABI 99.7",
            "do: build it again with this host's headers", "MEDIAHOST_PLUGIN_PATH names \(place.path("absent"))",
            "ok       Minimal: ",
        ] { #expect(result.output.contains(text), "\(text) in:\n\(result.output)") }
    }

    @Test func damagedGStreamerPluginIsBlacklistedAndSaid() async throws {
        let place = try Workplace()
        try FileManager.default.createDirectory(atPath: place.path("gst"), withIntermediateDirectories: true)
        try place.write("no library", to: "gst/libgstbroken.so")
        let result = try await doctor(
            [], ["GST_PLUGIN_PATH": place.path("gst"), "GST_REGISTRY": place.path("registry.bin")], in: place)
        #expect(result.ending == .exit(0))
        #expect(
            result.output.contains("warning  \(place.path("gst/libgstbroken.so")) is blacklisted"), "\(result.output)")
        #expect(result.output.contains("`rm \(place.path("registry.bin"))`"))
    }
}
