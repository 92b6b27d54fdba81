import Glibc

/// The bytes of a ring: one mapping, made once, written round and round.
///
/// Positions count up for ever; the place in memory is the remainder. The streaming thread writes under the ring's lock.
/// Whoever holds a pin of the ring reads the pinned range without the lock: the ring writes there only after the pin has
/// moved on, under that same lock.
// The pins of GOPRing order all access; see above.
final class ByteSlab: @unchecked Sendable {
    private let memory: UnsafeMutableRawPointer
    /// In bytes.
    let capacity: Int
    private let owner: AnyObject?

    /// Nil where the system has no such range of addresses. Pages cost memory from the first write on.
    init?(capacity: Int) {
        guard capacity > 0,
            let memory = mmap(
                nil, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0),
            memory != MAP_FAILED
        else { return nil }
        self.memory = memory
        self.capacity = capacity
        owner = nil
    }

    /// In memory that `owner` keeps.
    init(_ memory: UnsafeMutableRawPointer, capacity: Int, owner: AnyObject) {
        (self.memory, self.capacity, self.owner) = (memory, capacity, owner)
    }

    deinit { if owner == nil { munmap(memory, capacity) } }

    /// - Thread: stream, under the ring's lock. At most `capacity` bytes.
    func write(_ bytes: RawSpan, at position: UInt64) {
        bytes.withUnsafeBytes { bytes in
            guard let source = bytes.baseAddress else { return }
            let start = Int(position % UInt64(capacity))
            let first = min(bytes.count, capacity - start)
            memcpy(memory + start, source, first)
            if first < bytes.count { memcpy(memory, source + first, bytes.count - first) }
        }
    }

    /// Copies a range that is kept. - Thread: any, under the ring's lock.
    func append(at position: UInt64, count: Int, to bytes: inout [UInt8]) {
        let start = Int(position % UInt64(capacity))
        let first = min(count, capacity - start)
        bytes.append(contentsOf: UnsafeRawBufferPointer(start: memory + start, count: first))
        if first < count { bytes.append(contentsOf: UnsafeRawBufferPointer(start: memory, count: count - first)) }
    }

    /// Shows a pinned range in one piece: in place, or put together in `scratch` where it goes over the edge.
    /// - Thread: worker.
    func withBytes<Result, Failure: Error>(
        at position: UInt64, count: Int, scratch: inout [UInt8],
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let start = Int(position % UInt64(capacity))
        let first = min(count, capacity - start)
        guard first < count else { return try body(UnsafeRawBufferPointer(start: memory + start, count: count)) }
        scratch.removeAll(keepingCapacity: true)
        scratch.append(contentsOf: UnsafeRawBufferPointer(start: memory + start, count: first))
        scratch.append(contentsOf: UnsafeRawBufferPointer(start: memory, count: count - first))
        let span = scratch.span
        return try span.withUnsafeBytes(body)
    }
}
