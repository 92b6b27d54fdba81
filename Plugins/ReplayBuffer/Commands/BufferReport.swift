import PluginKit

/// What `status` says about the buffer.
struct BufferReport: PluginRecord {
    let frames: Int
    let gops: Int
    let bytes: ByteSize
    let capacity: ByteSize
    let window: Duration
    let oldest: Int64
    let newest: Int64
    let duration: Duration
    let saves: Int
    let waiting: Int
    let dropped: RingDrops

    static let fields = Fields(
        BufferReport.init,
        Field("frames", \.frames, "Frames that are kept"),
        Field("gops", \.gops, "The GOPs they belong to"),
        Field("bytes", \.bytes, "Size of these frames"),
        Field("capacity", \.capacity, "What fits at most"),
        Field("window", \.window, "How much is kept at least, by the config"),
        Field("oldest", \.oldest, "Media time of the oldest frame, in nanoseconds"),
        Field("newest", \.newest, "Media time of the newest end, in nanoseconds"),
        Field("duration", \.duration, "From the one to the other"),
        Field("saves", \.saves, "Saves that run now"),
        Field("waiting", \.waiting, "Triggers whose post-roll is still to come"),
        Field("dropped", \.dropped, "What could not be kept since the start"))
}
