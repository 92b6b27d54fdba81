import Foundation
import GStreamerKit
import HostTestKit
import Testing

@testable import HostCore

/// Programs that rules run: their ends, on a clock that stands still unless a test moves it.
@Suite(.timeLimit(.minutes(10))) struct RuleProcessTests {
    init() { MainLoopThread.start() }

    private static let environment = ["PATH": "/usr/bin:/bin"]

    private static func shell(_ script: String, input: [UInt8]? = nil) -> RuleProcess.Request {
        .init(words: ["sh", "-c", script], environment: environment, input: input)
    }

    private static func failure(
        _ programs: RulePrograms, _ request: RuleProcess.Request, timeout: ClockTime = .seconds(10)
    ) async -> RuleFailure? {
        do throws(RuleFailure) {
            try await programs.run(request, timeout: timeout)
            return nil
        } catch {
            return error
        }
    }

    /// A directory of a test's own, and a fifo in it that tells when a program has come so far.
    private struct Place {
        let directory: TemporaryDirectory
        let fifo: String

        init() throws {
            directory = try TemporaryDirectory()
            fifo = directory.path("fifo")
            guard mkfifo(fifo, 0o600) == 0 else { throw RuleFailure("no fifo") }
        }

        /// Waits on another thread until a program writes; what it wrote.
        func line() async -> String {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread { [fifo] in
                    let text = FileHandle(forReadingAtPath: fifo)?.readDataToEndOfFile() ?? Data()
                    continuation.resume(
                        returning: String(decoding: text, as: UTF8.self)
                            .trimmingCharacters(in: .whitespacesAndNewlines))
                }
            }
        }
    }

    @Test @HostActor func itsEndIsTold() async {
        let programs = RulePrograms(clock: VirtualClock(), workers: WorkerPool())
        #expect(await Self.failure(programs, Self.shell("exit 0")) == nil)
        var failure = await Self.failure(programs, Self.shell("echo one >&2; echo 'the card is full' >&2; exit 3"))
        #expect(failure?.exitCode == 3)
        #expect(failure?.lastLine == "the card is full")
        #expect(failure?.message == "ended with exit code 3: the card is full")
        failure = await Self.failure(programs, Self.shell("kill -9 $$"))
        #expect(failure?.message == "was ended by signal 9")
        failure = await Self.failure(programs, .init(words: ["/no/such"], environment: [:], input: nil))
        #expect(failure?.message == "cannot be run: No such file or directory")
        #expect(programs.count == 0)
    }

    @Test @HostActor func itReadsWhatItIsGivenAndNothingElse() async throws {
        let programs = RulePrograms(clock: VirtualClock(), workers: WorkerPool())
        // More than a pipe holds, to one that reads it and to one that does not.
        let much = [UInt8](repeating: UInt8(ascii: "x"), count: 300_000)
        #expect(await Self.failure(programs, Self.shell("test $(wc -c) -eq 300000", input: much)) == nil)
        #expect(await Self.failure(programs, Self.shell("exit 0", input: much)) == nil)
        #expect(await Self.failure(programs, Self.shell("test $(wc -c) -eq 0")) == nil)
        // No file of the host but the standard ones; `ls` itself opens the directory.
        #expect(await Self.failure(programs, Self.shell("test $(ls /proc/self/fd | wc -l) -le 4")) == nil)
    }

    @Test @HostActor func aLateOneIsEndedWithItsChildren() async throws {
        let clock = VirtualClock()
        let programs = RulePrograms(clock: clock, workers: WorkerPool())
        let place = try Place()
        // Neither minds being asked.
        let script =
            "trap '' TERM; (trap '' TERM; while :; do sleep 1000; done) & echo $! > \(place.fifo); while :; do sleep 1000; done"
        async let failed = Self.failure(programs, Self.shell(script), timeout: .seconds(5))
        let child = try #require(pid_t(await place.line()))
        clock.advance(by: .seconds(5))
        #expect(programs.count == 1)
        clock.advance(by: RulePrograms.grace)
        let failure = await failed
        #expect(failure?.message == "took longer than 5s and was ended")
        // Its parent is gone: whoever collects it may take a moment.
        try await wait(while: kill(child, 0) == 0 && Self.state(child) != "Z")
        #expect(programs.count == 0)
    }

    @Test @HostActor func whatItLeavesBehindEndsWithIt() async throws {
        let programs = RulePrograms(clock: VirtualClock(), workers: WorkerPool())
        let place = try Place()
        async let failed = Self.failure(programs, Self.shell("sleep 1000 & echo $! > \(place.fifo)"))
        let child = try #require(pid_t(await place.line()))
        #expect(await failed == nil)
        try await wait(while: kill(child, 0) == 0 && Self.state(child) != "Z")
    }

    /// Where the host is the first process of a container, nobody else waits for what a program has left behind: each was a zombie
    /// for good. A process of its own, which is told to be such a one.
    @Test func whatItLeavesBehindIsWaitedForByWhoeverIsTheFirst() async {
        await #expect(processExitsWith: .success) {
            typealias Control = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
            // PR_SET_CHILD_SUBREAPER; the function of C has no fixed parameters.
            let control = unsafeBitCast(dlsym(nil, "prctl"), to: Control.self)
            guard control(36, 1, 0, 0, 0) == 0 else { exit(2) }
            let script = "set -m; (sleep 1000 & sleep 1000) & sh -c 'exit 0' & sleep 1000 & exit 0"
            let ending = RuleProcess().run(
                .init(words: ["bash", "-c", script], environment: ["PATH": "/usr/bin:/bin"], input: nil))
            var information = siginfo_t()
            let hasChildren = waitid(P_ALL, 0, &information, WEXITED | WNOHANG | WNOWAIT) == 0
            exit(ending.how == .exited(0) && !hasChildren ? 0 : 1)
        }
    }

    /// A shell with job control gives each job a process group of its own, and only the program's own group was killed: what such a
    /// script had started outlived its timeout, and its end.
    @Test(arguments: [true, false]) @HostActor func aJobOfItsOwnGroupEndsWithIt(_ isLate: Bool) async throws {
        let clock = VirtualClock()
        let programs = RulePrograms(clock: clock, workers: WorkerPool())
        let place = try Place()
        let script = "set -m; sleep 1000 & echo $! > \(place.fifo); \(isLate ? "wait" : "exit 0")"
        async let failed = Self.failure(
            programs, .init(words: ["bash", "-c", script], environment: Self.environment, input: nil),
            timeout: .seconds(5))
        let job = try #require(pid_t(await place.line()))
        if isLate { clock.advance(by: .seconds(5)) }
        #expect(await failed?.message == (isLate ? "took longer than 5s and was ended" : nil))
        try await wait(while: kill(job, 0) == 0 && Self.state(job) != "Z")
    }

    @Test @HostActor func tooManyAtOnceAreRefused() async throws {
        let clock = VirtualClock()
        let programs = RulePrograms(clock: clock, workers: WorkerPool())
        let running = (0..<RulePrograms.most).map { _ in
            Task { @HostActor in await Self.failure(programs, Self.shell("exec sleep 1000"), timeout: .seconds(5)) }
        }
        try await wait(while: programs.count < RulePrograms.most)
        let refused = await Self.failure(programs, Self.shell("exit 0"))
        #expect(refused?.isBusy == true)
        clock.advance(by: .seconds(5))
        for task in running { #expect(await task.value?.message.contains("took longer than 5s") == true) }
        #expect(await Self.failure(programs, Self.shell("exit 0")) == nil)
    }

    @Test @HostActor func theEndOfTheHostEndsAll() async throws {
        let clock = VirtualClock()
        let programs = RulePrograms(clock: clock, workers: WorkerPool())
        let place = try Place()
        async let failed = Self.failure(
            programs, Self.shell("echo up > \(place.fifo); exec sleep 1000"), timeout: .seconds(100))
        #expect(await place.line() == "up")
        await withCheckedContinuation { continuation in
            programs.endAll { continuation.resume() }
            clock.advance(by: RulePrograms.lastWait)
        }
        #expect(await failed?.message == "was ended by signal 15")
        // Nothing waits where nothing runs.
        await withCheckedContinuation { continuation in programs.endAll { continuation.resume() } }
    }

    private static func state(_ process: pid_t) -> String {
        let text = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
        return text.components(separatedBy: ") ").last.map { String($0.prefix(1)) } ?? ""
    }
}
