internal import CGLib
internal import CMemory
internal import Glibc
import Locking

/// The host's end of a `FileKeeper`: found by its socket, and started with the first file.
///
/// It stays connected, so that the keeper knows that a host is there. Lock order: `connection` is a leaf; it is held for a question
/// and its answer.
final class KeeperLink: FileHolder {
    private let directory: String
    private let path: String
    private let program: String
    private let connection = Locked<Int32?>(nil)

    /// Nil where there is no directory for its socket: `$RUNTIME_DIRECTORY`, or `$XDG_RUNTIME_DIR/mediahost`.
    /// Hosts with different state directories have different keepers.
    init?(environment: [String: String], program: String) {
        func absolute(_ name: String) -> String? {
            guard let value = environment[name], value.utf8.first == UInt8(ascii: "/") else { return nil }
            return String(value.prefix { $0 != ":" })
        }
        guard let directory = absolute("RUNTIME_DIRECTORY") ?? absolute("XDG_RUNTIME_DIR").map({ "\($0)/mediahost" })
        else { return nil }
        var digest: UInt64 = 0xcbf2_9ce4_8422_2325  // FNV-1a
        for byte in (StateDirectory.path(environment: environment) ?? "").utf8 {
            digest = (digest ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        path = "\(directory)/keeper-\(String(digest, radix: 16)).sock"
        guard path.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else { return nil }
        self.directory = directory
        self.program = program
    }

    deinit { if let file = connection.withLock({ $0 }) { close(file) } }

    var names: [String] {
        guard let answer = try? ask("L", "", starts: false), answer.isThere else { return [] }
        return answer.text.split(separator: "\n").map(String.init)
    }

    func put(_ file: Int32, _ name: String) throws(KeptFiles.Failure) {
        guard try ask("K", name, file: file, starts: true).isThere else {
            throw .failed("the keeper process has no room for more files")
        }
    }

    func get(_ name: String) throws(KeptFiles.Failure) -> Int32 {
        let answer = try ask("T", name, starts: false)
        guard answer.isThere, answer.file >= 0 else { throw .notFound }
        return answer.file
    }

    func remove(_ name: String) throws(KeptFiles.Failure) {
        guard try ask("D", name, starts: false).isThere else { throw .notFound }
    }

    // MARK: Asking

    private struct Answer {
        var isThere = false
        var text = ""
        var file: Int32 = -1
    }

    /// - Parameter starts: whether a keeper is started where none is there; else nothing is held.
    private func ask(
        _ what: String, _ name: String, file: Int32 = -1, starts: Bool
    ) throws(KeptFiles.Failure) -> Answer {
        let result = connection.withLock { connection -> Result<Answer, KeptFiles.Failure> in
            // One that is gone is noticed with the first question.
            for _ in 0..<2 {
                if connection == nil { connection = connect() }
                if connection == nil, starts {
                    if let reason = start() { return .failure(.failed(reason)) }
                    connection = connect()
                }
                guard let socket = connection else { return .success(Answer()) }
                if let answer = Self.exchange(socket, what + name, file) { return .success(answer) }
                close(socket)
                connection = nil
            }
            return .failure(.failed("the keeper process does not answer"))
        }
        return try result.get()
    }

    private static func exchange(_ socket: Int32, _ question: String, _ file: Int32) -> Answer? {
        let bytes = Array(question.utf8)
        guard mh_send_file(socket, bytes, bytes.count, file) == bytes.count else { return nil }
        var answer = [UInt8](repeating: 0, count: FileKeeper.mostBytes)
        var passed: Int32 = -1
        let count = mh_receive_file(socket, &answer, answer.count, &passed)
        guard count > 0 else { return nil }
        return Answer(
            isThere: answer[0] == UInt8(ascii: "+"), text: String(decoding: answer[1..<count], as: UTF8.self),
            file: passed)
    }

    // MARK: The socket

    private func withAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
    }

    private static func newSocket() -> Int32 {
        socket(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0)
    }

    /// Nil where nobody listens, or somebody else does.
    private func connect() -> Int32? {
        let file = Self.newSocket()
        guard file >= 0 else { return nil }
        var limit = timeval(tv_sec: 2, tv_usec: 0)
        setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(file, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        guard withAddress({ Glibc.connect(file, $0, $1) }) == 0, mh_peer_is_own(file) != 0
        else {
            close(file)
            return nil
        }
        return file
    }

    /// The socket listens before the keeper runs: whoever connects then waits and is not refused.
    /// - Returns: why not.
    private func start() -> String? {
        func failure(_ what: String) -> String { "cannot \(what): \(String(cString: strerror(errno)))" }
        if mkdir(directory, 0o700) != 0, errno != EEXIST { return failure("make \(directory)") }
        let listener = Self.newSocket()
        guard listener >= 0 else { return failure("make a socket") }
        defer { close(listener) }
        // What is there is of one that was killed: somebody who listens would have answered.
        unlink(path)
        guard withAddress({ bind(listener, $0, $1) }) == 0, chmod(path, 0o600) == 0, listen(listener, 16) == 0 else {
            return failure("listen on \(path)")
        }
        let error = spawn(listener)
        guard error != 0 else { return nil }
        unlink(path)
        return "cannot start \(program): \(String(cString: strerror(error)))"
    }

    private func spawn(_ listener: Int32) -> Int32 {
        // Out of the way of the number that it gets.
        let copy = fcntl(listener, F_DUPFD_CLOEXEC, 10)
        guard copy >= 0 else { return errno }
        defer { close(copy) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (file, mode) in [(STDIN_FILENO, O_RDONLY), (STDOUT_FILENO, O_WRONLY), (STDERR_FILENO, O_WRONLY)] {
            posix_spawn_file_actions_addopen(&actions, file, "/dev/null", mode, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, copy, FileKeeper.listener)
        mh_spawn_keep_files(&actions, FileKeeper.listener + 1)
        let words = ["mediahost", "plugin", "keep", path]
        let arguments = words.map { strdup($0) } + [nil]
        // It needs nothing of the environment but its libraries.
        let environment = [
            getenv("LD_LIBRARY_PATH").map { strdup("LD_LIBRARY_PATH=\(String(cString: $0))") } ?? nil, nil,
        ]
        defer { for text in arguments + environment { free(text) } }
        var child = pid_t()
        return OwnSession.withAttributes { posix_spawn(&child, program, &actions, &$0, arguments, environment) }
    }
}
