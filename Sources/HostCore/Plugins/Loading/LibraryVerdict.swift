internal import GStreamerKit

/// What is known of a library before the host maps it.
enum LibraryVerdict: Sendable, Equatable {
    case sound(LibraryFacts)
    /// It said no, or was found wanting: looked at again each time.
    case refused(PluginFailure)
    /// It took its probe down with it. It is not tried again until its file changes.
    case dangerous(ProbeFault)
    /// No child could be started.
    case unprobed(PluginFailure)
}

/// How a library spoiled its probe.
struct ProbeFault: Sendable, Equatable {
    /// "crashed with SIGSEGV while it was probed (in init)"
    var text: String
    /// What it wrote last, on one line; empty where it wrote nothing.
    var lastWords: String
}

/// How the child of a probe ended.
enum ProbeEnding: Sendable, Equatable {
    case exited(Int32)
    case signalled(Int32)
    /// Killed, because it took longer than this.
    case late(ClockTime)
    /// Killed, because it wrote more than a report has.
    case flooding
    /// Not started; the system's words.
    case absent(String)
}

extension LibraryVerdict {
    /// Tells a crash from a hang, from an `exit`, and from a refusal.
    static func judge(_ path: String, _ ending: ProbeEnding, _ report: ProbeReport, lastWords: String) -> LibraryVerdict
    {
        let place = report.phase?.place ?? "before it was mapped"
        func fault(_ what: String) -> LibraryVerdict {
            .dangerous(ProbeFault(text: "\(what) while it was probed (\(place))", lastWords: lastWords))
        }
        switch (ending, report.end) {
        case (.absent(let reason), _):
            return .unprobed(PluginFailure("cannot start a process to probe \(path): \(reason)"))
        case (.exited(0), .sound(let facts)?): return .sound(facts)
        case (.exited(0), .refused(let failure)?): return .refused(failure)
        // The child is at its end then: what came after its report came from the library all the same.
        case (.late(let limit), _): return fault("hung for \(Quantity.durationText(limit.nanoseconds))")
        case (.flooding, _): return fault("wrote \(ProbeReport.mostBytes >> 20) MiB and more into its report")
        case (.signalled(let number), _) where SignalName.comesFromOutside(number):
            return .refused(
                PluginFailure(
                    "\(path): its probe was killed with \(SignalName.of(number)) (\(place))",
                    help: "the system may be short of memory (`dmesg`); try again"))
        case (.signalled(let number), _): return fault("crashed with \(SignalName.of(number))")
        case (.exited(let code), _):
            // Without a phase it was the child itself that could not begin.
            if report.phase == nil {
                return .unprobed(
                    PluginFailure(
                        "the process to probe \(path) ended with code \(code) before it began"
                            + (lastWords.isEmpty ? "" : ": \(lastWords)")))
            }
            return fault("ended the process with code \(code)")
        }
    }
}
