/// The streaming side of a plugin: what passes one tapped pad, in order, never overlapping.
///
/// All but `detached` are called on a GStreamer thread. They must not allocate, wait, log or take a lock that another
/// thread holds during I/O: set a flag, call `Host.requestMain` and do the rest in `onMain`. `format` and `epoch` come a
/// few times per run and may copy what they are given.
public protocol StreamTap: AnyObject, Sendable {
    /// A pipeline run begins; media time goes on where the last one ended. - Thread: stream.
    func epoch(_ epoch: StreamEpoch)

    /// The buffers that follow are of this format; `caps` as GStreamer writes them, valid for the call. - Thread: stream.
    func format(_ id: UInt32, caps: Span<UInt8>)

    /// One buffer, valid for the call: copy what you keep. - Thread: stream.
    func buffer(_ buffer: borrowing StreamBuffer)

    /// Nothing will come for this time. - Thread: stream.
    func gap(at time: Timestamp?, lasting duration: Duration?)

    /// The stream has ended; a new epoch may follow. - Thread: stream.
    func endOfStream()

    /// The last call of all. - Thread: main.
    func detached()
}

extension StreamTap {
    public func epoch(_ epoch: StreamEpoch) {}
    public func format(_ id: UInt32, caps: Span<UInt8>) {}
    public func gap(at time: Timestamp?, lasting duration: Duration?) {}
    public func endOfStream() {}
    public func detached() {}
}
