internal import CGLib
internal import GStreamerKit
internal import Glibc

/// The child of a probe, seen from its parent: two pipes and an end.
///
/// It has a session of its own, so that whatever it started goes with it.
/// - Thread: one; it is waited for where it was started, because a child dies with the thread that made it.
final class ProbeProcess {
    private let child: pid_t
    private let reportPipe: Int32
    private let errorPipe: Int32
    private(set) var report: [UInt8] = []
    private var errors: [UInt8] = []

    private static let mostErrors = 4096

    private init(_ child: pid_t, report: Int32, errors: Int32) {
        self.child = child
        reportPipe = report
        errorPipe = errors
    }

    deinit {
        close(reportPipe)
        close(errorPipe)
    }

    /// The last lines of what it wrote, on one.
    var lastWords: String {
        let lines = errors.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") })
        let texts = lines.suffix(3).map { line in
            String(decoding: line.prefix(300).map { $0 < 0x20 || $0 == 0x7f ? 0x20 : $0 }, as: UTF8.self)
        }
        return texts.joined(separator: " / ")
    }

    /// Waits for its end, and kills it with all it started when it is late.
    func wait(_ limit: ClockTime) -> ProbeEnding {
        let clock = SystemClock()
        let deadline = clock.monotonic() + limit
        let end = mh_process_file(child)
        defer { if end >= 0 { close(end) } }
        var isOver = false
        var isLate = false
        while !isOver, !isLate, report.count <= ProbeReport.mostBytes {
            let left = deadline - clock.monotonic()
            var files = [
                pollfd(fd: isOpen.report ? reportPipe : -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: isOpen.errors ? errorPipe : -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: end, events: Int16(POLLIN), revents: 0),
            ]
            let milliseconds = Int32(clamping: max(0, (left.nanoseconds + 999_999) / 1_000_000))
            let count = poll(&files, nfds_t(files.count), milliseconds)
            if count < 0, errno != EINTR { break }
            isLate = count == 0
            if files[0].revents != 0 { drainReport() }
            if files[1].revents != 0 { drainErrors() }
            // Where the kernel has no such file (before 5.3), the end of its report is its end.
            isOver = end >= 0 ? files[2].revents != 0 : !isOpen.report
        }
        // The child itself, unless it has ended: then this is for what it started, and its own ending stays.
        kill(-child, SIGKILL)
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        let isFlooding = report.count > ProbeReport.mostBytes
        drainReport()
        drainErrors()
        if isFlooding { return .flooding }
        if isLate { return .late(limit) }
        return status & 0x7f == 0 ? .exited((status >> 8) & 0xff) : .signalled(status & 0x7f)
    }

    // MARK: - Pipes

    private var isOpen = (report: true, errors: true)

    private func drainReport() {
        guard isOpen.report else { return }
        isOpen.report = Self.drain(reportPipe) { bytes in
            if report.count <= ProbeReport.mostBytes { report += bytes }
        }
    }

    private func drainErrors() {
        guard isOpen.errors else { return }
        isOpen.errors = Self.drain(errorPipe) { errors = Array((errors + $0).suffix(Self.mostErrors)) }
    }

    /// Takes what is there, a pipe's worth at most: whoever writes without an end must not keep the deadline waiting.
    /// - Returns: whether more may come.
    private static func drain(_ file: Int32, _ take: (ArraySlice<UInt8>) -> Void) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 1 << 14)
        for _ in 0..<16 {
            let count = read(file, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            if count < 0 { return errno == EAGAIN }
            guard count > 0 else { return false }
            take(chunk[..<count])
        }
        return true
    }

    // MARK: - Start

    /// - Parameters:
    ///   - words: with the name of the program.
    ///   - variables: the whole environment.
    static func start(
        _ executable: String, _ words: [String], _ variables: [String: String]
    ) -> Result<ProbeProcess, PluginFailure> {
        guard let report = pipe() else { return .failure(PluginFailure(String(cString: strerror(errno)))) }
        guard let errors = pipe() else {
            let reason = String(cString: strerror(errno))
            close(report.read)
            close(report.write)
            return .failure(PluginFailure(reason))
        }
        defer {
            close(report.write)
            close(errors.write)
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, errors.write, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, errors.write, STDERR_FILENO)
        posix_spawn_file_actions_adddup2(&actions, report.write, ProbeChild.reportFile)
        mh_spawn_keep_files(&actions, ProbeChild.reportFile + 1)
        let arguments = words.map { strdup($0) } + [nil]
        let environment = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + environment { free(text) } }
        var child = pid_t()
        let failure = OwnSession.withAttributes {
            posix_spawn(&child, executable, &actions, &$0, arguments, environment)
        }
        guard failure == 0 else {
            close(report.read)
            close(errors.read)
            return .failure(PluginFailure("\(executable): \(String(cString: strerror(failure)))"))
        }
        return .success(ProbeProcess(child, report: report.read, errors: errors.read))
    }

    /// Above the standard files and the report's own number, so that no `dup2` of the child steps on it.
    private static func pipe() -> (read: Int32, write: Int32)? {
        var ends: [Int32] = [-1, -1]
        guard g_unix_open_pipe(&ends, FD_CLOEXEC, nil) != 0 else { return nil }
        for index in ends.indices {
            let moved = fcntl(ends[index], F_DUPFD_CLOEXEC, 10)
            close(ends[index])
            ends[index] = moved
        }
        guard ends[0] >= 0, ends[1] >= 0, fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0 else {
            let reason = errno
            for end in ends where end >= 0 { close(end) }
            errno = reason
            return nil
        }
        return (ends[0], ends[1])
    }
}
