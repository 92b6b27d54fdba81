import Foundation
import Testing

/// `mediahost init` and what it finds; `mediahost check` takes whatever it writes.
@Suite(.timeLimit(.minutes(10)))
struct InitTests {
    private func mediahost(_ arguments: [String], _ environment: [String: String] = [:], in place: Workplace)
        async throws
        -> Tool.Result
    {
        try await Tool.run(Workplace.mediahost, arguments, environment: environment, in: place.directory)
    }

    /// An environment in which GStreamer finds a camera, a microphone and a loudspeaker.
    private func devices(in place: Workplace) async throws -> [String: String] {
        let flags = try await Tool.require("pkg-config", ["--cflags", "--libs", "gstreamer-1.0"], in: place.directory)
        try FileManager.default.createDirectory(atPath: place.path("gst"), withIntermediateDirectories: true)
        try await Tool.require(
            "cc",
            ["-std=c11", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", "\(Workplace.fixtures)/fake-devices.c"]
                + ["-o", place.path("gst/libgstmediahostfakedevices.so")]
                + flags.output.split(whereSeparator: \.isWhitespace).map(String.init), in: place.directory)
        // A registry of its own: the shared one must not learn of this plugin.
        return ["GST_PLUGIN_PATH": place.path("gst"), "GST_REGISTRY": place.path("registry.bin")]
    }

    @Test func withoutDevicesATestPictureIsWrittenAndRuns() async throws {
        let place = try Workplace()
        let result = try await mediahost(["init"], in: place)
        #expect(result.ending == .exit(0), "\(result.errors)")
        #expect(result.output == "wrote mediahost.yaml; next: `mediahost run mediahost.yaml`\n" && result.errors == "")
        let check = try await mediahost(["check", "mediahost.yaml"], in: place)
        #expect(check.ending == .exit(0), "\(check.errors)")
        let text = try String(contentsOfFile: place.path("mediahost.yaml"), encoding: .utf8)
        try await withHost(text, in: place) { host in
            try await host.log.next(containing: "first buffer")
            try await host.terminate()
        }
    }

    @Test func existingFileIsLeftAloneUnlessForced() async throws {
        let place = try Workplace()
        try place.write("mine", to: "own.yaml")
        let refused = try await mediahost(["init", "--output", "own.yaml"], in: place)
        #expect(refused.ending == .exit(1))
        #expect(
            refused.errors
                == "mediahost init: own.yaml exists and is left alone: --force replaces it, --output names another file\n"
        )
        #expect(try String(contentsOfFile: place.path("own.yaml"), encoding: .utf8) == "mine")
        let forced = try await mediahost(["init", "--output", "own.yaml", "--force"], in: place)
        #expect(forced.ending == .exit(0))
        let printed = try await mediahost(["init", "-o", "-"], in: place)
        let written = try String(contentsOfFile: place.path("own.yaml"), encoding: .utf8)
        #expect(printed.output.replacing("mediahost.yaml", with: "own.yaml") == written)
        #expect(!place.exists("mediahost.yaml"))
        let nowhere = try await mediahost(["init", "-o", "/nowhere/x.yaml"], in: place)
        #expect(nowhere.ending == .exit(1))
        #expect(nowhere.errors == "mediahost init: cannot write /nowhere/x.yaml: No such file or directory\n")
    }

    @Test func devicesThatAreFoundAreWrittenAndChecked() async throws {
        let place = try Workplace()
        let environment = try await devices(in: place)
        let result = try await mediahost(["init"], environment, in: place)
        #expect(result.ending == .exit(0), "\(result.errors)")
        let text = try String(contentsOfFile: place.path("mediahost.yaml"), encoding: .utf8)
        for line in [
            "# Porch Camera: 1280x720", "v4l2src name=camera device=/dev/video42\n",
            "! image/jpeg,width=1280,height=720,framerate=30/1\n", #"pulsesrc name=microphone device="porch mic""#,
            "# Porch Speaker: take the marks away", "#     ! pulsesink name=speaker device=porch.sink\n",
        ] { #expect(text.contains(line), "\(line) in:\n\(text)") }
        #expect(!text.contains("Monitor"))
        let check = try await mediahost(["check", "mediahost.yaml"], environment, in: place)
        #expect(check.ending == .exit(0), "\(check.errors)")

        let doctor = try await mediahost(["doctor", "mediahost.yaml"], environment, in: place)
        #expect(doctor.output.contains("ok       Video/Source: Porch Camera (v4l2src)\n"), "\(doctor.output)")
        #expect(doctor.output.contains("mediahost.yaml: 2 pipelines, 1 plugin; its elements are all there: "))
    }
}
