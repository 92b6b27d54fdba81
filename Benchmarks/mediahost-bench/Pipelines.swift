/// The launch texts that are measured, without their sink.
enum Pipelines {
    static let rawVideo = "video/x-raw,format=I420,width=640,height=360,framerate=25/1"

    /// As in examples/live-test.yaml.
    static let camera =
        "videotestsrc is-live=true pattern=ball ! video/x-raw,width=640,height=360,framerate=25/1 ! videoconvert"
        + " ! x264enc tune=zerolatency key-int-max=25 ! h264parse name=encoded"

    static let audio = "audiotestsrc is-live=true wave=ticks ! audioconvert ! opusenc"

    /// A sink that drops what is more than 20 ms late, as those that show pictures do; the host counts it.
    static let punctualSink = "fakesink sync=true qos=true max-lateness=20000000"
}
