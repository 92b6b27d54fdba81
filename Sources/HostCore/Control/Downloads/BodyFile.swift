internal import CGLib
internal import Glibc

/// A descriptor whose content is the body of an answer. Open as long as this lives.
///
/// - Thread: any. Immutable.
final class BodyFile: Sendable {
    let descriptor: Int32
    /// How many bytes it has; nil where that shows at its end: it is a pipe or a socket.
    let length: Int64?

    /// Takes the descriptor over in every case; nil where it is none, or nothing that can be read.
    init?(owning descriptor: Int32) {
        guard descriptor > 2 else { return nil }
        self.descriptor = descriptor
        var about = stat()
        let mode = mh_file_mode(descriptor)
        guard fstat(descriptor, &about) == 0, mode == O_RDONLY || mode == O_RDWR else { return nil }
        switch about.st_mode & S_IFMT {
        case S_IFREG: length = Int64(about.st_size)
        case S_IFIFO, S_IFSOCK, S_IFCHR: length = nil
        default: return nil
        }
    }

    deinit { close(descriptor) }
}

extension BodyFile: Equatable {
    static func == (left: BodyFile, right: BodyFile) -> Bool { left === right }
}
