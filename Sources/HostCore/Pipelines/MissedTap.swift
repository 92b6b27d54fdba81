/// A tap that a build plays without: its client has not come back from a call of a build that was given up.
struct MissedTap {
    let tap: Tap
    /// It has, and waits for a build that it can listen to.
    var isBack = false
}
