import Foundation
import Glibc
import Locking

/// One child process with its lines. Foundation's `Process` is not used: it hides the signal that ended a child.
///
/// Threads: a reader for each pipe, and one that waits for the end.
final class ChildProcess: Sendable {
    enum Ending: Sendable, Equatable, CustomStringConvertible {
        case exit(Int32)
        case signal(Int32)

        var description: String {
            switch self {
            case .exit(let code): "exit code \(code)"
            case .signal(let number): "signal \(number)"
            }
        }
    }

    private struct State {
        var ending: Ending?
        var waiters: [CheckedContinuation<Ending, Never>] = []
    }

    let name: String
    let pid: pid_t
    let output: LineLog
    let errors: LineLog
    private let state = Locked(State())

    /// - Parameters:
    ///   - environment: the whole of it.
    ///   - blocked: signals that wait until the child unblocks them, instead of ending it while it loads its libraries.
    init(
        _ executable: String, _ arguments: [String], environment: [String: String], directory: String,
        blocked: [Int32] = []
    ) throws {
        name = URL(fileURLWithPath: executable).lastPathComponent
        output = LineLog("standard output of \(name)")
        errors = LineLog("standard error of \(name)")
        // `env` changes the directory, then becomes the program.
        let words = ["env", "--chdir=\(directory)", executable] + arguments
        let (child, out, err) = try Self.spawning.withLock { _ in try Self.spawn(words, environment, blocked) }
        pid = child
        let readers = DispatchGroup()
        Self.read(out, into: output, readers)
        Self.read(err, into: errors, readers)
        Thread.detachNewThread { [self] in
            var status: Int32 = 0
            while waitpid(child, &status, 0) < 0, errno == EINTR {}
            readers.wait()
            let ending: Ending =
                status & 0x7f == 0 ? .exit((status >> 8) & 0xff) : .signal(status & 0x7f)
            let waiters = state.withLock { state in
                state.ending = ending
                return exchange(&state.waiters, with: [])
            }
            for waiter in waiters { waiter.resume(returning: ending) }
        }
    }

    /// Nothing happens where it has ended.
    func send(_ signal: Int32) {
        state.withLock { if $0.ending == nil { kill(pid, signal) } }
    }

    /// Its end, all of its lines read. What is late is killed, and the error says so.
    func end(within limit: Duration = .seconds(120)) async throws -> Ending {
        let isLate = Flag()
        Deadline.after(limit) { [self] in
            guard state.withLock({ $0.ending == nil }) else { return }
            isLate.value.withLock { $0 = true }
            send(SIGKILL)
        }
        let ending = await withCheckedContinuation { continuation in
            let known = state.withLock { state in
                if state.ending == nil { state.waiters.append(continuation) }
                return state.ending
            }
            if let known { continuation.resume(returning: known) }
        }
        guard isLate.value.withLock({ $0 }) else { return ending }
        throw LineLog.Missing(
            description: "awaited the end of \(name) for \(limit), then killed it. It wrote:\n\(errors.text)")
    }

    /// A child must not inherit the pipes of another: one at a time, until they are marked.
    private static let spawning = Locked(())

    private static func spawn(
        _ words: [String], _ environment: [String: String], _ blocked: [Int32]
    ) throws -> (child: pid_t, out: Int32, err: Int32) {
        let out = try pipe()
        let err = try pipe()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, out.write, 1)
        posix_spawn_file_actions_adddup2(&actions, err.write, 2)
        // The threads of this process's pools block signals, and a child inherits that.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var mask = sigset_t()
        sigemptyset(&mask)
        for signal in blocked { sigaddset(&mask, signal) }
        posix_spawnattr_setsigmask(&attributes, &mask)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let arguments = words.map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var child = pid_t()
        let failure = posix_spawnp(&child, words[0], &actions, &attributes, arguments, variables)
        close(out.write)
        close(err.write)
        guard failure == 0 else {
            close(out.read)
            close(err.read)
            throw LineLog.Missing(description: "cannot run \(words[0]): \(String(cString: strerror(failure)))")
        }
        return (child, out.read, err.read)
    }

    private static func read(_ file: Int32, into log: LineLog, _ group: DispatchGroup) {
        group.enter()
        Thread.detachNewThread {
            defer {
                close(file)
                log.end()
                group.leave()
            }
            var rest: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 65536)
            while true {
                let count = Glibc.read(file, &chunk, chunk.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                rest += chunk[..<count]
                while let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    log.add(String(decoding: rest[..<newline], as: UTF8.self))
                    rest.removeFirst(newline + 1)
                }
            }
            if !rest.isEmpty { log.add(String(decoding: rest, as: UTF8.self)) }
        }
    }

    private static func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        guard Glibc.pipe(&ends) == 0 else {
            throw LineLog.Missing(description: "cannot make a pipe: \(String(cString: strerror(errno)))")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}

/// A Boolean that closures share.
private final class Flag: Sendable {
    let value = Locked(false)
}

private func exchange<Value>(_ place: inout Value, with new: Value) -> Value {
    defer { place = new }
    return place
}
