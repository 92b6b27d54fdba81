/// A player of one clip, by where it decodes and what is before the sink of its pictures.
enum PlayerKind: CaseIterable {
    case playbin, branches
    /// A queue of decoded pictures before the sink.
    case ahead
    /// One after a tee whose other way keeps the decoder.
    case raw

    /// With sinks `ears` and `eyes`; all but a playbin with `decoder` and the demuxer `d`.
    func launch(_ path: String) -> String {
        switch self {
        case .playbin:
            "playbin3 uri=file://\(path) video-sink=\"fakesink name=eyes sync=true qos=true max-lateness=20000000\""
                + " audio-sink=\"fakesink name=ears sync=true\""
        case .branches:
            "filesrc location=\(path) ! matroskademux name=d d.video_0 ! queue ! h264parse ! avdec_h264 name=decoder"
                + " ! fakesink name=eyes sync=true qos=true max-lateness=20000000"
                + " d.audio_0 ! queue ! opusparse ! opusdec ! fakesink name=ears sync=true"
        case .ahead:
            Self.branches.launch(path).replacing("=decoder !", with: "=decoder ! queue ! videoconvert !")
        case .raw:
            Self.branches.launch(path).replacing("=decoder !", with: "=decoder ! tee name=t ! queue !")
                + " t. ! queue ! videoscale ! appsink max-buffers=1 drop=true wait-on-eos=false"
        }
    }

    /// The same; each of its pictures comes, however late a busy machine is.
    func patient(_ path: String) -> String {
        launch(path).replacing("qos=true max-lateness=20000000", with: "qos=false")
    }

    /// Pictures of two decoders, `decoder` and `other`, mixed into one by `mix`.
    /// - Parameters:
    ///   - before: what comes between each decoder and the mixer, with its `!`.
    ///   - behind: what comes after the mixer, with its `!`.
    static func mixed(_ path: String, before: String = "", behind: String) -> String {
        branches.launch(path).replacing("=decoder !", with: "=decoder ! \(before) compositor name=mix ! \(behind)")
            + " filesrc location=\(path) ! matroskademux ! queue name=source ! h264parse"
            + " ! avdec_h264 name=other ! \(before) mix."
    }
}
