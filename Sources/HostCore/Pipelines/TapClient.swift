public import GStreamerKit

/// Who listens at a tap. Calls of one tap never overlap; their order is epoch, format, then buffers and gaps.
public protocol TapClient: AnyObject, Sendable {
    /// A new run of the pipeline; the clocks are those of its first buffer. - Thread: stream.
    func epoch(_ epoch: TapEpoch)
    /// The format of what follows. - Thread: stream.
    func format(id: UInt32, caps: Caps)
    /// One buffer, borrowed. - Thread: stream: no allocation, no waiting.
    func buffer(_ buffer: borrowing TapBuffer)
    /// Nothing will come for this time. - Thread: stream.
    func gap(pts: ClockTime, duration: ClockTime?)
    /// - Thread: stream.
    func endOfStream()
    /// A new build lacks the pad; `detached` follows when the tap is ended. - Thread: main.
    @HostActor func refused(_ failure: PipelineFailure)
    /// It has not come back from a call of an earlier build: the pipeline plays without it until it has. - Thread: main.
    @HostActor func missed()
    /// The last call of all. - Thread: main.
    @HostActor func detached()
}

extension TapClient {
    public func refused(_ failure: PipelineFailure) {}
    public func missed() {}
}

/// One run of a pipeline, from a start to the next.
public struct TapEpoch: Sendable, Equatable {
    public var number: UInt32
    /// Media time is running time plus this.
    public var offset: ClockTime
    public var monotonic: ClockTime
    public var boottime: ClockTime
    public var realtime: ClockTime
}

/// A buffer with its place on the pipeline's media timeline; valid for the call.
public struct TapBuffer: ~Copyable {
    public let view: BufferView
    public let pts: ClockTime?
    public let dts: ClockTime?
    public let runningTime: ClockTime?
    public let duration: ClockTime?
    public let capsID: UInt32
    public let epoch: UInt32
    public let stream: UInt32
}
