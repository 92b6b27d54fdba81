internal import CGLib
internal import Glibc

/// A program that a rule runs, with a session of its own: what it starts ends with it.
///
/// Threads: `run` keeps one worker until the program has ended; `ring` comes from any other.
final class RuleProcess: Sendable {
    struct Request: Sendable {
        /// With the program, a path or a name that is looked for in $PATH.
        var words: [String]
        /// The whole environment.
        var environment: [String: String]
        /// What it reads; nil: nothing.
        var input: [UInt8]?
    }

    struct Ending: Sendable, Equatable {
        enum How: Sendable, Equatable {
            case exited(Int32)
            case signalled(Int32)
            case notStarted(String)
        }

        var how: How
        /// The last line with something on it that it wrote to standard error.
        var lastLine: String?
    }

    /// Rings when it is to end: once to ask, twice to kill.
    private let bell: Int32

    init() { bell = mh_bell_new() }

    deinit { if bell >= 0 { close(bell) } }

    /// Asks the program and all it has started to end; the second time kills them. - Thread: any.
    func ring() {
        var one: UInt64 = 1
        _ = write(bell, &one, 8)
    }

    /// Runs it to its end.
    /// - Thread: worker.
    func run(_ request: Request) -> Ending {
        guard bell >= 0 else { return Ending(how: .notStarted(Self.reason(errno))) }
        guard let ends = Self.pipe() else { return Ending(how: .notStarted(Self.reason(errno))) }
        defer { close(ends.read) }
        let input = request.input.map(Self.memoryFile)
        defer { if let input, input >= 0 { close(input) } }
        guard input.map({ $0 >= 0 }) ?? true else {
            close(ends.write)
            return Ending(how: .notStarted("no memory for its input"))
        }
        let (child, failure) = Self.start(request, input: input, errors: ends.write)
        close(ends.write)
        guard failure == 0 else { return Ending(how: .notStarted(Self.reason(failure))) }
        return wait(for: child, errors: ends.read)
    }

    private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }

    // MARK: - While it runs

    private func wait(for child: pid_t, errors: Int32) -> Ending {
        var line = LastLine()
        var isOpen = true
        // Its own number is its session's, and nobody else's until it is waited for.
        let session = ProcessSession(leader: child)
        let end = mh_process_file(child)
        defer { if end >= 0 { close(end) } }
        var rings: UInt64 = 0
        var isOver = false
        while !isOver {
            var files = [
                pollfd(fd: bell, events: Int16(POLLIN), revents: 0),
                pollfd(fd: isOpen ? errors : -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: end, events: Int16(POLLIN), revents: 0),
            ]
            // Kernels before 5.3 have no such file: there it is looked at now and then.
            let count = poll(&files, nfds_t(files.count), end >= 0 ? -1 : 50)
            if count < 0, errno != EINTR { break }
            if files[1].revents != 0 { isOpen = Self.drain(errors, into: &line) }
            if files[0].revents != 0 {
                var more: UInt64 = 0
                if read(bell, &more, 8) == 8 { rings += more }
                if rings > 1 { session.end() } else { session.send(SIGTERM) }
            }
            isOver = end >= 0 ? files[2].revents != 0 : Self.hasEnded(child)
        }
        // What it leaves behind: a rule's program is over when it is.
        session.end()
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        if isOpen { _ = Self.drain(errors, into: &line) }
        let how: Ending.How = status & 0x7f == 0 ? .exited((status >> 8) & 0xff) : .signalled(status & 0x7f)
        return Ending(how: how, lastLine: line.text)
    }

    private static func hasEnded(_ child: pid_t) -> Bool {
        var information = siginfo_t()
        return waitid(P_PID, id_t(child), &information, WEXITED | WNOHANG | WNOWAIT) == 0
            && information.si_signo == SIGCHLD
    }

    /// Takes a pipe's worth at most: whoever writes without an end must not keep the bell waiting.
    /// - Returns: whether more may come.
    private static func drain(_ file: Int32, into line: inout LastLine) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 1 << 14)
        for _ in 0..<16 {
            let count = read(file, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            if count < 0 { return errno == EAGAIN }
            guard count > 0 else { return false }
            line.add(chunk[..<count])
        }
        return true
    }

    // MARK: - Start

    /// A pipe whose reading end does not wait, both above the standard files.
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

    /// A file without a name that holds `bytes`: a program that does not read them keeps nobody waiting.
    private static func memoryFile(_ bytes: [UInt8]) -> Int32 {
        let file = mh_memory_file()
        guard file >= 0 else { return -1 }
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                close(file)
                return -1
            }
            written += count
        }
        lseek(file, 0, SEEK_SET)
        return file
    }

    private static func start(_ request: Request, input: Int32?, errors: Int32) -> (child: pid_t, failure: Int32) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
        mh_spawn_keep_files(&actions, STDERR_FILENO + 1)
        let arguments = request.words.map { strdup($0) } + [nil]
        let environment = request.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + environment { free(text) } }
        var child = pid_t()
        let failure = OwnSession.withAttributes {
            posix_spawnp(&child, request.words.first ?? "", &actions, &$0, arguments, environment)
        }
        return (child, failure)
    }
}
