internal import CMemory
internal import Glibc

/// The process that holds files where no service manager does: started by a host, and still there when that was killed.
///
/// Packets on a unix socket, one answer each, from processes of the same user alone: `K` and a name with a descriptor, `T` a
/// name (the answer carries one), `D` a name, `L`. An answer begins with `+`, or `-` for what is not there. It ends when
/// nothing is held and nobody is connected, and when no host has come back for `patience`.
/// - Thread: main of its own process, which has no other.
public enum FileKeeper {
    /// The listening socket, made by the host that starts it.
    static let listener: Int32 = 3
    /// How long files wait for a host, in milliseconds.
    static let patience: Int32 = 600_000
    private static let mostFiles = 256
    static let mostBytes = 1 << 16

    /// - Parameter path: of the socket, which goes with it.
    public static func run(_ path: String) -> Never {
        var files: [String: Int32] = [:]
        var hosts: [Int32] = []
        var hasServed = false
        // Whoever ends it lets go of what it holds, and leaves no socket.
        while !hasServed || !hosts.isEmpty || !files.isEmpty {
            var waited = ([listener] + hosts).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            let count = poll(&waited, nfds_t(waited.count), hosts.isEmpty ? patience : -1)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            if waited[0].revents != 0, let host = accept() {
                hosts.append(host)
                hasServed = true
            }
            for place in waited.dropFirst() where place.revents != 0 && !serve(place.fd, &files) {
                close(place.fd)
                hosts.removeAll { $0 == place.fd }
            }
        }
        unlink(path)
        exit(0)
    }

    private static func accept() -> Int32? {
        let file = Glibc.accept(listener, nil, nil)
        guard file >= 0 else { return nil }
        guard mh_peer_is_own(file) != 0 else {
            close(file)
            return nil
        }
        return file
    }

    /// - Returns: whether the host is still there.
    private static func serve(_ host: Int32, _ files: inout [String: Int32]) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 1024)
        var passed: Int32 = -1
        let count = mh_receive_file(host, &bytes, bytes.count, &passed)
        guard count > 0 else { return count < 0 && errno == EINTR }
        let name = String(decoding: bytes[1..<count], as: UTF8.self)
        var answer = "+"
        var given: Int32 = -1
        switch bytes[0] {
        case UInt8(ascii: "K") where passed >= 0 && (files[name] != nil || files.count < mostFiles):
            if let older = files.updateValue(passed, forKey: name) { close(older) }
            passed = -1
        case UInt8(ascii: "T"):
            given = files[name] ?? -1
            if given < 0 { answer = "-" }
        case UInt8(ascii: "D"):
            if let file = files.removeValue(forKey: name) { close(file) } else { answer = "-" }
        case UInt8(ascii: "L"): answer += files.keys.sorted().joined(separator: "\n")
        default: answer = "-"
        }
        if passed >= 0 { close(passed) }
        let text = Array(answer.utf8.prefix(mostBytes))
        return mh_send_file(host, text, text.count, given) >= 0
    }
}
