/// Which Debian package brings an element that is missing: as the packages' own lists say, and a few that these leave out.
enum DebianPackages {
    static func package(of factory: String) -> String? {
        for (package, elements) in DebianElements.packages + unlisted
        where elements.split(separator: " ").contains(Substring(factory)) {
            return package
        }
        return prefixes.first { factory.utf8.starts(with: $0.0.utf8) }?.1
    }

    private static let good = "gstreamer1.0-plugins-good"
    private static let bad = "gstreamer1.0-plugins-bad"
    private static let libav = "gstreamer1.0-libav"

    /// Elements that need a library at run time, and packages without a list.
    private static let unlisted: [(name: String, elements: String)] = [
        (good, "souphttpsrc souphttpclientsink dashdemux2 hlsdemux2 mssdemux2"),
        ("gstreamer1.0-libcamera", "libcamerasrc"),
        ("gstreamer1.0-nice", "nicesrc nicesink"),
        ("gstreamer1.0-pipewire", "pipewiresrc pipewiresink"),
        ("gstreamer1.0-rtsp", "rtspclientsink"),
        ("gstreamer1.0-espeak", "espeak"),
    ]

    /// Families: of codecs, and of elements that appear where the hardware is.
    private static let prefixes: [(String, String)] = [
        ("avdec_", libav), ("avenc_", libav), ("avmux_", libav), ("avdemux_", libav),
        ("v4l2sl", bad), ("v4l2", good), ("vaapi", "gstreamer1.0-vaapi"),
        ("vah26", bad), ("vavp", bad), ("vaav1", bad), ("vampeg", bad), ("vajpeg", bad), ("vapostproc", bad),
        ("vacompositor", bad), ("vadeinterlace", bad), ("nvh26", bad), ("nvvp", bad), ("nvav1", bad), ("nvjpeg", bad),
        ("cuda", bad), ("msdk", bad), ("qsv", bad), ("omx", "gstreamer1.0-omx-generic"),
    ]
}
