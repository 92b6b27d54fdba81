import Glibc
import GStreamerKit
import PluginKit

/// Writes a clip as Matroska. matroskamux describes the tracks; it does not write the frames, because it takes one of each track at a
/// time, from a thread for each, and a minute with two tracks of sound would be half a second of their turns.
///
/// Memory: one cluster, a GOP or a few MB.
///
/// Thread: worker.
final class MatroskaClipWriter: ClipWriter {
    /// A cluster that is longer gets no more; bytes.
    private static let mostBytes = 4 << 20
    /// Within a cluster times are 16 bits of milliseconds, and players buffer a whole one.
    private static let mostTime: Int64 = 5000

    private let descriptor: Int32
    private let layout: MatroskaLayout
    private let forms: [SampleForm]
    private let isVideo: [Bool]
    private var cluster = MatroskaCluster()
    private var hasPicture = false
    private var cues: [MatroskaLayout.Cue] = []
    /// Bytes in the file.
    private var size = 0
    /// Nanoseconds.
    private var end: Int64 = 0
    /// Of each track, the last frame's, milliseconds.
    private var times: [Int64]
    private var orders: [Int64]
    private var output: [UInt8] = []

    /// Nil where a frame is not as Matroska wants it and cannot be made so here: then `PipelineClipWriter` can.
    convenience init?(descriptor: Int32, tracks: [ClipTrack]) throws(PluginError) {
        try PipelineClipWriter.startGStreamer()
        let forms = tracks.compactMap { Self.form($0.caps) }
        guard forms.count == tracks.count else { return nil }
        // Where GStreamer cannot describe them, it says why when it is to write them.
        guard let file = try? ClipProbe.file(of: tracks, as: .matroska),
            let described = try? MatroskaTracks(file: file, count: tracks.count)
        else { return nil }
        try self.init(
            descriptor: descriptor, layout: MatroskaLayout(tracks: described), forms: forms,
            isVideo: tracks.map { Caps($0.caps)?.isVideo == true })
    }

    private init(
        descriptor: Int32, layout: MatroskaLayout, forms: [SampleForm], isVideo: [Bool]
    ) throws(PluginError) {
        self.descriptor = descriptor
        self.layout = layout
        self.forms = forms
        self.isVideo = isVideo
        times = Array(repeating: 0, count: forms.count)
        orders = Array(repeating: .min, count: forms.count)
        try put(layout.head(nil)) { false }
    }

    /// How frames of these caps become those of Matroska; nil where a parser has to do it.
    private static func form(_ text: String) -> SampleForm? {
        guard let caps = Caps(text) else { return nil }
        let alignment = caps.valueText(of: "alignment")
        switch caps.mediaType {
        case "video/x-vp8", "image/jpeg", "audio/x-raw", "audio/x-opus": return .asItIs
        case "video/x-h264", "video/x-h265": return alignment == "au" ? try? SampleForm(caps: text) : nil
        case "video/x-av1": return alignment == "tu" ? try? SampleForm(caps: text) : nil
        case "video/x-vp9": return alignment == "frame" ? nil : .asItIs
        case "audio/mpeg": return caps.valueText(of: "stream-format") == nil ? nil : try? SampleForm(caps: text)
        default: return nil
        }
    }

    func write(
        _ bytes: UnsafeRawBufferPointer, _ unit: ClipUnit, track: Int, _ isCancelled: () -> Bool
    ) throws(PluginError) {
        let described = layout.tracks.tracks[track]
        let delay = Int64(clamping: described.delay)
        let time = Self.milliseconds(max(0, unit.pts) &+ delay)
        if isFull(time) || isVideo[track] && unit.isKey && hasPicture { try flush(isCancelled) }
        var duration: Int64?
        if let usual = described.usualDuration, let its = unit.duration.map(Self.milliseconds),
            its != Self.milliseconds(Int64(clamping: usual))
        {
            duration = its
        }
        orders[track] = max(orders[track], Self.milliseconds((unit.dts ?? unit.pts) &+ delay))
        let frame = MatroskaCluster.Frame(
            track: described.number, time: time, order: orders[track], isKey: unit.isKey, duration: duration,
            reference: times[track] == time ? -1 : times[track] - time)
        cluster.add(frame) { _ = forms[track].append(bytes, to: &$0) }
        hasPicture = hasPicture || isVideo[track]
        times[track] = time
        end = max(end, unit.pts &+ (unit.duration ?? 0))
    }

    func end(track: Int) {}

    func finish(_ isCancelled: () -> Bool) throws(PluginError) {
        try flush(isCancelled)
        let place = size
        try put(layout.cues(cues), isCancelled)
        let head = layout.head(
            MatroskaLayout.End(cues: place, size: size, duration: Double(end) / 1_000_000))
        let count = head.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        guard count == head.count else { throw failure() }
    }

    func stop() {}

    private func isFull(_ time: Int64) -> Bool {
        guard let first = cluster.frames.first else { return false }
        return cluster.bytes.count >= Self.mostBytes || abs(time - first.time) >= Self.mostTime
    }

    private func flush(_ isCancelled: () -> Bool) throws(PluginError) {
        guard !cluster.frames.isEmpty else { return }
        // Of a film its key pictures, of sound all.
        let pictures = zip(layout.tracks.tracks, isVideo).filter(\.1).map(\.0.number)
        if let cue = cluster.frames.first(where: { $0.isKey && (pictures.isEmpty || pictures.contains($0.track)) }) {
            cues.append(MatroskaLayout.Cue(time: cue.time, track: cue.track, cluster: size))
        }
        output.removeAll(keepingCapacity: true)
        cluster.append(to: &output)
        cluster.removeAll()
        hasPicture = false
        try put(output, isCancelled)
    }

    private func put(_ bytes: [UInt8], _ isCancelled: () -> Bool) throws(PluginError) {
        var done = 0
        while done < bytes.count {
            if isCancelled() { throw PluginError("writing the clip was cancelled", code: .cancelled) }
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress?.advanced(by: done), min($0.count - done, 1 << 20))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure() }
            done += count
        }
        size += bytes.count
    }

    private func failure() -> PluginError {
        PluginError(
            "writing the clip failed: " + (strerror(errno).map { String(cString: $0) } ?? "error \(errno)"))
    }

    private static func milliseconds(_ time: Int64) -> Int64 { (time &+ 500_000) / 1_000_000 }
}
