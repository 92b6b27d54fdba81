internal import PluginABI
internal import Synchronization

/// One tap a plugin attached to a `FakeHost`: the test is the pipeline.
public final class FakeTap: Sendable {
    public let pad: String
    // The ABI's promise: valid until `detached` was called, which this object does once.
    private nonisolated(unsafe) let client: UnsafePointer<mh_tap_client_1>
    private let isAttached = Atomic(true)
    private let format = Atomic<UInt32>(0)
    private let epoch = Atomic<UInt32>(0)
    private let wantsDetach = Atomic(false)

    init(pad: String, client: UnsafePointer<mh_tap_client_1>) {
        self.pad = pad
        self.client = client
    }

    /// Whether the plugin asked for the end.
    public var detachRequested: Bool { wantsDetach.load(ordering: .acquiring) }

    public func startEpoch(_ number: UInt32, offset: Int64 = 0) {
        epoch.store(number, ordering: .releasing)
        var epoch = mh_epoch_1()
        epoch.epoch = number
        epoch.offset = offset
        client.pointee.epoch?(client.pointee.context, &epoch)
    }

    public func setFormat(_ caps: String) {
        let id = format.add(1, ordering: .acquiringAndReleasing).newValue
        FakeText.lend(caps) { client.pointee.format?(client.pointee.context, id, $0) }
    }

    /// One buffer of media time; `Int64.min` is none.
    public func push(
        _ bytes: UnsafeRawBufferPointer, pts: Int64, dts: Int64 = .min, duration: Int64 = .min, flags: UInt32 = 0
    ) {
        var buffer = mh_buffer_1()
        buffer.data = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        buffer.size = bytes.count
        buffer.pts = pts
        buffer.dts = dts
        buffer.running_time = pts
        buffer.duration = duration
        buffer.flags = flags
        buffer.caps_id = format.load(ordering: .acquiring)
        buffer.epoch = epoch.load(ordering: .acquiring)
        client.pointee.buffer?(client.pointee.context, &buffer)
    }

    public func push(
        _ bytes: [UInt8], pts: Int64, dts: Int64 = .min, duration: Int64 = .min, isDelta: Bool = false
    ) {
        bytes.withUnsafeBytes {
            push($0, pts: pts, dts: dts, duration: duration, flags: isDelta ? UInt32(MH_BUFFER_DELTA) : 0)
        }
    }

    /// A stream of frames, 30 in a second if not told otherwise.
    /// - Parameters:
    ///   - start: media time of the first one.
    ///   - distance: between key frames; 1 is a stream of nothing else.
    public func pushFrames(
        _ count: Int, from start: Duration = .zero, every step: Duration = .nanoseconds(33_333_333),
        keyFrameEvery distance: Int = 1, bytes: [UInt8] = [0]
    ) {
        let (first, length) = (start.nanoseconds, step.nanoseconds)
        for number in 0..<count {
            push(
                bytes, pts: first + Int64(number) * length, duration: length,
                isDelta: !number.isMultiple(of: max(1, distance)))
        }
    }

    public func gap(pts: Int64, duration: Int64) { client.pointee.gap?(client.pointee.context, pts, duration) }

    public func endOfStream() { client.pointee.eos?(client.pointee.context) }

    /// The last call; twice is harmless.
    public func detach() {
        guard isAttached.exchange(false, ordering: .acquiringAndReleasing) else { return }
        client.pointee.detached?(client.pointee.context)
    }

    func requestDetach() { wantsDetach.store(true, ordering: .releasing) }
}
