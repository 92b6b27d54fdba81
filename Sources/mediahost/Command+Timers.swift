internal import CGLib
internal import Glibc
internal import GStreamerKit
internal import HostCore

extension Command {
    private static let timersWords = ["deliver", "arm"]

    /// `mediahost timers deliver FILE`, `mediahost timers arm`
    static let timers = Command(
        name: "timers", operands: "deliver FILE | arm",
        summary: "Tell of timers that are over while no host runs, and have systemd look again in time",
        details: """
            `deliver` ends at once where a host runs: that tells by itself. Otherwise it does what the host would do with the timers of LaundryTimers that are over (events, rules, notifications, each once), starts no pipeline, and arms a transient timer of systemd for the next one, which starts mediahost-timers.service. Rules that need a pipeline or another plugin are left out.
            `--arm` says whose systemd that is: `system` (root alone), `user`, `none`, or `auto`: root's is the system's, another user's the user's where there is one. Without systemd a line of cron does: `* * * * * mediahost timers deliver --arm none FILE`.
            `--next-file` has the moment of the next one written to a file, in nanoseconds since 1970 (empty: there is none; `clock`: when the clock is set); `arm` reads it. So the one may be done by a user that has no rights, the other by root.
            Exit code 1 where something was not told, which is tried again in 5 minutes, or could not be armed.
            """,
        options: [
            OptionSpec(long: "arm", help: "Whose systemd: auto, system, user or none", value: "WHOSE"),
            OptionSpec(
                long: "next-file", help: "Where the moment of the next one is written, or read by `arm`", value: "PATH"),
            OptionSpec(long: "socket", short: "s", help: "The control socket of the host that may run", value: "PATH"),
            OptionSpec(long: "quiet", short: "q", help: "Say warnings and errors only"),
        ], words: timersWords
    ) { arguments throws(UsageError) in
        let whose = arguments.values["arm"] ?? "auto"
        guard ["auto", "system", "user", "none"].contains(whose) else {
            throw UsageError("--arm is auto, system, user or none, not \"\(whose)\"")
        }
        let isQuiet = arguments.switches.contains("quiet")
        switch (arguments.operands.first, arguments.operands.count) {
        case ("deliver", 2): return deliver(arguments.operands[1], whose, arguments, isQuiet)
        case ("deliver", _): throw UsageError("give one config file")
        case ("arm", 1):
            guard let file = arguments.values["next-file"] else { throw UsageError("give --next-file") }
            return armFrom(file, whose, isQuiet)
        case (let word?, _):
            let hint = Suggestion.nearest(to: word, among: timersWords).map { "; did you mean \"\($0)\"?" } ?? ""
            throw UsageError("no word \"\(word)\"\(hint)")
        case (nil, _): throw UsageError("say deliver or arm")
        }
    }

    private static func deliver(
        _ file: String, _ whose: String, _ arguments: ParsedArguments, _ isQuiet: Bool
    ) -> ExitCode {
        let options = DeliveryProcess.Options(
            config: file, socket: arguments.values["socket"], environment: ProcessEnvironment.variables())
        let outcome = DeliveryProcess.run(
            options, log: .standardError(upTo: isQuiet ? .warning : .notice), report: Output.report)
        switch outcome {
        case .failed(let code): return code
        case .hostRuns:
            if !isQuiet { Output.line("A host runs and tells by itself.") }
            // Its end is the next occasion.
            guard let path = arguments.values["next-file"] else { return .success }
            return write(nil, to: path) ? .success : .failure
        case .noTimers:
            if !isQuiet { Output.line("\(file) has no plugin that keeps timers (module: LaundryTimers).") }
            return finish(DeliveryProcess.Report(), whose, arguments, isQuiet)
        case .done(let report):
            if !isQuiet {
                Output.line("\(report.told) timer\(report.told == 1 ? "" : "s") told; \(text(report))")
            }
            return finish(report, whose, arguments, isQuiet)
        }
    }

    private static func finish(
        _ report: DeliveryProcess.Report, _ whose: String, _ arguments: ParsedArguments, _ isQuiet: Bool
    ) -> ExitCode {
        var code = report.isIncomplete ? ExitCode.failure : .success
        let moment = report.moment(now: ClockTime(nanoseconds: Int64(g_get_real_time()) * 1000))
        if let path = arguments.values["next-file"], !write(moment, to: path) { code = .failure }
        let armed = arm(moment, whose, isQuiet)
        return armed == .success ? code : armed
    }

    private static func text(_ report: DeliveryProcess.Report) -> String {
        guard let next = report.next else {
            return report.waitsForClock ? "the next waits for the clock to be set" : "none is running"
        }
        var seconds = time_t(next.nanoseconds / 1_000_000_000)
        var parts = tm()
        guard localtime_r(&seconds, &parts) != nil else { return "the next is over later" }
        var bytes = [CChar](repeating: 0, count: 64)
        let count = strftime(&bytes, bytes.count, "%Y-%m-%d %H:%M:%S", &parts)
        return "the next is over at "
            + String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func arm(_ next: WakeTimer.Moment?, _ whose: String, _ isQuiet: Bool) -> ExitCode {
        let environment = ProcessEnvironment.variables()
        let manager = WakeTimer.Manager(rawValue: whose == "auto" ? (geteuid() == 0 ? "system" : "user") : whose)
        guard let manager else { return .success }
        do throws(ControlError) {
            try WakeTimer(manager, environment: environment).arm(next)
            return .success
        } catch {
            // Where nobody asked for it, a machine without systemd is none that is broken.
            if whose == "auto" {
                if !isQuiet { Output.line("Not armed: \(error.message)") }
                return .success
            }
            Output.error("mediahost timers: \(error.message)")
            return .failure
        }
    }

    /// What stands in the file where the clock is waited for.
    private static let clockWord = "clock"

    private static func write(_ next: WakeTimer.Moment?, to path: String) -> Bool {
        let text =
            switch next {
            case .at(let moment): "\(moment.nanoseconds)\n"
            case .whenClockIsSet: "\(clockWord)\n"
            case nil: ""
            }
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard file >= 0 else {
            Output.error("mediahost timers: cannot write \(path): \(String(cString: strerror(errno)))")
            return false
        }
        defer { close(file) }
        let bytes = Array(text.utf8)
        guard Glibc.write(file, bytes, bytes.count) == bytes.count else {
            Output.error("mediahost timers: cannot write \(path): \(String(cString: strerror(errno)))")
            return false
        }
        return true
    }

    private static func armFrom(_ path: String, _ whose: String, _ isQuiet: Bool) -> ExitCode {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            Output.error("mediahost timers: cannot read \(path): \(String(cString: strerror(errno)))")
            return .failure
        }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(file, &bytes, bytes.count)
        let text = String(decoding: bytes.prefix(max(0, count)).filter { $0 > 0x20 }, as: UTF8.self)
        if count >= 0, text.isEmpty { return arm(nil, whose, isQuiet) }
        if text == clockWord { return arm(.whenClockIsSet, whose, isQuiet) }
        guard let nanoseconds = Int64(text), nanoseconds > 0 else {
            Output.error("mediahost timers: \(path) has no moment in nanoseconds since 1970")
            return .failure
        }
        return arm(.at(ClockTime(nanoseconds: nanoseconds)), whose, isQuiet)
    }
}
