/// Who plays a clip of H.264 and AAC: three ways to write it.
enum ModePlayer: String, CaseIterable {
    /// A player that finds out everything by itself.
    case playbin
    /// A decoder that finds out everything by itself, and sinks of one's own.
    case decoded
    /// A launch text with a branch for each.
    case branch

    /// - Parameter eyes: nil where the clip has no pictures.
    func launch(_ path: String, _ ears: String, _ eyes: String?) -> String {
        switch self {
        case .playbin:
            // As one would write it who knows nothing of the file.
            "playbin3 uri=file://\(path) audio-sink=\"benchview trace=\(ears)\""
                + (eyes.map { " video-sink=\"benchview trace=\($0)\"" } ?? "")
        case .decoded:
            "uridecodebin3 uri=file://\(path) name=d"
                + " d. ! queue ! audioconvert ! audioresample ! benchview trace=\(ears)"
                + (eyes.map { " d. ! queue ! videoconvert ! benchview trace=\($0)" } ?? "")
        case .branch:
            Self.sound(path, ears)
                + (eyes.map {
                    " d.video_0 ! queue ! h264parse ! avdec_h264 ! videoconvert ! benchview trace=\($0)"
                } ?? "")
        }
    }

    /// The branch of the sound alone, of a clip that has pictures, too.
    static func sound(_ path: String, _ ears: String) -> String {
        "filesrc location=\(path) ! qtdemux name=d d.audio_0 ! queue ! aacparse ! avdec_aac ! audioconvert"
            + " ! benchview trace=\(ears)"
    }
}
