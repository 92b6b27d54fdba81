import GStreamerKit
import Testing

@testable import HostCore

/// Our launch parser against GStreamer's: what one takes the other takes, and what is built is what we said.
@Suite struct LaunchDifferentialTests {
    init() throws { try GStreamer.start() }

    /// Where we refuse what GStreamer builds: a part of our message, and why. Each must be needed.
    static let stricter: [(message: String, reason: String)] = [
        ("the quote is never closed", "GStreamer takes the quote into the value"),
        ("has no value before the link", "GStreamer sets the value \"!\" and the link is gone"),
        ("this element has a name already", "GLib complains on standard error and keeps one of them"),
        ("two elements are named", "names are paths of the control API; in one bin GStreamer drops the second element"),
        ("a name may not be empty", "an element without a name cannot be found again"),
        ("is no bin", "GStreamer makes the element and loses all that it should hold"),
        ("cannot be set", "GLib complains on standard error and sets nothing"),
        (" cannot be -2", "GLib complains on standard error and keeps the default"),
        (" cannot be 3000000000", "GStreamer wraps the number around"),
        (" cannot be 20", "GLib complains on standard error and keeps the default"),
        (" cannot be 4294967296", "GStreamer wraps the number around"),
        ("have no format in common", "a \":\" link that can never be made is silently left out"),
        ("no sink pad \"nosuchpad\"", "a \":\" link that can never be made is silently left out"),
        ("no source pad \"nosuchpad\"", "a \":\" link that can never be made is silently left out"),
        ("has no sink pad", "a \":\" link that can never be made is silently left out"),
        ("has no source pad", "a \":\" link that can never be made is silently left out"),
        (
            "unexpected \"é\"",
            "a byte outside ASCII ends the text for GStreamer: it silently leaves out all that follows"
        ),
        ("only the first of these", "GStreamer silently leaves the other pads out"),
    ]

    /// What only building shows: ids of the corpus, and why. Each must be needed.
    static let laxer = [
        "c60": "formats that meet behind an identity", "l19": "formats that meet behind a queue",
        "l23": "formats that meet behind a tee", "l28": "playbin does not say which pads it has",
        "s38": "the tee gave src_0 to the link before, by itself",
        "l29": "playbin does not say which pads it has",
    ]

    @Test func bothReadTheCorpusAlike() throws {
        let referee = LaunchReferee()
        var ids = Set<String>()
        var needed = Set<String>()
        var built = 0
        for one in LaunchCorpus.cases {
            #expect(ids.insert(one.id).inserted, "two cases are called \(one.id)")
            let agreement = try LaunchAgreement(one.launch, referee)
            if agreement.isBuilt { built += 1 }
            #expect(agreement.differences.isEmpty, "\(one)")
            for message in agreement.stricter {
                let reasons = Self.stricter.filter { message.contains($0.message) }
                #expect(!reasons.isEmpty, "\(one) is refused by us alone: \(message)")
                needed.formUnion(reasons.map(\.message))
            }
            if let words = agreement.laxer {
                #expect(Self.laxer[one.id] != nil, "\(one) is refused by GStreamer alone: \(words)")
                needed.insert(one.id)
            }
        }
        #expect(needed == Set(Self.stricter.map(\.message)).union(Self.laxer.keys), "a deviation is not needed")
        #expect(LaunchCorpus.handWritten.count >= 400)
        #expect(LaunchCorpus.cases.count >= 1000)
        #expect(built >= 400, "most texts are there to be built")
        #expect(Set(LaunchCorpus.cases.map(\.launch)).count >= 1000, "distinct texts")
    }
}
