/// A pipeline whose pictures carry their numbers, for `Clip` to read back.
enum NumberedCamera {
    /// Of 25 in a second; nanoseconds.
    static let frame = 40_000_000

    /// Raw pictures leave at `qr`, encoded ones at `encoded`.
    static let launch =
        "videotestsrc is-live=true ! video/x-raw,width=320,height=240,framerate=25/1 ! debugqroverlay name=qr ! videoconvert"
        + " ! x264enc tune=zerolatency speed-preset=ultrafast key-int-max=25 ! h264parse name=encoded ! fakesink"
}
