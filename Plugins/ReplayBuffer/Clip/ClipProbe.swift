internal import CGLib
internal import Glibc
import PluginKit

/// Has GStreamer's muxer describe one frame of each track, for whoever writes the rest of a file.
///
/// Thread: worker.
enum ClipProbe {
    /// The whole file, with these frames in it.
    static func file(of tracks: [ClipTrack], as container: Container) throws(PluginError) -> [UInt8] {
        let descriptor = mh_memory_file()
        guard descriptor >= 0 else { throw PluginError("there is no memory for the head of a file") }
        defer { close(descriptor) }
        let writer = try PipelineClipWriter(
            descriptor: descriptor, container: container, caps: tracks.map(\.caps))
        defer { writer.stop() }
        for (number, track) in tracks.enumerated() {
            let span = track.first.span
            try span.withUnsafeBytes { (bytes) throws(PluginError) in
                let unit = ClipUnit(pts: 0, dts: 0, duration: track.duration, isKey: true)
                try writer.write(bytes, unit, track: number) { false }
            }
            writer.end(track: number)
        }
        try writer.finish { false }
        return contents(of: descriptor)
    }

    private static func contents(of descriptor: Int32) -> [UInt8] {
        var info = stat()
        guard fstat(descriptor, &info) == 0, info.st_size > 0, info.st_size < 1 << 30 else { return [] }
        let size = Int(info.st_size)
        var bytes = [UInt8](repeating: 0, count: size)
        let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, size, 0) }
        return count == size ? bytes : []
    }
}
