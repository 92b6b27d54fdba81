/// What was set at run time, by the turns of `PropertyTurns`: the newest holds, whichever is heard of last.
///
/// - Thread: any. A value.
struct PropertySets: Sendable {
    struct Kept: Sendable, Equatable {
        var turn: PropertyTurn
        var text: String
    }

    private var newest: [PropertyPath: PropertyTurn] = [:]
    private var kept: [PropertyPath: Kept] = [:]

    /// An element has taken a value.
    /// - Returns: whether it has it still, as far as is known.
    mutating func heard(_ turn: PropertyTurn, of path: PropertyPath) -> Bool {
        if let known = newest[path], known >= turn { return false }
        newest[path] = turn
        return true
    }

    /// A value is to be saved.
    /// - Returns: what to save: of those that were to be, the one that was set last.
    mutating func keep(_ text: String, _ turn: PropertyTurn, of path: PropertyPath) -> Kept {
        if let known = kept[path], known.turn > turn { return known }
        let new = Kept(turn: turn, text: text)
        kept[path] = new
        return new
    }

    /// Whether nothing newer was set than what was saved.
    func isNewest(_ turn: PropertyTurn, of path: PropertyPath) -> Bool { newest[path].map { turn >= $0 } ?? true }
}
