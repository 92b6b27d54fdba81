package import GStreamerKit

/// What becomes of the keys of one device: the decisions, without a file or a clock.
///
/// ```
///               down                       held for `hold`
///  (nothing) ──────────▶ pressed ───────────────────────────▶ held
///      ▲                    │ up: short or long, then up        │ up
///      └────────────────────┴───────────────────────────────────┘
/// ```
/// Each press is exactly one of short, long and hold, told between its down and its up; what was lost on the way is only
/// told to be up.
package struct KeyPresses: Sendable {
    package enum Press: String, Sendable, CaseIterable {
        case down, short, long, hold, up
    }

    package struct Notice: Sendable, Equatable {
        package var code: UInt16
        package var press: Press
        /// Since the key went down.
        package var held: ClockTime
    }

    private struct Pressed {
        var since: ClockTime
        var isHeld = false
    }

    private let settings: InputSettings
    private var pressed: [UInt16: Pressed] = [:]
    /// Some were lost: what comes before the next report belongs to what was lost.
    private var isLost = false

    package init(_ settings: InputSettings) { self.settings = settings }

    /// Its device was opened: what was lost before is over.
    package mutating func begin() { isLost = false }

    /// The keys that are down, by code.
    var down: [UInt16] { pressed.keys.sorted() }

    /// When `due` has something to say.
    package var nextDue: ClockTime? {
        guard let hold = settings.hold else { return nil }
        return pressed.values.lazy.filter { !$0.isHeld }.map { $0.since + hold }.min()
    }

    mutating func handle(_ event: InputEvent) -> [Notice] {
        switch event.kind {
        case .dropped:
            isLost = true
            return forget(at: event.at)
        case .report:
            isLost = false
            return []
        case .key where isLost: return []
        case .key(let code, let isDown):
            guard settings.keys?.contains(code) ?? true else { return [] }
            return isDown ? press(code, at: event.at) : release(code, at: event.at)
        }
    }

    /// Time has gone on.
    package mutating func due(at now: ClockTime) -> [Notice] {
        guard let hold = settings.hold else { return [] }
        let ripe = pressed.filter { !$0.value.isHeld && $0.value.since + hold <= now }
        return ripe.sorted { ($0.value.since, $0.key) < ($1.value.since, $1.key) }.map { code, key in
            pressed[code]?.isHeld = true
            return Notice(code: code, press: .hold, held: now - key.since)
        }
    }

    /// Nobody knows what the keys do now: whoever heard of a down hears of its up.
    package mutating func forget(at now: ClockTime) -> [Notice] {
        defer { pressed = [:] }
        return pressed.sorted { ($0.value.since, $0.key) < ($1.value.since, $1.key) }
            .map { Notice(code: $0.key, press: .up, held: max(.zero, now - $0.value.since)) }
    }

    private mutating func press(_ code: UInt16, at now: ClockTime) -> [Notice] {
        guard pressed[code] == nil else { return [] }
        let before = due(at: now)
        pressed[code] = Pressed(since: now)
        return before + [Notice(code: code, press: .down, held: .zero)]
    }

    private mutating func release(_ code: UInt16, at now: ClockTime) -> [Notice] {
        // Of another key, or of this one where nobody looked while it was held for so long.
        var notices = due(at: now)
        guard let key = pressed.removeValue(forKey: code) else { return notices }
        let held = max(.zero, now - key.since)
        let isHeld = key.isHeld
        if !isHeld { notices.append(Notice(code: code, press: held >= settings.long ? .long : .short, held: held)) }
        return notices + [Notice(code: code, press: .up, held: held)]
    }
}
