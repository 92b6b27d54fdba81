import Glibc
import Locking

/// Where clips were written to, kept in the instance's own directory: after a restart what was left there is found.
///
/// Thread: worker.
final class ClipDirectories: Sendable {
    private static let name = "clip-directories"
    /// The newest ones.
    private static let limit = 64

    /// Those that are in the file, and were looked through.
    private let known = Locked<[String]>([])

    /// Looks through those of former runs; how many files went.
    func sweep(_ state: String) -> Int {
        let listed = Self.read("\(state)/\(Self.name)").suffix(Self.limit)
        known.withLock { $0 = Array(listed) }
        return listed.reduce(0) { $0 + StaleClips.remove(from: $1) }
    }

    /// A clip goes to `directory`. - Parameter state: the instance's own directory; nil where there is none.
    /// - Returns: how many files went that others left there.
    func use(_ directory: String, _ state: String?) -> Int {
        guard let place = Self.absolute(directory), !place.utf8.contains(UInt8(ascii: "\n")) else { return 0 }
        let all = known.withLock { known -> [String]? in
            guard !known.contains(place) else { return nil }
            known = known.suffix(Self.limit - 1) + [place]
            return known
        }
        guard let all else { return 0 }
        // Without it, what a kill leaves is found by the next clip that goes there.
        if let state { Self.write(all, to: "\(state)/\(Self.name)") }
        return StaleClips.remove(from: place)
    }

    private static func absolute(_ directory: String) -> String? {
        guard let path = realpath(directory, nil) else { return nil }
        defer { free(path) }
        return String(cString: path)
    }

    private static func read(_ path: String) -> [String] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: limit * Int(PATH_MAX))
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return [] }
        return bytes[..<count].split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func write(_ directories: [String], to path: String) {
        let temporary = "\(path).new"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        let bytes = Array((directories.joined(separator: "\n") + "\n").utf8)
        let isWritten = Glibc.write(descriptor, bytes, bytes.count) == bytes.count
        close(descriptor)
        // A list that is lost costs nothing but a look.
        if !isWritten || rename(temporary, path) != 0 { unlink(temporary) }
    }
}
