import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

/// From devices to a config that the loader takes.
@Suite struct StarterConfigurationTests {
    init() throws { try GStreamer.start() }

    private func starter(
        _ devices: [Device], hasReplay: Bool = true, without missing: Set<String> = ["v4l2h264enc", "vah264enc"]
    ) -> String {
        StarterConfiguration(devices: devices, hasReplay: hasReplay) { !missing.contains($0) }.text
    }

    private func load(_ text: String) throws -> HostConfiguration {
        let (configuration, found) = ConfigurationLoader.load(
            SourceFile(path: "mediahost.yaml", text: text), environment: [:], catalog: nil)
        #expect(DiagnosticRenderer().render(found) == "", "\(text)")
        return try #require(configuration)
    }

    private static let webcam = Device(
        kind: .videoSource, name: "HD Pro Webcam C920", factory: "v4l2src",
        properties: [Device.Property("device", "/dev/video0")],
        caps: Caps("image/jpeg,width=1920,height=1080,framerate=30/1"))

    private static let microphone = Device(
        kind: .audioSource, name: "C920 Mono", factory: "pulsesrc",
        properties: [Device.Property("device", "alsa_input.usb-046d.mono")])

    @Test func cameraAndMicrophoneBecomePipelines() throws {
        let text = starter([Self.webcam, Self.microphone])
        let configuration = try load(text)
        #expect(configuration.pipelines.map(\.name) == ["camera", "microphone"])
        #expect(
            configuration.pipelines.map { String(decoding: $0.launch.text.bytes, as: UTF8.self) } == [
                """
                v4l2src name=camera device=/dev/video0 ! image/jpeg,width=1920,height=1080,framerate=30/1 ! jpegdec \
                ! videoconvert ! x264enc tune=zerolatency speed-preset=veryfast key-int-max=30 ! h264parse name=encoded \
                ! fakesink

                """,
                """
                pulsesrc name=microphone device=alsa_input.usb-046d.mono ! audioconvert ! audioresample \
                ! opusenc name=encoded ! fakesink

                """,
            ])
        #expect(
            text.contains("  # HD Pro Webcam C920: 1920x1080, the best of what it offers up to 1080p30\n  camera:\n"))
        #expect(configuration.plugins.map(\.module) == ["ReplayBuffer"])
    }

    @Test func cameraThatEncodesIsNotEncodedAgain() throws {
        var camera = Self.webcam
        camera.caps = Caps("video/x-h264,width=1280,height=720,framerate=30/1; video/x-raw,width=320,height=240")
        let elements = try load(starter([camera])).pipelines[0].launch.elements.map(\.factory)
        #expect(elements == ["v4l2src", "h264parse", "fakesink"])
    }

    @Test func hardwareEncodesWhereThereIsSome() throws {
        let elements = try load(starter([Self.webcam], without: [])).pipelines[0].launch.elements.map(\.factory)
        #expect(elements.contains("v4l2h264enc") && !elements.contains("x264enc"))
    }

    @Test func withoutDevicesATestPictureAndATickStandIn() throws {
        let configuration = try load(starter([]))
        #expect(configuration.pipelines.map { $0.launch.elements[0].factory } == ["videotestsrc", "audiotestsrc"])
        #expect(configuration.plugins.count == 1)
    }

    @Test func bareGStreamerStillGivesAConfig() throws {
        let core: Set<String> = ["fakesink", "fakesrc"]
        let text = StarterConfiguration(devices: [], hasReplay: true) { core.contains($0) }.text
        let configuration = try load(text)
        #expect(Set(configuration.pipelines.flatMap { $0.launch.elements.map(\.factory) }) == core)
        #expect(configuration.plugins.isEmpty)
        #expect(text.contains("install gstreamer1.0-plugins-base"))
    }

    @Test func sameHardwareOfTwoProvidersIsWrittenOnce() throws {
        var other = Self.webcam
        other.factory = "pipewiresrc"
        var monitor = Self.microphone
        monitor.isMonitor = true
        let second = Device(
            kind: .videoSource, name: "Second", factory: "v4l2src",
            properties: [Device.Property("device", "/dev/video2")])
        let names = try load(starter([other, Self.webcam, second, monitor])).pipelines.map(\.name)
        #expect(names == ["camera", "camera2"])
    }

    @Test func loudspeakersAreOnlyComments() throws {
        let speaker = Device(
            kind: .audioSink, name: "HDMI", factory: "alsasink", properties: [Device.Property("device", "hw:0")])
        let text = starter([Self.webcam, speaker])
        #expect(try load(text).pipelines.map(\.name) == ["camera"])
        #expect(text.contains("  #     ! alsasink name=speaker device=hw:0\n"))
        // Without the marks it is a pipeline, too.
        let freed = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.hasPrefix("  # speaker") || line.hasPrefix("  #   ") ? "  " + line.dropFirst(4) : String(line)
        }.joined(separator: "\n")
        #expect(try load(freed).pipelines.map(\.name) == ["camera", "speaker"])
    }

    /// A device's own texts come from outside: a name can hold anything, a path nearly.
    @Test func hostileNamesStayInTheirComment() throws {
        var camera = Self.webcam
        camera.name = "X\n  evil: { launch: fakesrc }\u{85}\u{2028}\u{0}\u{202E}"
        #expect(try load(starter([camera])).pipelines.map(\.name) == ["camera"])
        camera.properties = [Device.Property("device", "a\nb")]
        #expect(try load(starter([camera])).pipelines[0].launch.elements[0].factory == "videotestsrc")
    }

    /// Whatever a property holds, the element gets exactly that.
    @Test func propertiesArriveAsTheyWere() throws {
        var random = Campaign(rounds: 400)
        let pieces = [
            "a", "/dev/x", " ", "\"", "'", "\\", "!", "${", "$", "{", "}", "$${", " # ", "é", "😀", "=", ";", ",", "(",
            ":", "-",
        ]
        for _ in 0..<random.rounds {
            let count = Int.random(in: 1...8, using: &random)
            let text = (0..<count).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }.joined()
            var camera = Self.webcam
            camera.properties = [Device.Property("device", text)]
            let element = try load(starter([camera])).pipelines[0].launch.elements[0]
            #expect(element.properties.last?.value == text, "\(random.note)")
        }
    }
}
