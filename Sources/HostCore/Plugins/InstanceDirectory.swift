internal import Glibc
import Locking

/// The directory of one instance's own, made when it is asked for.
///
/// Its path is C text that lives as long as the process, as the host table does that it is handed out through.
/// Lock order: `path` is a leaf; it is held over file work, so that two threads make it once.
final class InstanceDirectory: Sendable {
    enum Answer: Equatable {
        case path(UnsafeBufferPointer<CChar>)
        /// There is no state directory to have it in.
        case none
        case failed(String)

        static func == (left: Answer, right: Answer) -> Bool {
            switch (left, right) {
            case (.path(let one), .path(let other)): one.baseAddress == other.baseAddress
            case (.none, .none): true
            case (.failed(let one), .failed(let other)): one == other
            default: false
            }
        }
    }

    /// Text that is written once and never freed.
    // Constant from its making on.
    private struct Text: @unchecked Sendable {
        let characters: UnsafeBufferPointer<CChar>
    }

    private let root: String?
    private let instance: String
    private let path = Locked<Text?>(nil)

    /// - Parameter root: the host's state directory; nil where it has none.
    init(root: String?, instance: String) {
        self.root = root
        self.instance = instance
    }

    /// - Thread: main, worker.
    func find() -> Answer {
        guard let root else { return .none }
        return path.withLock { known in
            let place = "\(root)/plugins/\(instance)"
            // Somebody may have removed it meanwhile.
            if let reason = Self.make(place) { return .failed(reason) }
            if let known { return .path(known.characters) }
            let text = place.utf8CString
            let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: text.count)
            _ = copy.initialize(from: text)
            known = Text(characters: UnsafeBufferPointer(copy))
            return .path(UnsafeBufferPointer(copy))
        }
    }

    /// Makes a directory and those above it, each for this user alone.
    /// - Returns: why not.
    private static func make(_ path: String) -> String? {
        func failure(_ place: Substring) -> String { "cannot make \(place): \(String(cString: strerror(errno)))" }
        var end = path.startIndex
        while end != path.endIndex {
            end = path[path.index(after: end)...].firstIndex(of: "/") ?? path.endIndex
            let place = path[..<end]
            if mkdir(String(place), 0o700) != 0, errno != EEXIST { return failure(place) }
        }
        // A link could lead to what belongs to somebody else.
        let directory = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard directory >= 0 else { return failure(path[...]) }
        defer { close(directory) }
        return fchmod(directory, 0o700) == 0 ? nil : failure(path[...])
    }
}
