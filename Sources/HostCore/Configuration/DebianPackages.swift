/// Which Debian package brings an element that is missing: the usual ones, by name or by how the name begins.
enum DebianPackages {
    static func package(of factory: String) -> String? {
        if let package = exact[factory] { return package }
        return prefixes.first { factory.utf8.starts(with: $0.0.utf8) }?.1
    }

    private static let base = "gstreamer1.0-plugins-base"
    private static let good = "gstreamer1.0-plugins-good"
    private static let bad = "gstreamer1.0-plugins-bad"
    private static let ugly = "gstreamer1.0-plugins-ugly"
    private static let libav = "gstreamer1.0-libav"

    private static let prefixes: [(String, String)] = [
        ("avdec_", libav), ("avenc_", libav), ("avmux_", libav), ("avdemux_", libav), ("rtp", good), ("vp8", good),
        ("vp9", good), ("webrtc", bad), ("srt", bad), ("hls", bad), ("dash", bad),
        ("nv", bad), ("v4l2sl", bad), ("vaapi", "gstreamer1.0-vaapi"), ("va", bad), ("gl", "gstreamer1.0-gl"),
        ("omx", "gstreamer1.0-omx-generic"),
    ]

    private static let exact: [String: String] = {
        var table: [String: String] = [:]
        for (package, names) in [
            (
                base,
                "videotestsrc audiotestsrc videoconvert videoscale videorate videoconvertscale audioconvert audioresample "
                    + "audiorate playbin playbin3 decodebin decodebin3 uridecodebin uridecodebin3 appsrc appsink oggmux "
                    + "oggdemux vorbisenc vorbisdec opusenc opusdec theoraenc theoradec textoverlay clockoverlay "
                    + "timeoverlay volume audiomixer compositor tcpserversink tcpclientsrc giosrc giosink subparse "
                    + "typefind encodebin parsebin streamsynchronizer"
            ),
            ("gstreamer1.0-alsa", "alsasrc alsasink"),
            ("gstreamer1.0-x", "ximagesink xvimagesink"),
            ("gstreamer1.0-pulseaudio", "pulsesrc pulsesink"),
            ("gstreamer1.0-pipewire", "pipewiresrc pipewiresink"),
            ("gstreamer1.0-gtk3", "gtksink gtkglsink"),
            ("gstreamer1.0-libcamera", "libcamerasrc"),
            (
                good,
                "matroskamux matroskademux webmmux mp4mux qtmux qtdemux isomp4 v4l2src v4l2sink v4l2h264enc v4l2h264dec "
                    + "v4l2convert flvmux flvdemux avimux avidemux wavenc wavparse flacenc flacdec jpegenc jpegdec pngenc "
                    + "pngdec speexenc speexdec lamemp3enc mpg123audiodec splitmuxsink splitmuxsrc souphttpsrc udpsrc "
                    + "udpsink multiudpsink rtspsrc autovideosink autoaudiosink autovideosrc autoaudiosrc level spectrum "
                    + "imagefreeze videobox videocrop videoflip videomixer deinterlace interleave deinterleave aacparse "
                    + "mpegaudioparse ac3parse multifilesrc multifilesink ximagesrc audiofirfilter equalizer-10bands"
            ),
            (
                bad,
                "h264parse h265parse av1parse vp9parse mpegvideoparse mpeg4videoparse jpegparse zbar debugqroverlay "
                    + "qroverlay mpegtsmux tsdemux tsparse fdkaacenc fdkaacdec voaacenc faac faad x265enc openh264enc "
                    + "openh264dec av1enc av1dec svtav1enc kmssink fbdevsink waylandsink rtmpsink rtmpsrc rtmp2sink "
                    + "rtmp2src shmsink shmsrc intervideosrc intervideosink interaudiosrc interaudiosink videoparse "
                    + "camerabin wrappercamerabinsrc timecodestamper errorignore fakevideosink fakeaudiosink codec2enc "
                    + "watchdog proxysrc proxysink ipcpipelinesrc ipcpipelinesink mxfmux mxfdemux"
            ),
            (ugly, "x264enc asfdemux mpeg2dec a52dec amrnbenc amrnbdec amrwbdec dvdreadsrc rmdemux xingmux"),
        ] {
            for name in names.split(separator: " ") { table[String(name)] = package }
        }
        return table
    }()
}
