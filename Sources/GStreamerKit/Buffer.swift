internal import CGStreamer

/// One buffer as a callback sees it: borrowed, valid for the call only.
public struct BufferView: ~Copyable {
    let pointer: UnsafeMutablePointer<GstBuffer>

    /// What a buffer is, apart from its bytes. The raw values are GStreamer's, written out so that other modules compute
    /// with constants on the streaming thread; a test compares them.
    @frozen
    public struct Flags: OptionSet, Sendable {
        public var rawValue: UInt32
        @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
        @inlinable public static var discont: Flags { Flags(rawValue: 1 << 6) }
        @inlinable public static var header: Flags { Flags(rawValue: 1 << 10) }
        @inlinable public static var gap: Flags { Flags(rawValue: 1 << 11) }
        @inlinable public static var droppable: Flags { Flags(rawValue: 1 << 12) }
        @inlinable public static var delta: Flags { Flags(rawValue: 1 << 13) }
    }

    public var pts: ClockTime? { ClockTime(pointer.pointee.pts) }
    public var dts: ClockTime? { ClockTime(pointer.pointee.dts) }
    public var duration: ClockTime? { ClockTime(pointer.pointee.duration) }
    public var flags: Flags { Flags(rawValue: mh_gst_buffer_flags(pointer)) }

    /// Whether it lies in plain memory: not in that of a device or a display, which may be gone when those begin anew.
    var isInSystemMemory: Bool {
        (0..<gst_buffer_n_memory(pointer)).allSatisfy { index in
            gst_memory_is_type(gst_buffer_peek_memory(pointer, index), "SystemMemory") != 0
        }
    }

    /// How many bytes it holds.
    public var byteCount: Int { Int(gst_buffer_get_size(pointer)) }

    /// The bytes, mapped for reading during the call. Nil result where the memory cannot be mapped.
    ///
    /// Inlined, so that no other module calls an unspecialised generic per buffer.
    @inlinable
    @discardableResult
    public borrowing func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
        var result: Result?
        map { result = body($0) }
        return result
    }

    @usableFromInline
    borrowing func map(_ body: (UnsafeRawBufferPointer) -> Void) {
        var map = GstMapInfo()
        guard gst_buffer_map(pointer, &map, GST_MAP_READ) != 0 else { return }
        defer { gst_buffer_unmap(pointer, &map) }
        body(UnsafeRawBufferPointer(start: map.data, count: Int(map.size)))
    }

    /// A second view for the same call, to pass on.
    public borrowing func lend() -> BufferView { BufferView(pointer: pointer) }

    /// The buffer as C hands it around; borrowed. `Buffer(retaining:)` takes it back.
    public var handle: UnsafeMutableRawPointer { UnsafeMutableRawPointer(pointer) }

    /// A reference that outlives the call.
    public func retain() -> Buffer { Buffer(retaining: pointer) }
}

/// One owned reference to a buffer, mapped for reading as long as it lives.
public final class Buffer: Sendable {
    // Both are written in init only; a buffer mapped for reading is not writable for anybody else.
    private nonisolated(unsafe) let pointer: UnsafeMutablePointer<GstBuffer>
    // Filled in by init, emptied by deinit, only read in between.
    private nonisolated(unsafe) var map = GstMapInfo()
    private let isMapped: Bool

    /// From `BufferView.handle`, while that is borrowed.
    public convenience init(retaining handle: UnsafeMutableRawPointer) {
        self.init(retaining: handle.assumingMemoryBound(to: GstBuffer.self))
    }

    init(retaining pointer: UnsafeMutablePointer<GstBuffer>) {
        gst_mini_object_ref(UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GstMiniObject.self))
        self.pointer = pointer
        isMapped = gst_buffer_map(pointer, &map, GST_MAP_READ) != 0
    }

    deinit {
        if isMapped { gst_buffer_unmap(pointer, &map) }
        gst_mini_object_unref(UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GstMiniObject.self))
    }

    /// The bytes, valid as long as this object; empty where the memory could not be mapped.
    public var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: isMapped ? map.data : nil, count: isMapped ? Int(map.size) : 0)
    }
}
