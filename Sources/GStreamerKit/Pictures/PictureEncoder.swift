internal import CGStreamer
internal import Locking

/// Makes files of pictures, one after the other where they are raw: to begin and to end one takes as long as a quarter of a
/// picture of 1080p.
///
/// Thread: worker, one call at a time. The last reference may go anywhere once it is closed; before, that waits for its threads.
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
            // Most of the time goes into the range of the colours, so two threads do that; a board has streams to run beside it. Where
            // sizes or planes change, too, those of GStreamer 1.22 see other colours from the middle of the picture on.
            let threads = format == .jpeg && caps.differsFromJPEGInRange && size == PictureSize() ? 2 : 1
            pipeline = try Pipeline(
                launch:
                    "appsrc name=in format=time \(decoder)! videoconvertscale add-borders=false n-threads=\(threads)"
                    + " ! capsfilter caps=\""
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

    /// Waits for its threads. Nothing is encoded afterwards.
    public func close() { pipeline.setState(.null) }

    /// Whether it may be asked again: a decoder gives its last pictures at the end of the stream only.
    public var takesMore: Bool { caps.isRaw }

    /// Whether it can make this file, too.
    public func makes(_ format: PictureFormat, size: PictureSize, of picture: Picture) -> Bool {
        takesMore && (format, size) == (self.format, self.size) && picture.caps.isEqual(to: caps)
    }

    /// It is closed afterwards where it failed, or takes no more.
    /// - Throws: `Picture.Failure` in GStreamer's words, also after `limit`.
    public func encode(_ picture: Picture, within limit: ClockTime) throws(Picture.Failure) -> [UInt8] {
        do throws(Picture.Failure) {
            let file = try file(of: picture, within: limit)
            if !takesMore { close() }
            return file
        } catch {
            close()
            throw error
        }
    }

    private func file(of picture: Picture, within limit: ClockTime) throws(Picture.Failure) -> [UInt8] {
        guard let sample = gst_sample_new(picture.buffer, picture.caps.pointer, nil, nil) else {
            throw Picture.Failure(description: "GStreamer made no pipeline for it")
        }
        defer { gst_mini_object_unref(UnsafeMutableRawPointer(sample).assumingMemoryBound(to: GstMiniObject.self)) }
        let source = UnsafeMutableRawPointer(input.pointer).assumingMemoryBound(to: GstAppSrc.self)
        gst_app_src_push_sample(source, sample)
        if !takesMore { gst_app_src_end_of_stream(source) }
        let sink = UnsafeMutableRawPointer(output.pointer).assumingMemoryBound(to: GstAppSink.self)
        guard let made = gst_app_sink_try_pull_sample(sink, ClockTime.raw(limit)) else {
            if let complaint { throw Picture.Failure(description: complaint) }
            // At the end of the stream it answers at once.
            let isLate = gst_app_sink_is_eos(sink) == 0
            throw Picture.Failure(
                description: isLate ? "it took too long" : "no picture came out of it", isLate: isLate)
        }
        defer { gst_mini_object_unref(UnsafeMutableRawPointer(made).assumingMemoryBound(to: GstMiniObject.self)) }
        // What a filter could not read it passes on as the memory was, with the picture before in it.
        if takesMore, let complaint { throw Picture.Failure(description: complaint) }
        guard let buffer = gst_sample_get_buffer(made) else {
            throw Picture.Failure(description: "no picture came out of it")
        }
        Handover.take(buffer)
        return BufferView(pointer: buffer).withBytes { Array($0) } ?? []
    }

    /// What it has complained of. An encoder that cannot read a picture leaves it out, and counts it.
    private var complaint: String? {
        while let message = pipeline.bus.next(timeout: .zero) {
            switch message {
            case .error(let report), .warning(let report): return report.explanation
            case .quality: return "no picture came out of it"
            default: continue
            }
        }
        return nil
    }
}
