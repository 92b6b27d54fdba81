import PluginKit

/// The file formats a clip can have, by the extension of its name.
enum Container: String, CaseIterable, Sendable {
    case matroska = ".mkv"
    case mp4 = ".mp4"
    case mpegTS = ".ts"

    init(path: String) throws(PluginError) {
        guard let found = Container.allCases.first(where: { path.hasSuffix($0.rawValue) }) else {
            let known = Container.allCases.map(\.rawValue).joined(separator: ", ")
            throw PluginError("cannot save \(path): the name must end in one of \(known)", code: .invalid)
        }
        self = found
    }

    /// The elements between the frames and the file, `h264parse ! matroskamux`.
    func elements(for mediaType: String) throws(PluginError) -> String {
        guard let parser = Container.parsers[mediaType] else {
            let known = Container.parsers.keys.sorted().joined(separator: ", ")
            throw PluginError(
                "cannot save a clip of \(mediaType.isEmpty ? "a stream without caps" : mediaType); known are \(known)",
                code: .unsupported)
        }
        guard holds(mediaType) else {
            throw PluginError("\(rawValue) cannot hold \(mediaType); save to .mkv", code: .unsupported)
        }
        return parser.isEmpty ? muxer : "\(parser) ! \(muxer)"
    }

    private static let parsers = [
        "video/x-h264": "h264parse", "video/x-h265": "h265parse", "video/x-av1": "av1parse", "video/x-vp8": "",
        "video/x-vp9": "", "image/jpeg": "",
    ]

    private var muxer: String {
        switch self {
        case .matroska: "matroskamux"
        case .mp4: "mp4mux"
        case .mpegTS: "mpegtsmux"
        }
    }

    /// As the muxers of GStreamer 1.22 have it.
    private func holds(_ mediaType: String) -> Bool {
        self == .matroska || mediaType == "video/x-h264" || mediaType == "video/x-h265"
    }
}
