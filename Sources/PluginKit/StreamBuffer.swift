import PluginABI

/// One buffer on a streaming thread: a view of the host's memory that cannot outlive the call.
///
/// Reading it neither copies nor allocates.
public struct StreamBuffer: ~Copyable {
    private let raw: UnsafePointer<mh_buffer_1>
    private let table: UnsafePointer<mh_tap_ext_1>

    init(_ raw: UnsafePointer<mh_buffer_1>, table: UnsafePointer<mh_tap_ext_1>) {
        self.raw = raw
        self.table = table
    }

    public var byteCount: Int { raw.pointee.data == nil ? 0 : raw.pointee.size }
    /// Media time of presentation.
    public var pts: Timestamp? { Timestamp(abi: raw.pointee.pts) }
    /// Media time of decoding; may precede the first `pts`.
    public var dts: Timestamp? { Timestamp(abi: raw.pointee.dts) }
    /// GStreamer's own time of `pts`, beginning anew with every epoch.
    public var runningTime: Timestamp? { Timestamp(abi: raw.pointee.running_time) }
    /// In nanoseconds: a `Duration` is twice the size and its arithmetic costs more than the rest of a tap.
    public var durationNanoseconds: Int64? { Timestamp(abi: raw.pointee.duration)?.nanoseconds }
    public var flags: BufferFlags { BufferFlags(rawValue: raw.pointee.flags) }
    /// Decodable without earlier buffers.
    public var isKeyFrame: Bool { !flags.contains(.delta) }
    /// Of the last `format`.
    public var formatID: UInt32 { raw.pointee.caps_id }
    /// Of the last `epoch`.
    public var epoch: UInt32 { raw.pointee.epoch }
    /// Counts the streams of a pipeline from 0.
    public var stream: UInt32 { raw.pointee.stream }

    /// Lends the bytes for the call.
    public func withBytes<Result, Failure: Error>(
        _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let bytes = UnsafeRawBufferPointer(start: raw.pointee.data, count: byteCount)
        return try body(bytes.bytes)
    }

    /// Keeps the buffer beyond the call without a copy, or `nil` where memory is short. It holds the producer's memory:
    /// few and briefly; copy what stays.
    public func retain() -> RetainedBuffer? {
        guard let kept = table.pointee.retain?(raw) else { return nil }
        return RetainedBuffer(kept, table: table)
    }
}
