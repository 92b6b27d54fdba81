internal import CMemory
internal import PluginABI
import Locking

/// Buffers that a plugin under trial keeps: copies, counted.
enum GuardedBuffers {
    /// Addresses of views that were retained and not released.
    private static let kept = Locked<Set<UInt>>([])

    /// - Thread: stream, inside `buffer`.
    static func retain(_ view: UnsafePointer<mh_buffer_1>?) -> UnsafePointer<mh_buffer_1>? {
        guard let view else { return nil }
        if CallRole(rawValue: mh_thread_role()) != .stream,
            let fault = HostFunction.retain.fault(CallRole(rawValue: mh_thread_role()) ?? .own, .active)
        {
            TrialPipe.tell(fault)
        }
        if kept.withLock({ $0.contains(UInt(bitPattern: view)) }) { return nil }
        let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(1, view.pointee.size))
        if let data = view.pointee.data {
            _ = bytes.update(from: UnsafeBufferPointer(start: data, count: view.pointee.size))
        }
        let copy = UnsafeMutablePointer<mh_buffer_1>.allocate(capacity: 1)
        copy.initialize(to: view.pointee)
        copy.pointee.data = UnsafePointer(bytes.baseAddress)
        kept.withLock { _ = $0.insert(UInt(bitPattern: copy)) }
        return UnsafePointer(copy)
    }

    /// What was not retained is left alone. - Thread: any.
    static func release(_ view: UnsafePointer<mh_buffer_1>?) {
        guard let view, kept.withLock({ $0.remove(UInt(bitPattern: view)) }) != nil else { return }
        view.pointee.data?.deallocate()
        UnsafeMutablePointer(mutating: view).deallocate()
    }

    /// How many are left; they count no longer.
    static func takeForgotten() -> Int {
        kept.withLock { kept in
            defer { kept = [] }
            return kept.count
        }
    }
}
