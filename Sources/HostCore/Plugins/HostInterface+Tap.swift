internal import GStreamerKit
internal import PluginABI

extension HostInterface {
    /// mh.tap.draft/1.
    // Immortal, constant once made.
    static nonisolated(unsafe) let tap = immortal(
        mh_tap_ext_1(
            attach: { host, pad, client, result in
                result?.pointee = nil
                guard let context = PluginContext.of(host), let client, let result else {
                    return mh_status(MH_E_INVALID)
                }
                guard context.isOnMain("tap.attach") else { return mh_status(MH_E_STATE) }
                let place = String(pad)
                // Both are the caller's, used before it gets its answer, on the thread it called from.
                nonisolated(unsafe) let (listener, answer) = (client, result)
                return HostActor.assumeIsolated {
                    guard let owner = context.owner else { return mh_status(MH_E_STATE) }
                    return owner.attachTap(place, listener, answer)
                }
            },
            detach: { host, tap in
                guard let tap, let context = PluginContext.of(host), context.isOnMain("tap.detach") else { return }
                // Compared only, on the thread it came from.
                nonisolated(unsafe) let handle = tap
                HostActor.assumeIsolated { context.owner?.detachTap(handle) }
            },
            retain: { buffer in
                guard let buffer, let data = buffer.pointee.host_data else { return nil }
                return RetainedBuffer.make(from: buffer, data)
            },
            release: { RetainedBuffer.release($0) }))
}

/// A buffer a plugin keeps beyond its call: a copy of the view, and the owner of the bytes behind it.
enum RetainedBuffer {
    /// Set in `host_data` of what was retained. Both kinds of owner are aligned, so an address never has it.
    private static let mark: UInt = 1

    /// Nil where the view was retained already, or its bytes cannot be kept.
    /// - Thread: stream, inside `buffer`.
    static func make(from view: UnsafePointer<mh_buffer_1>, _ handle: UnsafeMutableRawPointer) -> UnsafePointer<
        mh_buffer_1
    >? {
        guard UInt(bitPattern: handle) & mark == 0 else { return nil }
        let owner = Buffer(retaining: handle)
        guard owner.bytes.count == view.pointee.size else { return nil }
        let kept = UnsafeMutablePointer<mh_buffer_1>.allocate(capacity: 1)
        kept.initialize(to: view.pointee)
        kept.pointee.data = owner.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        kept.pointee.size = owner.bytes.count
        let address = UInt(bitPattern: Unmanaged.passRetained(owner).toOpaque())
        kept.pointee.host_data = UnsafeMutableRawPointer(bitPattern: address | mark)
        return UnsafePointer(kept)
    }

    /// What was not retained is left alone.
    /// - Thread: any.
    static func release(_ buffer: UnsafePointer<mh_buffer_1>?) {
        guard let buffer else { return }
        let address = UInt(bitPattern: buffer.pointee.host_data)
        guard address & mark != 0, let owner = UnsafeRawPointer(bitPattern: address & ~mark) else { return }
        Unmanaged<Buffer>.fromOpaque(owner).release()
        UnsafeMutablePointer(mutating: buffer).deallocate()
    }
}
