internal import GStreamerKit
internal import PluginABI
import Synchronization

/// A tap's listener on the other side of the ABI: turns views into `mh_buffer_1` and calls the plugin's table.
///
/// The table is the plugin's, valid until `detached` was called.
final class PluginTapClient: TapClient {
    // Plugin-owned and constant by contract; only its functions are called.
    private nonisolated(unsafe) let table: UnsafePointer<mh_tap_client_1>
    private let counters: PluginCounters
    private let isTold = Atomic(false)
    private let onUnreadable: @HostActor @Sendable () -> Void
    private let onMissed: @HostActor @Sendable () -> Void
    private let onRefused: @HostActor @Sendable (PipelineFailure) -> Void
    private let onDetached: @HostActor @Sendable (_ tell: () -> Void) -> Void

    /// - Parameter onDetached: tells the plugin by `tell`, which may keep the control thread, so it is named meanwhile.
    init(
        _ table: UnsafePointer<mh_tap_client_1>, counters: PluginCounters,
        onUnreadable: @escaping @HostActor @Sendable () -> Void,
        onMissed: @escaping @HostActor @Sendable () -> Void,
        onRefused: @escaping @HostActor @Sendable (PipelineFailure) -> Void,
        onDetached: @escaping @HostActor @Sendable (_ tell: () -> Void) -> Void
    ) {
        self.table = table
        self.counters = counters
        self.onUnreadable = onUnreadable
        self.onMissed = onMissed
        self.onRefused = onRefused
        self.onDetached = onDetached
    }

    /// Whether the plugin filled in every function.
    static func isComplete(_ table: UnsafePointer<mh_tap_client_1>) -> Bool {
        let functions = table.pointee
        return functions.epoch != nil && functions.format != nil && functions.buffer != nil && functions.gap != nil
            && functions.eos != nil && functions.detached != nil
    }

    func epoch(_ epoch: TapEpoch) {
        var view = mh_epoch_1(
            epoch: epoch.number, reserved: 0, offset: epoch.offset.nanoseconds,
            monotonic: epoch.monotonic.nanoseconds, boottime: epoch.boottime.nanoseconds,
            realtime: epoch.realtime.nanoseconds)
        table.pointee.epoch?(table.pointee.context, &view)
    }

    func format(id: UInt32, caps: Caps) {
        caps.description.withABI { table.pointee.format?(table.pointee.context, id, $0) }
    }

    func buffer(_ buffer: borrowing TapBuffer) {
        let flags = Self.flags(buffer.view.flags)
        let none = Int64.min  // MH_TIME_NONE
        var view = mh_buffer_1(
            data: nil, size: 0, pts: buffer.pts?.nanoseconds ?? none, dts: buffer.dts?.nanoseconds ?? none,
            running_time: buffer.runningTime?.nanoseconds ?? none, duration: buffer.duration?.nanoseconds ?? none,
            flags: flags, caps_id: buffer.capsID, epoch: buffer.epoch, stream: buffer.stream,
            host_data: buffer.view.handle)
        let isRead: Void? = buffer.view.withBytes { bytes in
            view.data = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            view.size = bytes.count
            table.pointee.buffer?(table.pointee.context, &view)
        }
        if isRead == nil { countUnreadable() }
    }

    /// A buffer that cannot be read, memory of a GPU, say. The first of a tap is worth a line.
    func countUnreadable() {
        PluginCounters.count(counters.unreadableBuffers)
        guard !isTold.exchange(true, ordering: .relaxed) else { return }
        HostActor.enqueue { [onUnreadable] in onUnreadable() }
    }

    func gap(pts: ClockTime, duration: ClockTime?) {
        table.pointee.gap?(table.pointee.context, pts.nanoseconds, duration?.nanoseconds ?? Int64.min)
    }

    func endOfStream() { table.pointee.eos?(table.pointee.context) }

    func refused(_ failure: PipelineFailure) { onRefused(failure) }

    func missed() {
        PluginCounters.count(counters.unreturnedCalls)
        onMissed()
    }

    func detached() {
        onDetached { table.pointee.detached?(table.pointee.context) }
    }

    private static func flags(_ flags: BufferView.Flags) -> UInt32 {
        var result: UInt32 = 0
        if flags.contains(.delta) { result |= UInt32(MH_BUFFER_DELTA) }
        if flags.contains(.header) { result |= UInt32(MH_BUFFER_HEADER) }
        if flags.contains(.discont) { result |= UInt32(MH_BUFFER_DISCONT) }
        if flags.contains(.droppable) { result |= UInt32(MH_BUFFER_DROPPABLE) }
        return result
    }
}
