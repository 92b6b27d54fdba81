import GStreamerKit
import Testing

@testable import HostCore

@Suite struct TrialVerdictTests {
    private static let fault = TrialFault("did \"it\"", expected: "not", fix: "do not")

    private func judge(_ ending: ProbeEnding, _ lines: String...) -> TrialVerdict {
        .judge(ending, TrialReport(Array(lines.joined().utf8)), lastWords: "words")
    }

    @Test func aTrialThatCameToItsEndIsWhatItFound() {
        #expect(judge(.exited(0), TrialReport.complete()) == .passed)
        #expect(judge(.exited(0), TrialReport.fault(Self.fault), TrialReport.complete()) == .failed([Self.fault]))
        #expect(judge(.exited(0), TrialReport.skipped("why"), TrialReport.complete()) == .skipped("why"))
    }

    @Test func aCrashNamesTheCallThatDidNotComeBack() {
        let lines = [
            TrialReport.step("two at once"), TrialReport.call("init"), TrialReport.back(), TrialReport.call("on_event"),
        ]
        #expect(
            judge(.signalled(11), lines.joined())
                == .crashed("SIGSEGV in on_event (two at once)", lastWords: "words", faults: []))
        #expect(
            judge(.late(.seconds(2)), lines.joined())
                == .hung("no end after 2s, in on_event (two at once)", lastWords: "words", faults: []))
        #expect(
            judge(.exited(0), lines.joined())
                == .crashed(
                    "it ended its process with code 0 in on_event (two at once)", lastWords: "words", faults: []))
    }

    /// The control thread was in a call, too, and did nothing wrong.
    @Test(arguments: [
        (0, "on a thread that the host does not call it on"), (1, "in on_timer"),
        (2, "in tap.buffer on a streaming thread"),
        (3, "on a worker"),
    ])
    func aCrashIsThatOfTheThreadItIsOn(role: Int, place: String) {
        let lines = [TrialReport.stream("tap.buffer"), TrialReport.call("on_timer"), "thread \(role)\n", "thread 1\n"]
        #expect(
            judge(.signalled(6), lines.joined()) == .crashed("SIGABRT \(place)", lastWords: "words", faults: []))
    }

    @Test func theEndOfTheOtherProcessIsThePlugins() {
        #expect(
            judge(.exited(1), TrialReport.call("deactivate"), TrialReport.guest(.signalled(6)))
                == .crashed("SIGABRT in deactivate", lastWords: "words", faults: []))
        #expect(
            judge(.exited(1), TrialReport.stream("tap.buffer"), TrialReport.guest(.exited(3)))
                == .crashed(
                    "it ended its process with code 3 outside any call of the host, after tap.buffer on a streaming thread",
                    lastWords: "words", faults: []))
    }

    @Test func whatWasReadAfterItsCallIsAFaultAndNoCrash() {
        guard
            case .failed(let faults) = judge(
                .signalled(11), TrialReport.call("deactivate"), "lent the event of on_event\n")
        else { return #expect(Bool(false), "no fault") }
        #expect(faults.first?.found == "read the event of on_event after that call had returned, in deactivate; words")
    }

    @Test func aKillFromOutsideSaysNothingOfThePlugin() {
        guard case .broken = judge(.signalled(9)) else { return #expect(Bool(false), "blamed") }
    }

    @Test func whatIsNoLineOfOursIsPassedOver() {
        let report = TrialReport(Array("noise\nfault no json\nstep a\n\u{0}\u{1}\ncomplete \nstep cut".utf8))
        #expect(report.step == "a")
        #expect(report.isComplete)
        #expect(report.faults.isEmpty)
    }

    @Test func aTrialIsAskedForByItsName() {
        #expect(TrialStep.named("storm")?.map(\.name) == ["storm", "storm/serialised"])
        #expect(TrialStep.named("storm/serialised")?.map(\.name) == ["storm/serialised"])
        #expect(TrialStep.named("storm/in-process")?.map(\.name) == ["storm"])
        #expect(TrialStep.named("leak")?.map(\.name) == ["leak"])
        #expect(TrialStep.named("strom") == nil)
        #expect(Set(TrialStep.all.map(\.name)).count == TrialStep.all.count)
    }

    @Test func theTagsOfTheHeadersDecide() {
        #expect(HostFunction.post.fault(.main, .ready) == nil)
        #expect(HostFunction.post.fault(.worker, .active) == nil)
        #expect(HostFunction.post.fault(.stream, .active)?.found == "called events.post on a streaming thread")
        #expect(HostFunction.post.fault(.main, .initialising)?.found == "called events.post in init")
        #expect(HostFunction.attach.fault(.main, .activating) == nil)
        #expect(HostFunction.attach.fault(.main, .ready) != nil)
        #expect(HostFunction.attach.fault(.own, .active)?.found == "called tap.attach on a thread of its own")
        for role in [CallRole.main, .stream, .worker, .own] {
            #expect(HostFunction.requestMain.fault(role, .active) == nil)
            #expect(HostFunction.requestMain.fault(role, .created) != nil)
            #expect(HostFunction.reply.fault(role, .gone)?.found == "called commands.reply after destroy")
        }
    }
}
