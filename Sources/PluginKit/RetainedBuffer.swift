import PluginABI

/// A buffer kept beyond its call, given back when this value ends. Any thread may hold and end it.
// The ABI's promise: retained buffers are constant and may be released on any thread.
public struct RetainedBuffer: ~Copyable, @unchecked Sendable {
    private let raw: UnsafePointer<mh_buffer_1>
    private let table: UnsafePointer<mh_tap_ext_1>

    init(_ raw: UnsafePointer<mh_buffer_1>, table: UnsafePointer<mh_tap_ext_1>) {
        self.raw = raw
        self.table = table
    }

    deinit { table.pointee.release?(raw) }

    /// Lends the buffer for the call.
    public func withBuffer<Result, Failure: Error>(
        _ body: (borrowing StreamBuffer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(StreamBuffer(raw, table: table))
    }
}
