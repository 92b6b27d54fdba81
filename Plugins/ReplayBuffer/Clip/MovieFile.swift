import Glibc
import PluginKit

/// An MP4 file whose `moov` box comes last, as mp4mux writes it.
///
/// Thread: worker.
enum MovieFile {
    /// Larger ones are no clip's.
    private static let most = 256 << 20

    /// Puts edit lists into an open file.
    static func trim(_ descriptor: Int32, to edits: EditList, _ path: String) throws(PluginError) {
        let (start, size) = try findMovie(descriptor, path)
        var bytes = [UInt8](repeating: 0, count: size)
        guard bytes.withUnsafeMutableBytes({ pread(descriptor, $0.baseAddress, size, off_t(start)) }) == size else {
            throw failed(path, "could not be read back: \(reason)")
        }
        let new: [UInt8]
        do throws(MovieBoxes.Damaged) {
            new = try edits.apply(to: bytes)
        } catch {
            throw failed(path, "is not as mp4mux was expected to write it")
        }
        var done = 0
        while done < new.count {
            let count = new.withUnsafeBytes { bytes in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
                return pwrite(descriptor, rest.baseAddress, rest.count, off_t(start + done))
            }
            guard count > 0 else { throw failed(path, "could not be written: \(reason)") }
            done += count
        }
        guard ftruncate(descriptor, off_t(start + new.count)) == 0 else {
            throw failed(path, "could not be written: \(reason)")
        }
    }

    private static func findMovie(_ descriptor: Int32, _ path: String) throws(PluginError) -> (start: Int, size: Int) {
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { throw failed(path, "could not be read back: \(reason)") }
        let end = Int(info.st_size)
        var place = 0
        while place <= end - 8 {
            var header = [UInt8](repeating: 0, count: 16)
            guard header.withUnsafeMutableBytes({ pread(descriptor, $0.baseAddress, 16, off_t(place)) }) >= 8 else {
                break
            }
            let short = header[..<4].reduce(0) { $0 << 8 | Int($1) }
            let size = short == 1 ? header[8...].reduce(0) { $0 << 8 | Int(truncatingIfNeeded: UInt64($1)) } : short
            guard size >= 8, size <= end - place else { break }
            if Array(header[4..<8]) == Array("moov".utf8) {
                guard place + size == end, size <= most else { break }
                return (place, size)
            }
            place += size
        }
        throw failed(path, "has no moov box at its end")
    }

    private static var reason: String { strerror(errno).map { String(cString: $0) } ?? "error \(errno)" }

    private static func failed(_ path: String, _ what: String) -> PluginError {
        PluginError("cannot save \(path): the film \(what)")
    }
}
