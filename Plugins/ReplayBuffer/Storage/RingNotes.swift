/// What belongs to the frames of a ring and seldom changes: caps, runs, gaps, pauses, markers.
struct RingNotes: Equatable {
    struct Format: Equatable {
        var number: UInt16
        var track: UInt8
        /// The ring's head when another took its place.
        var end: UInt64?
        var caps: String
    }

    struct Run: Equatable {
        var number: UInt32
        /// How long nothing came before it, in nanoseconds.
        var pause: Int64
    }

    /// The boot of the machine in which it was written; and the pads whose frames these are, the reference first.
    var boot = ""
    var pads: [String] = []
    /// The newest run.
    var epoch: UInt32 = 0
    var lastFormat: UInt16 = 0
    /// By track.
    var current: [UInt16] = []
    var runs: [Run] = []
    var gaps: [Gap] = []
    var pauses: [Pause] = []
    var formats: [Format] = []
    var lastMarker = 0
    var markers: [Marker] = []
    var window = WindowMark()

    /// The newest that is whole, and its counter.
    static func read(_ place: RingPlace) -> (notes: RingNotes, counter: UInt64)? {
        [read(place.notes(0)), read(place.notes(1))].compactMap { $0 }.max { $0.counter < $1.counter }
    }

    private static func read(_ slot: UnsafeMutableRawBufferPointer) -> (notes: RingNotes, counter: UInt64)? {
        let counter = slot.loadUnaligned(as: UInt64.self)
        let length = slot.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        let digest = slot.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
        guard counter > 0, length <= UInt64(slot.count - NotesWriter.head) else { return nil }
        let bytes = UnsafeRawBufferPointer(rebasing: slot[NotesWriter.head..<NotesWriter.head + Int(length)])
        guard RingDigest.mix(RingDigest.of(bytes), counter) == digest else { return nil }
        var reader = NotesReader(bytes)
        return RingNotes(&reader).map { ($0, counter) }
    }

    private init?(_ reader: inout NotesReader) {
        boot = reader.text()
        pads = reader.list { $0.text() }
        epoch = UInt32(truncatingIfNeeded: reader.word())
        lastFormat = UInt16(truncatingIfNeeded: reader.word())
        current = reader.list { UInt16(truncatingIfNeeded: $0.word()) }
        runs = reader.list { Run(number: UInt32(truncatingIfNeeded: $0.word()), pause: $0.number()) }
        gaps = reader.list { Gap(from: $0.number(), to: $0.number()) }
        pauses = reader.list { Pause(at: $0.number(), decoding: $0.number(), length: $0.number()) }
        formats = reader.list {
            let (number, track, end) = ($0.word(), $0.word(), $0.word())
            return Format(
                number: UInt16(truncatingIfNeeded: number), track: UInt8(truncatingIfNeeded: track),
                end: end == .max ? nil : end, caps: $0.text())
        }
        lastMarker = Int(clamping: reader.number())
        markers = reader.list { Marker(id: Int(clamping: $0.number()), name: $0.text(), time: $0.number()) }
        // What was written before there were marks has none.
        if reader.hasMore {
            window = WindowMark(
                firstNamed: reader.word(), number: reader.word(), discontinuity: reader.word(),
                sound: UInt16(exactly: reader.word()), targetSeconds: reader.number())
        }
        guard reader.isWhole, current.count == pads.count else { return nil }
    }

    init() {}
}

/// Takes words, numbers and texts from bytes; what is not there is 0 and noted.
struct NotesReader {
    private let bytes: UnsafeRawBufferPointer
    private var place = 0
    private(set) var isWhole = true

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var hasMore: Bool { place < bytes.count }

    mutating func word() -> UInt64 {
        guard bytes.count - place >= 8 else {
            isWhole = false
            return 0
        }
        defer { place += 8 }
        return bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
    }

    mutating func number() -> Int64 { Int64(bitPattern: word()) }

    mutating func text() -> String {
        let count = word()
        guard count <= UInt64(bytes.count - place) else {
            isWhole = false
            return ""
        }
        defer { place += Int(count) }
        return String(decoding: bytes[place..<place + Int(count)], as: UTF8.self)
    }

    mutating func list<Element>(_ element: (inout NotesReader) -> Element) -> [Element] {
        var list: [Element] = []
        for _ in 0..<min(word(), UInt64(bytes.count)) where isWhole { list.append(element(&self)) }
        return list
    }
}
