/// What the next process needs in order to go on with a window as this one left it.
struct WindowMark: Equatable, Sendable {
    /// The first segment that is named.
    var firstNamed: UInt64 = 0
    /// The newest segment that does not go on from the one before it, and its discontinuity.
    var number: UInt64 = 0
    var discontinuity: UInt64 = 0
    /// What the first segment that can be fetched has for sound.
    var sound: UInt16?
    /// The longest segment that there was.
    var targetSeconds: Int64 = 1
}
