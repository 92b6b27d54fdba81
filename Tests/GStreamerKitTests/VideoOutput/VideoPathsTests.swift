import Testing

@testable import GStreamerKit

/// What belongs to the pictures, in launch texts as users write them.
@Suite struct VideoPathsTests {
    init() throws { try GStreamer.start() }

    private struct Found {
        var cuts: [String]
        /// By cut.
        var outlets: [[String]]
        var elements: [String]
        var sinks: [String]
        var leavesOthers: Bool
    }

    /// - Parameter listened: "element.pad" for each.
    private func paths(_ launch: String, listened: [String] = []) throws -> Found {
        let pipeline = try Pipeline(launch: launch, name: "paths")
        pipeline.setState(.paused)
        #expect(pipeline.state(timeout: .seconds(20)).current == .paused)
        defer { pipeline.setState(.null) }
        let pads = try listened.map { text in
            let words = text.split(separator: ".").map(String.init)
            return try #require(pipeline.element(named: words[0])?.pad(named: words[1]))
        }
        let paths = VideoPaths(of: pipeline, listened: pads)
        return Found(
            cuts: paths.cuts.map { "\($0.pad.leafElement?.name ?? "").\($0.pad.name) \($0.decoder?.name ?? "raw")" },
            outlets: paths.cuts.map { $0.outlets.map { "\($0.leafElement?.name ?? "").\($0.name)" } },
            elements: paths.elements.map(\.name), sinks: paths.sinks.map(\.name), leavesOthers: paths.leavesOthers)
    }

    private let sound = " audiotestsrc ! fakesink name=ears"
    private let coded =
        "videotestsrc ! video/x-raw,width=64,height=48 ! x264enc tune=zerolatency ! h264parse name=coded"

    @Test func fromTheDecoderOnWhereThereIsOne() throws {
        let found = try paths(
            coded + " ! queue name=q ! avdec_h264 name=d ! videoconvert name=c ! fakesink name=eyes" + sound)
        #expect(found.cuts == ["q.src d"])
        #expect(found.outlets == [[]])
        #expect(found.elements == ["eyes", "c"] && found.sinks == ["eyes"] && found.leavesOthers)
    }

    /// What was decoded ahead is in the queues: only what is behind the last of them is ended.
    @Test func queuesBehindADecoderGoOn() throws {
        let found = try paths(
            coded + " ! avdec_h264 name=d ! queue name=a ! videoconvert name=c ! queue name=b ! identity name=i"
                + " ! fakesink name=eyes" + sound)
        #expect(found.cuts == ["coded.src d"] && found.outlets == [["b.src"]])
        #expect(found.elements == ["eyes", "i"])
    }

    /// Who pushes into what is at rest stops for good: a queue goes on only where each of its ways ends behind one.
    @Test func aTeeGoesOnOnlyWhereEachOfItsWaysHasAQueue() throws {
        let ways =
            " ! tee name=t ! queue name=a ! fakesink name=inline t. ! identity name=i ! fakesink name=full async=false"
        let direct = try paths(coded + " ! avdec_h264 name=d" + ways + sound)
        #expect(direct.outlets == [[]])
        #expect(Set(direct.elements) == ["t", "a", "inline", "i", "full"])
        let queued = try paths(coded + " ! avdec_h264 name=d ! queue name=q" + ways + sound)
        #expect(queued.outlets == [["q.src"]])
        #expect(Set(queued.elements) == ["t", "a", "inline", "i", "full"])
    }

    /// Kept back right before a mixer, one picture would wait there for those of the others for ever.
    @Test func queuesBeforeAMixerGoWithIt() throws {
        let mixed =
            coded + " ! avdec_h264 name=d ! queue name=a ! m.sink_0 videotestsrc ! video/x-raw,width=64,height=48"
            + " ! x264enc tune=zerolatency ! avdec_h264 name=e ! queue name=b ! m.sink_1 compositor name=m"
        let direct = try paths(mixed + " ! fakesink name=eyes" + sound)
        #expect(direct.outlets == [[], []] && Set(direct.elements) == ["a", "b", "m", "eyes"])
        let queued = try paths(mixed + " ! queue name=q ! fakesink name=eyes" + sound)
        #expect(queued.outlets == [["q.src"], ["q.src"]] && queued.elements == ["eyes"])
    }

    @Test func fromTheBranchOnWherePicturesAreRaw() throws {
        let found = try paths(
            "videotestsrc ! tee name=t ! queue name=q ! videoconvert name=c ! fakesink name=eyes"
                + " t. ! queue ! x264enc tune=zerolatency ! fakesink name=file" + sound)
        // From its queue on.
        #expect(found.cuts == ["q.src raw"])
        #expect(found.elements == ["eyes", "c"] && found.leavesOthers)
    }

    /// It heard nothing while nobody was shown anything.
    @Test func whatSomebodyListensToGoesOn() throws {
        let launch =
            coded + " ! queue name=q ! avdec_h264 name=d ! videoconvert name=c ! identity name=i ! fakesink name=eyes"
            + sound
        let decoded = try paths(launch, listened: ["c.src"])
        #expect(decoded.cuts == ["c.src raw"])
        #expect(decoded.elements == ["eyes", "i"] && decoded.sinks == ["eyes"])
        // That is what the sink gets.
        #expect(try paths(launch, listened: ["eyes.sink"]).cuts == ["q.src d"])
        // In front of the decoder, which is at rest all the same.
        #expect(try paths(launch, listened: ["coded.src", "q.src"]).cuts == ["q.src d"])
        let source = "videotestsrc name=v ! identity name=i ! identity name=o ! fakesink name=eyes" + sound
        #expect(try paths(source, listened: ["v.src"]).elements == ["eyes", "o", "i"])
        #expect(try paths(source, listened: ["i.src"]).elements == ["eyes", "o"])
    }

    /// Of two inputs only one is listened to: cut off alone, the other would have let that one push into a sink that is at rest.
    @Test func anElementOfTwoInputsIsCutBehindIt() throws {
        let mixed =
            "videotestsrc ! queue name=a ! m.sink_0 videotestsrc ! queue name=b ! m.sink_1"
            + " compositor name=m ! fakesink name=eyes" + sound
        let whole = try paths(mixed)
        #expect(Set(whole.cuts) == ["a.src raw", "b.src raw"] && whole.elements == ["eyes", "m"])
        let found = try paths(mixed, listened: ["m.sink_0"])
        #expect(found.cuts == ["m.src raw"] && found.elements == ["eyes"])
    }

    @Test func severalViewsOfOneDecoder() throws {
        let found = try paths(
            coded + " ! avdec_h264 name=d ! tee name=t ! queue name=a ! fakesink name=inline"
                + " t. ! queue name=b ! fakesink name=full" + sound)
        #expect(found.cuts == ["coded.src d"])
        #expect(found.outlets.map(Set.init) == [["a.src", "b.src"]])
        #expect(Set(found.elements) == ["inline", "full"])
        #expect(Set(found.sinks) == ["inline", "full"])
    }

    /// What looks at pictures for another purpose keeps its decoder.
    @Test func aDecoderThatIsSharedStays() throws {
        let found = try paths(
            coded + " ! avdec_h264 name=d ! tee name=t ! queue name=a ! fakesink name=eyes"
                + " t. ! queue name=b ! x264enc tune=zerolatency ! filesink location=/dev/null" + sound)
        #expect(found.cuts == ["a.src raw"])
        #expect(found.elements == ["eyes"])
    }

    @Test func nothingElseIsLeft() throws {
        let found = try paths(coded + " ! avdec_h264 ! fakesink")
        #expect(!found.leavesOthers)
    }

    @Test func soundAloneHasNoPictures() throws {
        let found = try paths("audiotestsrc ! fakesink")
        #expect(found.cuts.isEmpty && found.sinks.isEmpty)
    }
}
