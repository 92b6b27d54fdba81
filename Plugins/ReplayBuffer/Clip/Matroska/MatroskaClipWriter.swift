import Glibc
import GStreamerKit
import PluginKit

/// Writes a clip as Matroska. matroskamux describes the tracks; it does not write the frames, because it takes one of each track at a
/// time, from a thread for each, and a minute with two tracks of sound would be half a second of their turns.
///
/// Memory: some seconds of the clip, a few MB, twice.
///
/// Thread: worker.
final class MatroskaClipWriter: ClipWriter {
    private struct Track {
        let form: SampleForm
        let isVideo: Bool
        let described: MatroskaTracks.Track
        /// The last frame's, milliseconds.
        var time: Int64 = 0
        var order: Int64 = .min
    }

    private let descriptor: Int32
    private let layout: MatroskaLayout
    private var tracks: [Track]
    private var queue: MatroskaQueue
    private var cues: [MatroskaLayout.Cue] = []
    /// Bytes in the file.
    private var size = 0
    /// Nanoseconds.
    private var end: Int64 = 0

    /// Nil where a frame is not as Matroska wants it and cannot be made so here: then `PipelineClipWriter` can.
    init?(descriptor: Int32, tracks: [ClipTrack]) throws(PluginError) {
        try PipelineClipWriter.startGStreamer()
        let forms = tracks.compactMap { Self.form(of: $0) }
        guard forms.count == tracks.count else { return nil }
        let file: [UInt8]
        do throws(PluginError) {
            file = try ClipProbe.file(of: tracks, as: .matroska)
        } catch {
            guard error.code != .timeout else { throw error }
            // What cannot be described says why when it is to be written.
            return nil
        }
        guard let described = try? MatroskaTracks(file: file, durations: tracks.map(\.duration)),
            described.tracks.map(\.isVideo) == forms.map(\.isVideo)
        else { return nil }
        self.descriptor = descriptor
        layout = MatroskaLayout(tracks: described)
        queue = MatroskaQueue(tracks: tracks.count)
        self.tracks = zip(forms, described.tracks).map { Track(form: $0.form, isVideo: $0.isVideo, described: $1) }
        try put(layout.head(nil)) { false }
    }

    /// How frames of a track become those of Matroska; nil where a parser has to do it.
    private static func form(of track: ClipTrack) -> (form: SampleForm, isVideo: Bool)? {
        guard let caps = Caps(track.caps) else { return nil }
        let format = caps.valueText(of: "stream-format")
        let isWhole: Bool
        switch caps.mediaType {
        case "video/x-vp8", "image/jpeg", "audio/x-raw": return (.asItIs, caps.isVideo)
        case "video/x-vp9": isWhole = caps.valueText(of: "alignment") != "frame"
        case "video/x-h264", "video/x-h265":
            isWhole = caps.valueText(of: "alignment") == "au" && format != nil
        case "video/x-av1": isWhole = caps.valueText(of: "alignment") == "tu"
        case "audio/x-opus": isWhole = !track.first.starts(with: "Opus".utf8)
        case "audio/mpeg": isWhole = format == "raw" || format == "adts" && isOneFrame(track.first)
        default: isWhole = false
        }
        guard isWhole, let form = try? SampleForm(caps: track.caps) else { return nil }
        return (form, caps.isVideo)
    }

    /// Whether these are one frame of ADTS (ISO/IEC 13818-7, 6.2) and nothing else.
    private static func isOneFrame(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 7, bytes[0] == 0xFF, bytes[1] & 0xF0 == 0xF0 else { return false }
        let length = Int(bytes[3] & 3) << 11 | Int(bytes[4]) << 3 | Int(bytes[5]) >> 5
        return length == bytes.count && bytes[6] & 3 == 0
    }

    func write(
        _ bytes: UnsafeRawBufferPointer, _ unit: ClipUnit, track number: Int, _ isCancelled: () -> Bool
    ) throws(PluginError) {
        let track = tracks[number]
        let delay = Int64(clamping: track.described.delay)
        let time = Self.milliseconds(max(0, unit.pts) &+ delay)
        var sample: [UInt8] = []
        sample.reserveCapacity(bytes.count + 16)
        _ = track.form.append(bytes, to: &sample)
        let order = max(track.order, Self.milliseconds((unit.dts ?? unit.pts) &+ delay))
        queue.add(
            MatroskaCluster.Frame(
                track: track.described.number, isPicture: track.isVideo, time: time, order: order, isKey: unit.isKey,
                duration: Self.unusual(unit.duration, track.described.usualDuration),
                reference: track.time == time ? -1 : track.time - time, bytes: sample), track: number)
        tracks[number].time = time
        tracks[number].order = order
        end = max(end, unit.pts &+ (unit.duration ?? 0))
        try put(queue.takeClusters(), isCancelled)
    }

    func end(track: Int) { queue.end(track: track) }

    func finish(_ isCancelled: () -> Bool) throws(PluginError) {
        try put(queue.finish(), isCancelled)
        let place = size
        try put(layout.cues(cues), isCancelled)
        let head = layout.head(
            MatroskaLayout.End(cues: place, size: size, duration: max(1, Double(end) / 1_000_000)))
        try put(head, at: 0, isCancelled)
    }

    func stop() {}

    /// In milliseconds, where a reader would not know it: that of a track that has no usual one, or another.
    private static func unusual(_ duration: Int64?, _ usual: UInt64?) -> Int64? {
        guard let duration else { return nil }
        guard let usual else { return milliseconds(duration) }
        return (duration &- Int64(clamping: usual)).magnitude < 1_000_000 ? nil : milliseconds(duration)
    }

    private func put(_ clusters: [MatroskaCluster], _ isCancelled: () -> Bool) throws(PluginError) {
        for cluster in clusters {
            // For whoever seeks: the first key picture, or of sound alone the first frame of the first track.
            let cue = cluster.frames.first { frame in
                frame.isKey && (frame.isPicture || !tracks[0].isVideo && frame.track == tracks[0].described.number)
            }
            if let cue { cues.append(MatroskaLayout.Cue(time: cue.time, track: cue.track, cluster: size)) }
            var bytes: [UInt8] = []
            bytes.reserveCapacity(cluster.size + 16 * cluster.frames.count)
            cluster.append(to: &bytes)
            try put(bytes, isCancelled)
        }
    }

    private func put(_ bytes: [UInt8], _ isCancelled: () -> Bool) throws(PluginError) {
        try put(bytes, at: size, isCancelled)
        size += bytes.count
    }

    private func put(_ bytes: [UInt8], at place: Int, _ isCancelled: () -> Bool) throws(PluginError) {
        var done = 0
        while done < bytes.count {
            if isCancelled() { throw PluginError("writing the clip was cancelled", code: .cancelled) }
            errno = ENOSPC
            let count = bytes.withUnsafeBytes {
                pwrite(
                    descriptor, $0.baseAddress?.advanced(by: done), min($0.count - done, Self.writeBytes),
                    off_t(place + done))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw PluginError(
                    "writing the clip failed: " + (strerror(errno).map { String(cString: $0) } ?? "error \(errno)"))
            }
            done += count
        }
    }

    /// So often somebody may cancel.
    private static let writeBytes = 1 << 20

    private static func milliseconds(_ time: Int64) -> Int64 { (time &+ 500_000) / 1_000_000 }
}
