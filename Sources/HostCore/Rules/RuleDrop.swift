/// Why a rule did not fire for an event it wants.
enum RuleDrop: String, Sendable, CaseIterable {
    /// More than its `rate` allows.
    case rate
    /// It is at work, and enough firings wait already; or too many programs run.
    case busy
    /// The event follows from so many others that it goes round in a circle.
    case loop
}
