internal import GStreamerKit

/// What came of a trial.
enum TrialVerdict: Sendable, Equatable {
    case passed
    case failed([TrialFault])
    /// It took its process down: "SIGSEGV in on_event", and what it wrote last.
    case crashed(String, lastWords: String, faults: [TrialFault])
    /// It did not come back: "10s in on_event".
    case hung(String, lastWords: String, faults: [TrialFault])
    case skipped(String)
    /// The trial itself could not be held; nothing is known of the plugin.
    case broken(String)

    var word: String {
        switch self {
        case .passed: "passed"
        case .failed: "failed"
        case .crashed: "crashed"
        case .hung: "hung"
        case .skipped: "skipped"
        case .broken: "broken"
        }
    }

    var isGood: Bool {
        switch self {
        case .passed, .skipped: true
        case .failed, .crashed, .hung, .broken: false
        }
    }

    /// Tells a crash from a hang, from an `exit`, and from a fault.
    static func judge(_ ending: ProbeEnding, _ report: TrialReport, lastWords: String) -> TrialVerdict {
        if let lent = report.lent { return .failed([borrowed(lent, report, lastWords)] + report.faults) }
        let place = place(report)
        switch (ending, report.guest) {
        case (.absent(let reason), _): return .broken("no process could be started: \(reason)")
        case (_, .signalled(let number)?):
            return .crashed("\(SignalName.of(number)) \(place)", lastWords: lastWords, faults: report.faults)
        case (_, .exited(let code)?):
            return .crashed(
                "it ended its process with code \(code) \(place)", lastWords: lastWords, faults: report.faults)
        case (.late(let limit), _):
            let time = Quantity.durationText(limit.nanoseconds)
            return .hung("no end after \(time), \(place)", lastWords: lastWords, faults: report.faults)
        case (.flooding, _): return .failed(report.faults + [flood])
        case (.signalled(let number), _) where SignalName.comesFromOutside(number):
            return .broken("its process was killed with \(SignalName.of(number)): is the system short of memory?")
        case (.signalled(let number), _):
            return .crashed("\(SignalName.of(number)) \(place)", lastWords: lastWords, faults: report.faults)
        case (.exited(let code), _) where !report.isComplete:
            return .crashed(
                "it ended its process with code \(code) \(place)", lastWords: lastWords, faults: report.faults)
        case (.exited, _): break
        }
        if !report.faults.isEmpty { return .failed(report.faults) }
        return report.skipped.map { .skipped($0) } ?? .passed
    }

    private static func place(_ report: TrialReport) -> String {
        let step = report.step.map { " (\($0))" } ?? ""
        // What crashed on another thread says nothing of the call that the control thread is in.
        switch report.crashed {
        case .stream?: if let call = report.stream { return "in \(call) on a streaming thread\(step)" }
        case .worker?: return "\(CallRole.worker.text)\(step)"
        case .own?: return "on a thread that the host does not call it on\(step)"
        case .main?, nil: if let call = report.open.last { return "in \(call)\(step)" }
        }
        let stream = report.stream.map { ", after \($0) on a streaming thread" } ?? ""
        return "outside any call of the host\(stream)\(step)"
    }

    private static func borrowed(_ what: String, _ report: TrialReport, _ lastWords: String) -> TrialFault {
        let place = lastWords.isEmpty ? "" : "; \(lastWords)"
        if what == "mh_host_1" {
            return TrialFault(
                "used its mh_host_1 after destroy had returned, \(self.place(report))\(place)",
                expected: "it is valid from create until destroy has returned (mediahost/host.h)",
                fix: "end what uses it (threads, timers) in deactivate, and wait for its end before destroy returns")
        }
        if what == "host_data" {
            return TrialFault(
                "looked behind host_data, \(self.place(report))\(place)",
                expected: "the host's own; never touch (mediahost/host.h)",
                fix: "ask the host by the functions of its extensions")
        }
        return TrialFault(
            "read \(what) after that call had returned, \(self.place(report))\(place)",
            expected: "what goes into a call is borrowed for the call (mediahost/types.h, Ownership)",
            fix: "copy what is kept before the call returns")
    }

    private static let flood = TrialFault(
        "wrote without end into a file that is not its own", expected: "a plugin writes to files that it opened",
        fix: "do not write to descriptors by number")
}
