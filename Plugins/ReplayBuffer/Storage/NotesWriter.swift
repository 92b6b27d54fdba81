import Synchronization

/// Writes notes of a ring straight into one of their two places. Asks for no memory.
///
/// An element of a list for which there is no room is left out.
struct NotesWriter {
    /// Bytes before the notes: counter, length, checksum.
    static let head = 24

    private let slot: UnsafeMutableRawBufferPointer
    private var place = NotesWriter.head
    private var isFull = false

    init(_ slot: UnsafeMutableRawBufferPointer) { self.slot = slot }

    mutating func put(_ word: UInt64) {
        guard slot.count - place >= 8 else {
            isFull = true
            return
        }
        slot.storeBytes(of: word, toByteOffset: place, as: UInt64.self)
        place += 8
    }

    mutating func put(_ number: Int64) { put(UInt64(bitPattern: number)) }

    mutating func put(_ text: String) {
        put(UInt64(text.utf8.count))
        guard slot.count - place >= text.utf8.count else {
            isFull = true
            return
        }
        for byte in text.utf8 {
            slot[place] = byte
            place += 1
        }
    }

    /// - Parameters:
    ///   - leaving: bytes that what follows needs.
    ///   - body: adds the elements.
    mutating func list(leaving: Int = 0, _ body: (inout NotesList) -> Void) {
        guard slot.count - place >= 8 else {
            isFull = true
            return
        }
        var list = NotesList(writer: self, leaving: leaving)
        list.writer.put(UInt64(0))
        body(&list)
        list.writer.slot.storeBytes(of: list.count, toByteOffset: place, as: UInt64.self)
        self = list.writer
    }

    /// All of it counts from here on. - Thread: stream, main; under the ring's lock.
    func commit(_ counter: UInt64) {
        let length = place - Self.head
        let bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(slot)[Self.head..<place])
        slot.storeBytes(of: counter, toByteOffset: 0, as: UInt64.self)
        slot.storeBytes(of: UInt64(length), toByteOffset: 8, as: UInt64.self)
        guard let base = slot.baseAddress else { return }
        RingPlace.release(
            RingDigest.mix(RingDigest.of(bytes), counter), to: (base + 16).assumingMemoryBound(to: UInt64.self))
        // The next thing written may lean on them.
        atomicMemoryFence(ordering: .acquiringAndReleasing)
    }

    /// A list that is being written.
    struct NotesList {
        fileprivate(set) var writer: NotesWriter
        fileprivate let leaving: Int
        fileprivate var count: UInt64 = 0

        mutating func add(_ element: (inout NotesWriter) -> Void) {
            let before = writer
            element(&writer)
            if writer.isFull || writer.slot.count - writer.place < leaving {
                writer = before
            } else {
                count += 1
            }
        }
    }
}
