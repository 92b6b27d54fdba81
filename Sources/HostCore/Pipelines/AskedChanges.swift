/// Changes of state that were asked for on a worker: what the bus says before the last of them was made is about an earlier one.
///
/// Each has a mark that its worker puts on the bus when it has asked.
struct AskedChanges: Sendable {
    private var asked = 0
    private var heard = 0

    /// Whether all that were asked for have been made, so that the bus speaks of the last one.
    var areDone: Bool { asked == heard }

    /// One more. - Returns: its mark.
    mutating func ask() -> String {
        asked += 1
        return mark
    }

    /// Whether a mark is that of the last one, which was made by now.
    mutating func hear(_ mark: String) -> Bool {
        guard mark == self.mark else { return false }
        heard = asked
        return true
    }

    private var mark: String { "asked-\(asked)" }
}
