import PluginKit

/// Where the frames of a clip go, one after the other, each track in the order of decoding.
///
/// Thread: worker, all of it, one thread at a time. After an error only `stop` is called. What waits looks at `isCancelled`
/// several times a second and then throws; what it throws is not told to anybody.
protocol ClipWriter: AnyObject {
    /// - Parameter track: of the list that the writer was made for.
    func write(
        _ bytes: UnsafeRawBufferPointer, _ unit: ClipUnit, track: Int, _ isCancelled: () -> Bool
    ) throws(PluginError)

    /// Nothing more comes of this track: nothing of the others has to wait for it.
    func end(track: Int)

    /// All is written and out of this process' buffers when this returns.
    func finish(_ isCancelled: () -> Bool) throws(PluginError)

    /// Always called once, last.
    func stop()
}

/// Times of one frame in nanoseconds from the start of the clip.
struct ClipUnit: Equatable, Sendable {
    var pts: Int64
    /// Negative before the first picture where pictures are reordered.
    var dts: Int64?
    var duration: Int64?
    var isKey: Bool
}

/// What a writer is told of a track before its frames come.
struct ClipTrack: Equatable, Sendable {
    var caps: String
    /// The bytes of its first frame, which say how it is decoded where the caps do not; empty
    /// where no muxer is to describe it.
    var first: [UInt8]
    /// Of that frame, nanoseconds.
    var duration: Int64?
}

/// Makes the writer for an open file; tests put their own in.
typealias ClipWriterFactory =
    @Sendable (_ descriptor: Int32, _ container: Container, _ tracks: [ClipTrack]) throws(PluginError) -> any ClipWriter
