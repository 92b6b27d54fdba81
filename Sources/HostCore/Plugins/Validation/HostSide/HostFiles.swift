internal import Glibc
import Locking

/// Descriptors of a plugin in another process: those that came over the wire, by the plugin's own numbers. In one process
/// there are none, and a number is what it is.
///
/// Lock order: a leaf.
final class HostFiles: Sendable {
    private let files = Locked<[Int32: Int32]>([:])

    /// The host's number for one of the plugin's.
    func here(_ number: Int32) -> Int32 { files.withLock { $0[number] } ?? number }

    /// The plugin's number for one of the host's.
    func there(_ file: Int32) -> Int32 { files.withLock { files in files.first { $0.value == file }?.key } ?? file }

    func has(_ number: Int32) -> Bool { files.withLock { $0[number] != nil } }

    func keep(_ file: Int32, for number: Int32) { files.withLock { $0[number] = file } }

    /// Nobody looks at it any more.
    func close(_ number: Int32) {
        if let file = files.withLock({ $0.removeValue(forKey: number) }) { Glibc.close(file) }
    }

    func closeAll() {
        let left = files.withLock { files in
            defer { files = [:] }
            return files.values.map { $0 }
        }
        for file in left { Glibc.close(file) }
    }
}
