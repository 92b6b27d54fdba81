internal import GStreamerKit

/// Whether a device is there, what the log is told of that, and when it is asked for again: without a file or a clock.
///
/// ```
///             opened                     refused, or it went
///   waiting ──────────▶ open ──▶ waiting ◀───┐
///      └── refused: asked again after 1 s, 2 s, 4 s ... 30 s, or when the file changes
/// ```
struct InputPresence: Sendable {
    enum State: Sendable, Equatable {
        case waiting
        case open(name: String?)
    }

    enum Note: Sendable, Equatable {
        case there(name: String?)
        case absent
        case gone(InputFile.Reading.End)
        case denied(group: String?)
        case noInputDevice
        case failed(Int32)
    }

    static let firstPause = ClockTime.seconds(1)
    static let longestPause = ClockTime.seconds(30)

    private(set) var state = State.waiting
    private(set) var pause = InputPresence.firstPause
    /// What was said last: the same is not said again.
    private var told: Note?
    /// Permission was refused the last time.
    private var isDenied = false

    mutating func opened(name: String?) -> Note {
        state = .open(name: name)
        pause = Self.firstPause
        isDenied = false
        let note = Note.there(name: name)
        told = note
        return note
    }

    mutating func went(_ end: InputFile.Reading.End) -> Note {
        state = .waiting
        pause = Self.firstPause
        let note = Note.gone(end)
        // That it is absent is said.
        told = .absent
        return note
    }

    /// - Returns: what is new, and how long to wait.
    mutating func refused(_ refusal: InputFile.Refusal) -> (note: Note?, pause: ClockTime) {
        state = .waiting
        let wait = nextPause()
        let note: Note
        switch refusal {
        case .absent: note = .absent
        case .denied(let group):
            // A device that has just come is root's until udev gives it to its group.
            defer { isDenied = true }
            guard isDenied else { return (nil, wait) }
            note = .denied(group: group)
        case .noInputDevice: note = .noInputDevice
        case .failed(let number): note = .failed(number)
        }
        if case .denied = refusal {} else { isDenied = false }
        defer { told = note }
        return (note == told ? nil : note, wait)
    }

    /// How long to wait this time; longer the next.
    mutating func nextPause() -> ClockTime {
        defer { pause = min(pause + pause, Self.longestPause) }
        return pause
    }

    /// Something happened to the file: it is soon asked for again.
    mutating func changed() { pause = Self.firstPause }
}
