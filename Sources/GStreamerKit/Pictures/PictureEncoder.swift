internal import CGStreamer
internal import Locking

/// Makes files of pictures, one after the other where they are raw: to begin and to end takes as long as a third of a picture of 1080p.
///
/// Thread: worker, one call at a time; the last reference may go on any thread, and waits for the encoder's where it was not closed.
public final class PictureEncoder: Sendable {
    private let pipeline: Pipeline
    private let input: Element
    private let output: Element
    private let caps: Caps
    private let format: PictureFormat
    private let size: PictureSize

    /// - Throws: `Picture.Failure` where GStreamer lacks what it takes.
    public init(of caps: Caps, as format: PictureFormat, size: PictureSize) throws(Picture.Failure) {
        let decoder = caps.isRaw ? "" : "! decodebin "
        do throws(Pipeline.LaunchError) {
            // Two threads: most of the time goes into the range of the colours, and a board has streams to run beside it.
            pipeline = try Pipeline(
                launch:
                    "appsrc name=in format=time \(decoder)! videoconvertscale add-borders=false n-threads=2 ! capsfilter caps=\""
                    + "video/x-raw,pixel-aspect-ratio=1/1\(format.caps(from: caps))\(size.caps)\" ! \(format.encoder)"
                    + " ! appsink name=out sync=false enable-last-sample=false",
                name: "picture")
        } catch {
            throw Picture.Failure(description: error.text)
        }
        guard let input = pipeline.element(named: "in"), let output = pipeline.element(named: "out") else {
            throw Picture.Failure(description: "GStreamer made no pipeline for it")
        }
        (self.caps, self.format, self.size, self.input, self.output) = (caps, format, size, input, output)
        pipeline.setState(.playing)
    }

    deinit { close() }

    /// Ends its threads. Nothing is encoded afterwards.
    public func close() { pipeline.setState(.null) }

    /// Whether it can make this file, too: what was decoded has ended the stream.
    public func makes(_ format: PictureFormat, size: PictureSize, of picture: Picture) -> Bool {
        caps.isRaw && (format, size) == (self.format, self.size) && picture.caps.isEqual(to: caps)
    }

    /// - Throws: `Picture.Failure` in GStreamer's words, also after `limit`; it is of no more use then.
    public func encode(_ picture: Picture, within limit: ClockTime) throws(Picture.Failure) -> [UInt8] {
        guard let sample = gst_sample_new(picture.buffer, picture.caps.pointer, nil, nil) else {
            throw Picture.Failure(description: "GStreamer made no pipeline for it")
        }
        defer { gst_mini_object_unref(UnsafeMutableRawPointer(sample).assumingMemoryBound(to: GstMiniObject.self)) }
        let source = UnsafeMutableRawPointer(input.pointer).assumingMemoryBound(to: GstAppSrc.self)
        gst_app_src_push_sample(source, sample)
        // A decoder gives its last pictures at the end only.
        if !caps.isRaw { gst_app_src_end_of_stream(source) }
        let sink = UnsafeMutableRawPointer(output.pointer).assumingMemoryBound(to: GstAppSink.self)
        guard let made = gst_app_sink_try_pull_sample(sink, ClockTime.raw(limit)) else {
            if let reason { throw Picture.Failure(description: reason) }
            // At the end of the stream it answers at once.
            let isLate = gst_app_sink_is_eos(sink) == 0
            throw Picture.Failure(
                description: isLate ? "it took too long" : "no picture came out of it", isLate: isLate)
        }
        defer { gst_mini_object_unref(UnsafeMutableRawPointer(made).assumingMemoryBound(to: GstMiniObject.self)) }
        guard let buffer = gst_sample_get_buffer(made) else {
            throw Picture.Failure(description: "no picture came out of it")
        }
        Handover.take(buffer)
        return BufferView(pointer: buffer).withBytes { Array($0) } ?? []
    }

    /// What it has complained of.
    private var reason: String? {
        while let message = pipeline.bus.next(timeout: .zero) {
            if case .error(let report) = message { return report.explanation }
        }
        return nil
    }
}
