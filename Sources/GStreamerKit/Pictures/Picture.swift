internal import CGStreamer
internal import Locking

/// One picture as it passed a pad, raw or encoded, with its format: one owned reference to its buffer.
public final class Picture: Sendable {
    // Never written after init; a buffer that is shared is not writable for anybody.
    nonisolated(unsafe) let buffer: UnsafeMutablePointer<GstBuffer>
    public let caps: Caps
    /// Whether it can be shown by itself: any raw one, or an encoded key frame.
    public let isWhole: Bool

    fileprivate init(_ view: borrowing BufferView, _ caps: Caps) {
        buffer = view.pointer
        isWhole = caps.isRaw || view.beginsPicture
        self.caps = caps
        gst_mini_object_ref(UnsafeMutableRawPointer(buffer).assumingMemoryBound(to: GstMiniObject.self))
        Handover.give(buffer)
    }

    deinit {
        gst_mini_object_unref(UnsafeMutableRawPointer(buffer).assumingMemoryBound(to: GstMiniObject.self))
    }

    /// Why a picture could not be made into a file.
    public struct Failure: Error, Sendable, Equatable, CustomStringConvertible {
        public var description: String
        /// It took too long; nothing else was wrong.
        public var isLate = false
    }

    /// As a file of its own: decoded where it is encoded, scaled with its proportions kept where only one side is given.
    ///
    /// - Throws: `Failure` in GStreamer's words, also after `limit`.
    /// - Thread: worker.
    public func encoded(as format: PictureFormat, size: PictureSize, within limit: ClockTime) throws(Failure) -> [UInt8]
    {
        try PictureEncoder(of: caps, as: format, size: size).encode(self, within: limit)
    }
}

extension Element {
    /// What a sink shows now: the last buffer it took, pictures or not.
    public var shownPicture: Picture? {
        guard let sample = mh_gst_last_sample(pointer) else { return nil }
        defer { gst_mini_object_unref(UnsafeMutableRawPointer(sample).assumingMemoryBound(to: GstMiniObject.self)) }
        guard let buffer = gst_sample_get_buffer(sample), let caps = gst_sample_get_caps(sample) else { return nil }
        return Picture(BufferView(pointer: buffer), Caps(retaining: caps))
    }
}

extension Pad {
    /// What a sink shows now of what passed here; nil where none is behind it, or something between makes other pictures of these.
    public var pictureShownBehind: Picture? {
        guard let input = peer, let element = input.leafElement else { return nil }
        if element.isSink { return element.shownPicture }
        guard Self.passingOn.contains(element.factoryName ?? "") else { return nil }
        return input.linkedInside.lazy.compactMap(\.pictureShownBehind).first
    }

    /// They change no picture.
    private static let passingOn: Set<String> = ["queue", "queue2", "tee", "capsfilter", "identity", "clocksync"]

    /// Gives the next picture that can be shown by itself: any raw one, or an encoded key frame. What passes is not held up.
    ///
    /// - Parameter done: called once, on the streaming thread; must not wait.
    /// - Returns: the token that ends the waiting; nil where the pad takes no probe.
    public func takePicture(_ done: @escaping @Sendable (Picture) -> Void) -> PadProbe? {
        addProbe { [pointer = Borrowed(pointer)] data in
            guard case .buffer(let buffer) = data, buffer.beginsPicture,
                let caps = gst_pad_get_current_caps(pointer.pad)
            else { return .pass }
            done(Picture(buffer, Caps(adopting: caps)))
            return .passAndRemove
        }
    }

    /// A pad in its own probe, which lives as long as that runs.
    private struct Borrowed: @unchecked Sendable {
        let pad: UnsafeMutablePointer<GstPad>
        init(_ pad: UnsafeMutablePointer<GstPad>) { self.pad = pad }
    }
}

extension BufferView {
    /// Whether there is a whole picture in it. One that only describes the stream has no time; a key frame may do that, too.
    fileprivate var beginsPicture: Bool {
        flags.isDisjoint(with: [.delta, .gap]) && (pts != nil || !flags.contains(.header))
    }
}
