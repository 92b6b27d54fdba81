internal import CGLib
internal import Glibc
internal import GStreamerKit

/// An open input device, or a fifo that somebody writes input events to. Closed with its value.
@HostActor
final class InputFile {
    /// Why there is none.
    enum Refusal: Error, Equatable {
        case absent
        /// The file's group, where it is known.
        case denied(group: String?)
        case noInputDevice
        case failed(Int32)
    }

    /// What a look at it brought.
    struct Reading {
        var bytes: [UInt8] = []
        /// It is gone, and why where that has a number. What it still had is in `bytes`.
        var end: End?

        enum End: Equatable {
            case closed
            case failed(Int32)
        }
    }

    /// What the device calls itself; nil for a fifo.
    let name: String?
    /// Events carry the monotonic clock's time; without it they are as old as their reading.
    let hasTimes: Bool
    /// No fifo.
    private let isDevice: Bool
    private let file: Int32
    private var source: FileSource?

    init(opening path: String) throws(Refusal) {
        let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard file >= 0 else { throw Self.refusal(errno, path) }
        var info = stat()
        var version: Int32 = 0
        let isThere = fstat(file, &info) == 0
        switch isThere ? info.st_mode & S_IFMT : 0 {
        case S_IFIFO:
            name = nil
            hasTimes = false
            isDevice = false
        case S_IFCHR where mh_input_version(file, &version) >= 0:
            var text = [CChar](repeating: 0, count: 128)
            name = mh_input_name(file, &text, text.count - 1) > 0 ? Self.printable(text) : nil
            hasTimes = mh_input_use_clock(file, CLOCK_MONOTONIC) >= 0
            isDevice = true
        default:
            close(file)
            throw .noInputDevice
        }
        self.file = file
    }

    isolated deinit {
        source?.close()
        close(file)
    }

    /// - Parameter onReady: called on the control thread while there is something to `read`.
    func watch(_ onReady: @escaping @HostActor @Sendable () -> Void) {
        source = FileSource(file, G_IO_IN.rawValue) { _ in onReady() }
    }

    /// Nobody else gets its events until it is closed. False where somebody else has done that; a fifo has one reader anyhow.
    func grab() -> Bool { !isDevice || mh_input_grab(file) >= 0 }

    /// What is there now, at most 64 events on most platforms.
    func read() -> Reading {
        var reading = Reading()
        var bytes = [UInt8](repeating: 0, count: 64 * mh_input_event_size())
        let count = Glibc.read(file, &bytes, bytes.count)
        switch count {
        case 1...: reading.bytes = Array(bytes[..<count])
        case 0: reading.end = .closed
        default: if errno != EAGAIN, errno != EINTR { reading.end = .failed(errno) }
        }
        return reading
    }

    private static func refusal(_ number: Int32, _ path: String) -> Refusal {
        switch number {
        case ENOENT, ENODEV, ENXIO, ENOTDIR: return .absent
        case EACCES, EPERM:
            var info = stat()
            guard stat(path, &info) == 0 else { return .denied(group: nil) }
            return .denied(group: getgrgid(info.st_gid).map { String(cString: $0.pointee.gr_name) } ?? "\(info.st_gid)")
        default: return .failed(number)
        }
    }

    /// A device may call itself anything.
    private static func printable(_ text: [CChar]) -> String {
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes.map { (32..<127).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }
}
