internal import CGLib
internal import GStreamerKit

/// One event of an input device, of which keys and the marks between reports matter here.
struct InputEvent: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
        case key(code: UInt16, isDown: Bool)
        /// The end of what happened at one moment.
        case report
        /// The reader was too slow: some were lost.
        case dropped
    }

    var kind: Kind
    /// By the clock that the device was asked to use.
    var at: ClockTime

    /// Nil for what is none of a key's business: pointers, axes, lamps, and the repetitions of a key that is held.
    init?(_ raw: mh_input_event) {
        at = ClockTime(nanoseconds: raw.nanoseconds)
        switch (Int32(raw.type), Int32(raw.code), raw.value) {
        case (EV_KEY, _, 0): kind = .key(code: raw.code, isDown: false)
        case (EV_KEY, _, 1): kind = .key(code: raw.code, isDown: true)
        case (EV_SYN, SYN_REPORT, _): kind = .report
        case (EV_SYN, SYN_DROPPED, _): kind = .dropped
        default: return nil
        }
    }

    init(_ kind: Kind, at: ClockTime) {
        self.kind = kind
        self.at = at
    }
}

/// Takes events out of bytes as they come; what is there of a next one is kept.
struct InputEventParser: Sendable {
    private var rest: [UInt8] = []

    mutating func take(_ bytes: some Sequence<UInt8>) -> [InputEvent] {
        rest += bytes
        let size = mh_input_event_size()
        let whole = rest.count / size
        guard whole > 0 else { return [] }
        let events = rest.withUnsafeBytes { buffer in
            (0..<whole).compactMap { index in
                buffer.baseAddress.flatMap { InputEvent(mh_input_event_read($0 + index * size)) }
            }
        }
        rest.removeFirst(whole * size)
        return events
    }
}
