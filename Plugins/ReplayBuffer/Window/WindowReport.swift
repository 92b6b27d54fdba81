import PluginKit

/// `timeline.json`: what the page draws and its player fetches. Times are media time in nanoseconds.
struct WindowReport: PluginRecord {
    let now: Int64?
    let oldest: Int64
    let newest: Int64
    let held: Bool
    let first: Int
    let next: Int
    let segments: [WindowSegmentReport]
    let formats: [WindowFormatReport]
    let gaps: [GapReport]
    let markers: [MarkerReport]
    let awaited: String?

    static let fields = Fields(
        WindowReport.init,
        Field("now", \.now, "The live edge"),
        Field("oldest", \.oldest, "Where the first segment begins that the playlist names"),
        Field("newest", \.newest, "Where the last one ends"),
        Field("held", \.held, "Whether the live edge stands because its source does"),
        Field("first", \.first, "The number of the first segment that the playlist names"),
        Field("next", \.next, "The number that the next segment gets"),
        Field("segments", \.segments, "Those that are named, oldest first; with after=NUMBER those behind that one"),
        Field("formats", \.formats, "Their init files"),
        Field("gaps", \.gaps, "Where nothing came, oldest first"),
        Field("markers", \.markers, "In the order they were set"),
        Field("awaited", \.awaited, "Why there is no segment yet"))
}

struct WindowSegmentReport: PluginRecord {
    let number: Int
    let start: Int64
    let end: Int64
    let duration: Int64
    let realtime: Int64
    let format: String

    static let fields = Fields(
        WindowSegmentReport.init,
        Field("number", \.number, "Of segment-NUMBER.m4s"),
        Field("start", \.start, "Its key frame"),
        Field("end", \.end, "The next segment's"),
        Field("duration", \.duration, "How long it plays"),
        Field("realtime", \.realtime, "Nanoseconds since 1970 when its first frame came"),
        Field("format", \.format, "Its init file"))

    init(number: Int, start: Int64, end: Int64, duration: Int64, realtime: Int64, format: String) {
        (self.number, self.start, self.end) = (number, start, end)
        (self.duration, self.realtime, self.format) = (duration, realtime, format)
    }

    init(_ segment: WindowSegment) {
        self.init(
            number: Int(clamping: segment.number), start: segment.start, end: segment.end, duration: segment.duration,
            realtime: segment.realtime, format: segment.format.fileName)
    }
}

struct WindowFormatReport: PluginRecord {
    let name: String
    let type: String

    static let fields = Fields(
        WindowFormatReport.init,
        Field("name", \.name, "Its file"),
        Field("type", \.type, "Its MIME type, with the codecs"))
}
