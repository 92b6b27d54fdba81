public import GStreamerKit
internal import Glibc
import Locking

/// `mediahost plugin check`: tries a library, each trial in a process of its own, and says what came of it.
public struct PluginCheck: Sendable {
    public struct Options: Sendable {
        public var path: String
        /// As the user gave them, "5s" and all.
        public var settings: Value
        public var seed: UInt64
        /// Names of trials; none: all.
        public var only: [String]
        public var environment: [String: String]

        public init(
            path: String, settings: Value = [:], seed: UInt64? = nil, only: [String] = [],
            environment: [String: String]
        ) {
            self.path = path
            self.settings = settings
            var system = SystemRandomNumberGenerator()
            self.seed = seed ?? system.next() % 1_000_000
            self.only = only
            self.environment = environment
        }
    }

    public struct Outcome: Sendable {
        public var path: String
        public var seed: UInt64
        public var results: [TrialResult]
        public var took: ClockTime

        public var isGood: Bool { results.allSatisfy(\.isGood) }
    }

    private let options: Options
    private let executable: String

    /// How long one trial may take; the slowest takes a second where nothing is at fault.
    static let limit = ClockTime.seconds(20)
    static let limitVariable = "MEDIAHOST_TRIAL_LIMIT"

    /// How long one answer may take: a third of the trial, but no more than 5 s, or than a quarter of it where it has more time than
    /// usual because the board is slow.
    static func patience(_ limit: ClockTime) -> ClockTime {
        let nanoseconds = limit.nanoseconds
        return ClockTime(nanoseconds: max(min(5_000_000_000, nanoseconds / 3), nanoseconds / 4))
    }

    /// - Throws: where the file, or a trial that is asked for, is not there.
    public init(_ options: Options, executable: String = "/proc/self/exe") throws(PluginFailure) {
        self.options = options
        self.executable = executable
        for name in options.only where TrialStep.named(name) == nil {
            let known = TrialStep.all.map(\.name)
            let hint = Suggestion.nearest(to: name, among: known).map { "did you mean \"\($0)\"?" }
            throw PluginFailure(
                "there is no trial \"\(name)\"", help: hint ?? "there are: \(known.joined(separator: ", "))")
        }
        _ = try LibraryIdentity.read(options.path)
    }

    /// "static", "storm/serialised", ..., and what each is for.
    public static var trials: [(name: String, summary: String)] { TrialStep.all.map { ($0.name, $0.trial.summary) } }

    /// Holds the trials, one after the other: each measures.
    /// - Parameters:
    ///   - begin: told what comes next; `end`: told each result as it is there.
    /// - Thread: a process that has nothing else to do.
    public func run(
        begin: (_ name: String) -> Void = { _ in },
        end: (TrialResult) -> Void = { _ in }
    ) -> Outcome {
        let clock = SystemClock()
        let start = clock.monotonic()
        var results: [TrialResult] = []
        var stop: String?
        var hung: Set<Trial> = []
        let path = (try? LibraryIdentity.read(options.path).path) ?? options.path
        for step in steps {
            begin(step.name)
            let began = clock.monotonic()
            var result = TrialResult(step: step, verdict: .passed)
            if let stop {
                result.verdict = .skipped(stop)
            } else if step.isSerialised, hung.contains(step.trial) {
                result.verdict = .skipped("it hung in \(step.trial.rawValue) already")
            } else {
                switch step.trial {
                case .file: result.verdict = LibraryInspection.verdict(path, notes: &result.notes)
                case .probe: result.verdict = probe(path)
                default: hold(step, path, &result)
                }
                if step.trial == .probe, !result.isGood { stop = "it cannot be loaded" }
            }
            if case .hung = result.verdict { hung.insert(step.trial) }
            result.took = clock.monotonic() - began
            results.append(result)
            end(result)
        }
        return Outcome(path: options.path, seed: options.seed, results: results, took: clock.monotonic() - start)
    }

    private var steps: [TrialStep] {
        guard !options.only.isEmpty else { return TrialStep.all }
        let wanted = options.only.flatMap { TrialStep.named($0) ?? [] }
        return TrialStep.all.filter { wanted.contains($0) }
    }

    private func probe(_ path: String) -> TrialVerdict {
        let log = Log { _ in }
        let probe = LibraryProbe(
            executable: executable, environment: options.environment,
            limit: LibraryProbe.limit(options.environment, log: log))
        switch probe.run(path) {
        case .sound: return .passed
        case .refused(let failure):
            return .failed([
                TrialFault(
                    failure.message, expected: "a library that a host takes", fix: failure.help ?? "see docs/plugins.md"
                )
            ])
        case .dangerous(let fault): return .crashed(fault.text, lastWords: fault.lastWords, faults: [])
        case .unprobed(let failure): return .broken(failure.description)
        }
    }

    private func hold(_ step: TrialStep, _ path: String, _ result: inout TrialResult) {
        var template = Array("/tmp/mediahost-trial-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            result.verdict = .broken("cannot make a directory in /tmp: \(String(cString: strerror(errno)))")
            return
        }
        let directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { DirectoryTree.remove(directory) }
        let order = TrialOrder(
            step: step, seed: options.seed, settings: options.settings, directory: directory,
            patience: Self.patience(limit))
        let words = ["mediahost"] + TrialChild.command + ["--parent=\(getpid())", "--", path, order.text]
        switch ProbeProcess.start(executable, words, variables(step, directory)) {
        case .failure(let failure): result.verdict = .broken(failure.description)
        case .success(let process):
            let ending = process.wait(limit)
            let bytes = ending == .flooding ? Array(process.report.prefix(1 << 16)) : process.report
            let report = TrialReport(bytes)
            result.verdict = .judge(ending, report, lastWords: process.lastWords)
            result.notes = report.notes
        }
    }

    private var limit: ClockTime {
        guard let text = options.environment[Self.limitVariable], let time = try? Quantity.duration(text), time > 0
        else {
            return Self.limit
        }
        return ClockTime(nanoseconds: time)
    }

    /// Nothing that would let the child speak for a host, and nothing of the user's where it writes.
    private func variables(_ step: TrialStep, _ directory: String) -> [String: String] {
        var variables = Self.variables(options.environment, in: directory)
        if step.trial == .leak {
            // Chunks in a thread's cache count as used; without it what is in use is the same to the byte, round for round.
            let others = variables["GLIBC_TUNABLES"].map { "\($0):" } ?? ""
            variables["GLIBC_TUNABLES"] = others + "glibc.malloc.tcache_count=0"
        }
        return variables
    }

    /// Of a process that may not speak for a host, and writes nowhere but in `directory`.
    static func variables(_ environment: [String: String], in directory: String) -> [String: String] {
        var variables = environment
        for name in [
            "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS", "LISTEN_FDNAMES", "LISTEN_PID",
            "STATE_DIRECTORY",
        ] {
            variables[name] = nil
        }
        variables["SWIFT_BACKTRACE"] = "enable=no"
        variables["HOME"] = directory
        variables["TMPDIR"] = directory
        variables["XDG_STATE_HOME"] = directory
        return variables
    }
}

extension PluginCheck.Outcome {
    private func count(_ word: String) -> Int { results.filter { $0.verdict.word == word }.count }

    private static let words = ["passed", "failed", "crashed", "hung", "broken", "skipped"]

    public var value: Value {
        [
            "library": .string(path), "seed": .int(Int64(clamping: seed)), "passed": .bool(isGood),
            "took_ns": .int(took.nanoseconds),
            "counts": .map(Self.words.map { .init($0, .int(Int64(count($0)))) }),
            "trials": .list(results.map(\.value)),
        ]
    }

    /// "14 trials: 13 passed, 1 skipped, in 4.2 s; seed 42"
    public var summary: String {
        let counts = Self.words.map { ($0, count($0)) }.filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }
        let tenths = took.nanoseconds / 100_000_000
        return
            "\(results.count) trials: \(counts.joined(separator: ", ")), in \(tenths / 10).\(tenths % 10) s; seed \(seed)"
    }
}
