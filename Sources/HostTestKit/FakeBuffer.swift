internal import PluginABI
internal import Synchronization

/// Buffers that a plugin retained: copies, because a scripted buffer ends with its call.
enum FakeBuffer {
    static let alive = Atomic<Int>(0)

    static func retain(_ buffer: UnsafePointer<mh_buffer_1>?) -> UnsafePointer<mh_buffer_1>? {
        guard let buffer else { return nil }
        let size = buffer.pointee.data == nil ? 0 : buffer.pointee.size
        let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: size)
        _ = bytes.initialize(from: UnsafeBufferPointer(start: buffer.pointee.data, count: size))
        let copy = UnsafeMutablePointer<mh_buffer_1>.allocate(capacity: 1)
        copy.initialize(to: buffer.pointee)
        copy.pointee.data = UnsafePointer(bytes.baseAddress)
        alive.add(1, ordering: .relaxed)
        return UnsafePointer(copy)
    }

    static func release(_ buffer: UnsafePointer<mh_buffer_1>?) {
        guard let buffer else { return }
        buffer.pointee.data?.deallocate()
        buffer.deallocate()
        alive.subtract(1, ordering: .relaxed)
    }
}
