import Testing

@testable import HostCore

@Suite struct ElementRequirementsTests {
    func requirements(_ pipelines: [(String, String)]) throws -> ElementRequirements {
        let text = "mediahost: 1\npipelines:\n" + pipelines.map { "  \($0.0): { launch: '\($0.1)' }\n" }.joined()
        let (configuration, _) = ConfigurationLoader.load(
            SourceFile(path: "a.yaml", text: text), environment: [:], catalog: nil)
        return ElementRequirements.of(try #require(configuration), catalog: TestCatalog())
    }

    @Test func everyFactoryIsThereOnceWithItsPipelines() throws {
        let found = try requirements([
            ("a", "videotestsrc ! video/x-raw ! fakesink"), ("b", "file:///x ! fakesink"),
        ])
        #expect(found.elements.map(\.factory) == ["videotestsrc", "fakesink", "capsfilter", "filesrc"])
        #expect(found.elements.map(\.pipelines) == [["a"], ["a", "b"], ["a"], ["b"]])
        #expect(found.elements.allSatisfy { $0.isPresent && $0.plugin == "test" })
        #expect(found.missingPackages.isEmpty)
    }

    @Test func missingElementsNameTheirPackages() throws {
        let found = try requirements([("a", "fakesrc ! h264parse ! avdec_h264 ! h265parse ! nosuch ! fakesink")])
        #expect(
            found.elements.map(\.package) == [
                nil, "gstreamer1.0-plugins-bad", "gstreamer1.0-libav", "gstreamer1.0-plugins-bad", nil, nil,
            ])
        #expect(found.elements.map(\.isPresent) == [true, false, false, false, false, true])
        #expect(found.missingPackages == ["gstreamer1.0-libav", "gstreamer1.0-plugins-bad"])
        #expect(
            JSONText.render(found.value, pretty: false).contains(
                #"{"element":"h264parse","present":false,"plugin":null,"package":"gstreamer1.0-plugins-bad","pipelines":["a"]}"#
            ))
    }

    /// As the packages' own lists say; the last are in no list.
    @Test(arguments: [
        ("timeoverlay", "gstreamer1.0-x"), ("videotestsrc", "gstreamer1.0-plugins-base"),
        ("rtph264pay", "gstreamer1.0-plugins-good"), ("rtpsrc", "gstreamer1.0-plugins-bad"),
        ("rtpasfdepay", "gstreamer1.0-plugins-ugly"), ("glimagesink", "gstreamer1.0-gl"),
        ("x264enc", "gstreamer1.0-plugins-ugly"), ("x265enc", "gstreamer1.0-plugins-bad"),
        ("avenc_aac", "gstreamer1.0-libav"), ("avdeinterlace", "gstreamer1.0-libav"), ("alsasrc", "gstreamer1.0-alsa"),
        ("pulsesrc", "gstreamer1.0-plugins-good"), ("motioncells", "gstreamer1.0-opencv"),
        ("souphttpsrc", "gstreamer1.0-plugins-good"), ("v4l2slh264dec", "gstreamer1.0-plugins-bad"),
        ("v4l2h264enc", "gstreamer1.0-plugins-good"), ("vaapih264enc", "gstreamer1.0-vaapi"),
        ("vah264enc", "gstreamer1.0-plugins-bad"), ("libcamerasrc", "gstreamer1.0-libcamera"),
        ("pipewiresrc", "gstreamer1.0-pipewire"),
    ]) func packageIsDebians(_ factory: String, _ package: String) {
        #expect(DebianPackages.package(of: factory) == package)
    }

    @Test(arguments: ["fakesrc", "nosuch", "volumee", "rtpnosuch", ""]) func elsewhereIsNoPackage(_ factory: String) {
        #expect(DebianPackages.package(of: factory) == nil)
    }
}
