import PluginKit

/// `position`: the live position and all that can be scrubbed.
///
/// Times are media time in nanoseconds.
struct TimelineReport: PluginRecord {
    let now: Int64?
    let position: Int64?
    let delay: Duration?
    let scrub: Double?
    let viewer: ViewerState
    let rate: Double
    let held: Bool
    let offset: Int64?
    let oldest: Int64
    let nextStart: Int64
    let segmentIndex: Int
    let epoch: Int
    let segments: [SegmentReport]
    let gaps: [GapReport]
    let markers: [MarkerReport]

    static let fields = Fields(
        TimelineReport.init,
        Field("now", \.now, "The live edge"),
        Field("position", \.position, "Where the viewer is"),
        Field("delay", \.delay, "How far that is behind the live edge"),
        Field("scrub", \.scrub, "The same between the oldest frame (0) and the live edge (1)"),
        Field("viewer", \.viewer, "live, playing, paused (by its user) or held (until the next frame)"),
        Field("rate", \.rate, "Of the viewer"),
        Field("held", \.held, "Whether the live edge stands because its source does"),
        Field("offset", \.offset, "The live edge less the monotonic clock"),
        Field("oldest", \.oldest, "The oldest key frame"),
        Field("next_start", \.nextStart, "Where the next frame belongs"),
        Field("segment_index", \.segmentIndex, "How many segments there were so far"),
        Field("epoch", \.epoch, "Runs of the pipeline so far"),
        Field("segments", \.segments, "Those that are kept, oldest first; the last one still grows"),
        Field("gaps", \.gaps, "Where nothing came, oldest first"),
        Field("markers", \.markers, "In the order they were set"))
}

enum ViewerState: String, CaseIterable, FieldValue {
    case live, playing, paused, held
}

struct SegmentReport: PluginRecord {
    let index: Int
    let start: Int64
    let duration: Duration
    let epoch: Int
    let monotonic: Int64
    let boottime: Int64
    let realtime: Int64

    static let fields = Fields(
        SegmentReport.init,
        Field("index", \.index, "Counts from 0"),
        Field("start", \.start, "Media time of its first frame"),
        Field("duration", \.duration, "Of the last one: so far"),
        Field("epoch", \.epoch, "The run of the pipeline it is of"),
        Field("monotonic", \.monotonic, "CLOCK_MONOTONIC when its first frame came, in nanoseconds"),
        Field("boottime", \.boottime, "CLOCK_BOOTTIME then"),
        Field("realtime", \.realtime, "Nanoseconds since 1970 then"))
}

struct GapReport: PluginRecord {
    let from: Int64
    let to: Int64

    static let fields = Fields(
        GapReport.init, Field("from", \.from, "Where the frame before ended"),
        Field("to", \.to, "Where the next one began"))
}

struct MarkerReport: PluginRecord {
    let id: Int
    let name: String
    let time: Int64

    static let fields = Fields(
        MarkerReport.init, Field("id", \.id, "Counts from 1"), Field("name", \.name, "As it was given, or the number"),
        Field("time", \.time, "Media time"))

    init(id: Int, name: String, time: Int64) { (self.id, self.name, self.time) = (id, name, time) }
    init(_ marker: Marker) { self.init(id: marker.id, name: marker.name, time: marker.time) }
}
