import Foundation
import Testing

/// A device with keys, for which nobody needs a keyboard: a fifo of input events.
///
/// They are written as the kernel does on a machine with 64-bit times; the tests are for those.
final class KeyDevice {
    static let volume: UInt16 = 115
    static let power: UInt16 = 116

    private let file: FileHandle

    /// Makes one that a host can open.
    static func make(_ path: String) throws { try #require(mkfifo(path, 0o600) == 0) }

    /// To be written to; waits until a host has opened it.
    init(_ path: String) throws { file = try FileHandle(forWritingTo: URL(fileURLWithPath: path)) }

    func key(_ code: UInt16, _ value: Int32) throws {
        try file.write(contentsOf: Self.event(1, code, value) + Self.event(0, 0, 0))
    }

    /// Some were lost.
    func drop() throws { try file.write(contentsOf: Self.event(0, 3, 0) + Self.event(0, 0, 0)) }

    func close() throws { try file.close() }

    private static func event(_ type: UInt16, _ code: UInt16, _ value: Int32) -> Data {
        var data = Data(count: MemoryLayout<timeval>.size)
        withUnsafeBytes(of: type) { data.append(contentsOf: $0) }
        withUnsafeBytes(of: code) { data.append(contentsOf: $0) }
        withUnsafeBytes(of: value) { data.append(contentsOf: $0) }
        return data
    }
}
