/// "Did you mean": the nearest of the valid names.
public enum Suggestion {
    /// The candidate with the fewest insertions, deletions, replacements and swaps of neighbours from `name`, or nil where
    /// none is near enough to have been meant: a third of the length, at most three.
    public static func nearest(to name: String, among candidates: some Sequence<String>) -> String? {
        let wanted = folded(name)
        guard !wanted.isEmpty, wanted.count <= 64 else { return nil }
        var best: (name: String, distance: Int)?
        for candidate in candidates {
            let other = folded(candidate)
            let longer = max(wanted.count, other.count)
            let allowed = min(3, max(1, longer / 3), longer - 1)  // at least one letter in common
            let limit = min(allowed, (best?.distance ?? Int.max - 1))
            guard abs(other.count - wanted.count) <= limit, let distance = distance(wanted, other, limit: limit) else {
                continue
            }
            if let current = best, (current.distance, current.name) <= (distance, candidate) { continue }
            best = (candidate, distance)
        }
        return best?.name
    }

    /// Case is a slip like any other, and cheaper: it does not count.
    private static func folded(_ name: String) -> [UInt8] {
        name.utf8.map { $0.isASCIILetter ? $0 | 0x20 : $0 }
    }

    /// Damerau-Levenshtein (optimal string alignment), or nil where it exceeds `limit`.
    static func distance(_ left: [UInt8], _ right: [UInt8], limit: Int) -> Int? {
        var beforeLast = [Int](repeating: 0, count: right.count + 1)
        var last = Array(0...right.count)
        for row in 0..<left.count {
            var current = [row + 1] + [Int](repeating: 0, count: right.count)
            for column in 0..<right.count {
                let cost = left[row] == right[column] ? 0 : 1
                var value = min(last[column + 1] + 1, current[column] + 1, last[column] + cost)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    value = min(value, beforeLast[column - 1] + 1)
                }
                current[column + 1] = value
            }
            if let least = current.min(), least > limit { return nil }
            beforeLast = last
            last = current
        }
        return last[right.count] <= limit ? last[right.count] : nil
    }
}
