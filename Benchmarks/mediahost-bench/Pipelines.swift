/// The launch texts that are measured, without their sink.
enum Pipelines {
    static let rawVideo = "video/x-raw,format=I420,width=640,height=360,framerate=25/1"

    /// As in examples/live-test.yaml.
    static let camera =
        "videotestsrc is-live=true pattern=ball ! video/x-raw,width=640,height=360,framerate=25/1 ! videoconvert"
        + " ! x264enc tune=zerolatency key-int-max=25 ! h264parse name=encoded"

    static let audio = "audiotestsrc is-live=true wave=ticks ! audioconvert ! opusenc"
}
