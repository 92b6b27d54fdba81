import Testing

@testable import GStreamerKit

/// What can be asked of GStreamer without running anything.
@Suite struct InspectionTests {
    init() throws { try GStreamer.start() }

    @Test func registryHasItsCoreAndNothingOfItIsBlacklisted() throws {
        let plugins = RegisteredPlugin.all()
        let core = try #require(plugins.first { $0.name == "coreelements" })
        #expect(core.file?.hasSuffix("libgstcoreelements.so") == true && !core.isBlacklisted)
    }

    @Test func graphShowsWhatWasSetAndLiveCapsWhereAsked() throws {
        let pipeline = try Pipeline(
            launch: "videotestsrc num-buffers=1 ! video/x-raw,width=64,height=48 ! fakesink name=end", name: "drawn")
        let still = try #require(pipeline.graph(.structure))
        #expect(still.contains(#"GstVideoTestSrc"#) && still.contains("num-buffers=1"))
        #expect(!still.contains("width: 64"))
        pipeline.setState(.paused)
        #expect(pipeline.state(timeout: .seconds(10)).current == .paused)
        let live = try #require(pipeline.graph(.everything))
        #expect(live.contains("64") && live.contains("[=]"))
        pipeline.setState(.null)
    }

    @Test func changedPropertiesAreThoseThatMakeTheElementAgain() throws {
        let pipeline = try Pipeline(
            launch: #"fakesrc name=a num-buffers=3 sizetype=fixed is-live=true ! filesink name=b location="a \"b""#,
            name: "changed")
        let source = try #require(pipeline.element(named: "a")).changedProperties
        #expect(Set(source.map { "\($0.name)=\($0.text)" }) == ["num-buffers=3", "sizetype=fixed", "is-live=true"])
        let sink = try #require(pipeline.element(named: "b")).changedProperties
        #expect(sink.contains(Device.Property("location", #"a "b"#)))
    }

    @Test func intersectionSeesRangesAndLists() throws {
        let wide = try #require(Caps("video/x-raw,width=[ 1, 2000 ],framerate={ 30/1, 15/1 }"))
        #expect(wide.canIntersect(try #require(Caps("video/x-raw,width=1280,framerate=15/1"))))
        #expect(!wide.canIntersect(try #require(Caps("video/x-raw,width=1280,framerate=25/1"))))
        #expect(!wide.canIntersect(try #require(Caps("image/jpeg"))))
    }
}
