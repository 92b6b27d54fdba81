import PluginKit

/// What `save` says about the file it made.
struct SavedClip: PluginRecord {
    let path: String
    let firstPTS: Int64
    let end: Int64
    let duration: Duration
    let frames: Int
    let hiddenFrames: Int
    let bytes: ByteSize
    let keyFrames: Int
    let audioFrames: Int
    let audioLeftOut: Int
    let complete: Bool
    let startsAt: ClipRange.Cut?

    static let fields = Fields(
        SavedClip.init,
        Field("path", \.path, "The file"),
        Field("first_pts", \.firstPTS, "Media time of the first frame, in nanoseconds"),
        Field("end", \.end, "Media time where the last picture ends, in nanoseconds"),
        Field("duration", \.duration, "From the first frame to the end of the last one"),
        Field("frames", \.frames, "All pictures that are shown"),
        Field("hidden_frames", \.hiddenFrames, "Those that are in the file for the others' sake; .mp4 only"),
        Field("bytes", \.bytes, "Size of the file"),
        Field("key_frames", \.keyFrames, "Those among them that decode without others"),
        Field("audio_frames", \.audioFrames, "Frames of sound in the file, of all tracks; hidden ones, too"),
        Field("audio_left_out", \.audioLeftOut, "Frames of sound whose caps changed within the clip"),
        Field("complete", \.complete, "Whether it covers all that was asked for"),
        Field(
            "starts_at", \.startsAt,
            "Why it is not complete: nothing older is kept, or the older part has other caps"))
}
