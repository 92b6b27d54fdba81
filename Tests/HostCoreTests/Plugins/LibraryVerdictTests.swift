import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

/// How a probe ended, from what its child reported and how it died.
@Suite struct LibraryVerdictTests {
    private static let facts = LibraryFacts(
        abi: "0.1", builtWith: "cc",
        descriptors: [
            PluginDescriptor(
                id: "org.example.x", name: "X", vendor: "", version: "1", license: "MIT", summary: "Is an X.",
                requires: ["mh.log.draft/1"], optional: ["a", "b"], configSchema: #"{"type":"object"}"#,
                flags: UInt64.max)
        ])
    private static let failure = PluginFailure("no", help: "do")

    private func judge(_ ending: ProbeEnding, _ report: ProbeReport, _ words: String = "") -> LibraryVerdict {
        .judge("/x.so", ending, report, lastWords: words)
    }

    private func fault(_ verdict: LibraryVerdict) -> String? {
        if case .dangerous(let fault) = verdict { fault.text } else { nil }
    }

    @Test func cleanEndsAreWhatWasReported() {
        #expect(judge(.exited(0), ProbeReport(phase: .descriptors, end: .sound(Self.facts))) == .sound(Self.facts))
        #expect(judge(.exited(0), ProbeReport(phase: .load, end: .refused(Self.failure))) == .refused(Self.failure))
    }

    @Test func crashExitAndHangAreToldApartWithTheirPhase() {
        #expect(
            fault(judge(.signalled(11), ProbeReport(phase: .initialise)))
                == "crashed with SIGSEGV while it was probed (in init)")
        #expect(
            fault(judge(.signalled(34), ProbeReport(phase: .factory)))
                == "crashed with signal 34 while it was probed (in get_factory)")
        #expect(
            fault(judge(.exited(3), ProbeReport(phase: .entry)))
                == "ended the process with code 3 while it was probed (in its entry)")
        #expect(
            fault(judge(.late(.seconds(5)), ProbeReport(phase: .load)))
                == "hung for 5s while it was probed (while it was mapped, in a constructor of it or of a library it needs)"
        )
        let words = judge(.signalled(6), ProbeReport(phase: .initialise), "oh no")
        #expect(
            words
                == .dangerous(
                    ProbeFault(text: "crashed with SIGABRT while it was probed (in init)", lastWords: "oh no")))
    }

    /// The kernel kills whom it likes when memory is short: that must not put a good library into quarantine.
    @Test func whatIsKilledFromOutsideIsTriedAgainNextTime() {
        guard case .refused(let failure) = judge(.signalled(9), ProbeReport(phase: .initialise)) else {
            Issue.record("not refused")
            return
        }
        #expect(failure.message == "/x.so: its probe was killed with SIGKILL (in init)")
    }

    /// A report is worth nothing where the child died after it.
    @Test func whoDiesAfterTheReportIsDangerous() {
        #expect(fault(judge(.signalled(11), ProbeReport(phase: .descriptors, end: .sound(Self.facts)))) != nil)
        #expect(fault(judge(.late(.seconds(1)), ProbeReport(phase: .descriptors, end: .sound(Self.facts)))) != nil)
    }

    @Test func whatIsNotTheLibrarysFaultIsNoQuarantine() {
        for verdict in [judge(.absent("no memory"), ProbeReport()), judge(.exited(127), ProbeReport(), "cannot run")] {
            guard case .unprobed(let failure) = verdict else {
                Issue.record("\(verdict)")
                continue
            }
            #expect(failure.message.contains("/x.so"))
        }
    }

    @Test func reportIsReadBackAsItWasWritten() {
        let lines = ProbePhase.allCases.map(ProbeReport.line) + [ProbeReport.line(.sound(Self.facts))]
        #expect(ProbeReport(Array(lines.joined().utf8)) == ProbeReport(phase: .descriptors, end: .sound(Self.facts)))
        let refused = ProbeReport.line(.load) + ProbeReport.line(.refused(Self.failure))
        #expect(ProbeReport(Array(refused.utf8)) == ProbeReport(phase: .load, end: .refused(Self.failure)))
    }

    /// A plugin writes where it likes, and a fork of it writes all of it twice.
    @Test func noiseInTheReportIsPassedOver() {
        let text =
            "phase load\nnonsense\n\u{0}\nphase dance\nsound {}\nrefused []\nphase init\n"
            + ProbeReport.line(.refused(Self.failure)) + "phase entry\n" + ProbeReport.line(.sound(Self.facts))
        #expect(ProbeReport(Array(text.utf8)) == ProbeReport(phase: .initialise, end: .refused(Self.failure)))
        #expect(ProbeReport([]) == ProbeReport())
        // Cut off by its death.
        #expect(ProbeReport(Array("phase load\nphase init".utf8)) == ProbeReport(phase: .load))
        #expect(ProbeReport([0xff, 0x20, 0x0a, 0xff, 0x0a]) == ProbeReport())
    }

    @Test func limitComesFromTheEnvironment() {
        let said = Recorder<String>()
        let log = Log { _, _, text in said.record(text) }
        func limit(_ text: String) -> ClockTime { LibraryProbe.limit(["MEDIAHOST_PROBE_LIMIT": text], log: log) }
        #expect(LibraryProbe.limit([:], log: log) == .seconds(5))
        #expect(limit("250ms") == .milliseconds(250))
        #expect(said.elements.isEmpty)
        for text in ["", "soon", "0s", "-1s"] { #expect(limit(text) == .seconds(5)) }
        #expect(said.elements.count == 4)
    }
}
