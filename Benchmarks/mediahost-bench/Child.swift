import Foundation

/// A process that is measured. It is killed when nobody holds it any more.
final class Child {
    let pid: pid_t
    /// Monotonic nanoseconds right before it was spawned.
    let began: UInt64
    private let command: String
    private let output: String
    private var isReaped = false
    /// Left when it ends.
    private lazy var life = watch()

    init(_ arguments: [String], on stage: Stage, preload: String? = nil) throws {
        output = stage.path(".log")
        command = (arguments[0] as NSString).lastPathComponent
        var environment = stage.environment
        if let preload { environment["LD_PRELOAD"] = preload }
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&files, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_adddup2(&files, 1, 2)
        var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        var envp: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in argv + envp { free(text) } }
        var pid: pid_t = 0
        let begin = monotonic()
        let failure = posix_spawn(&pid, arguments[0], &files, nil, &argv, &envp)
        guard failure == 0 else {
            throw BenchError("cannot start \(arguments[0]): \(String(cString: strerror(failure)))")
        }
        began = begin
        self.pid = pid
    }

    deinit { kill() }

    /// Ends it at once: what it leaves behind is removed with the stage.
    func kill() {
        guard !isReaped else { return }
        isReaped = true
        Foundation.kill(pid, SIGKILL)
        var status: Int32 = 0
        waitpid(pid, &status, 0)
    }

    /// Waits for its end. - Returns: nanoseconds from exec to exit.
    @discardableResult
    func waitForSuccess(within seconds: Double) throws -> UInt64 {
        let pid = pid
        let watchdog = DispatchWorkItem { Foundation.kill(pid, SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: watchdog)
        var status: Int32 = 0
        // Seen without being reaped: the watchdog's number stays this process's until it is cancelled.
        var info = siginfo_t()
        waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT)
        let end = monotonic()
        watchdog.cancel()
        waitpid(pid, &status, 0)
        isReaped = true
        guard status == 0 else {
            let how = status & 0x7f == SIGKILL ? "was not done after \(seconds) s" : "failed (wait status \(status))"
            throw BenchError("\(command) \(how)\(said)")
        }
        return end - began
    }

    /// Lets it run for a span that belongs to what is measured. - Throws: at once where it ends within it.
    func run(for seconds: Double) throws {
        guard life.wait(timeout: .now() + seconds) == .timedOut else {
            throw BenchError("\(command) ended too early\(said)")
        }
    }

    /// Of all its threads, user and system.
    func processorSeconds() throws -> Double {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(pid, &clock) == 0, clock_gettime(clock, &time) == 0 else {
            throw BenchError("\(command) tells no processor time\(said)")
        }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private func watch() -> DispatchGroup {
        let life = DispatchGroup()
        life.enter()
        Thread.detachNewThread { [pid] in
            var info = siginfo_t()
            waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT)
            life.leave()
        }
        return life
    }

    /// What it printed.
    var log: String { (try? String(contentsOfFile: output, encoding: .utf8)) ?? "" }

    /// The same for errors: the end of it.
    var said: String { log.isEmpty ? "; it printed nothing" : "; it printed:\n\(log.suffix(4000))" }

    /// How many it has of a folder of /proc: "fd", "task".
    func count(_ folder: String) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/\(folder)"))?.count ?? 0
    }

    /// How often each of its threads was switched to, by thread id.
    func switches() throws -> [String: Double] {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
        guard !threads.isEmpty else { throw BenchError("\(command) ended too early\(said)") }
        var found: [String: Double] = [:]
        for thread in threads {
            let text = (try? String(contentsOfFile: "/proc/\(pid)/task/\(thread)/status", encoding: .utf8)) ?? ""
            for line in text.split(separator: "\n") where line.contains("ctxt_switches:") {
                found[thread, default: 0] += line.split(separator: "\t").last.flatMap { Double($0) } ?? 0
            }
        }
        return found
    }

    /// The kernel's sums over all its mappings, in KiB, by name ("Pss", "Private_Dirty").
    func memory() throws -> [String: Double] {
        guard let text = try? String(contentsOfFile: "/proc/\(pid)/smaps_rollup", encoding: .utf8) else {
            throw BenchError("\(command) ended too early\(said)")
        }
        var found: [String: Double] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count == 3, words[2] == "kB" { found[String(words[0].dropLast())] = Double(words[1]) }
        }
        guard found["Pss"] != nil, found["Private_Dirty"] != nil else {
            throw BenchError("the kernel tells no memory of \(command)")
        }
        return found
    }
}

/// Nanoseconds of CLOCK_MONOTONIC.
func monotonic() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
