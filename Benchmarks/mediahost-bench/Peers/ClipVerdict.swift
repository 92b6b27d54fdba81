/// What is wrong with a clip, by the numbers of its pictures.
struct ClipVerdict {
    /// Asked for and not there, though a newer one is.
    let missing: Int
    /// Between the newest picture that the camera had sent and the newest one of the clip.
    let late: Int
    /// Shown twice or broken.
    let doubled: Int
    /// There and not asked for.
    let excess: Int

    /// - Parameter newest: the camera's, when the last `count` pictures were asked for.
    init(_ numbers: [Int], newest: Int, count: Int) {
        let asked = (newest - count + 1)...newest
        let found = Set(numbers).subtracting([-1])
        let last = min(newest, found.max() ?? newest - count)
        missing = asked.count { $0 <= last && !found.contains($0) }
        late = newest - last
        doubled = numbers.count - found.count
        excess = found.count { !asked.contains($0) }
    }
}
