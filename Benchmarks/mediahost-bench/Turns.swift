/// Who is measured.
enum Side: CaseIterable {
    case mediahost, gstLaunch
}

/// Takes turns, so that what else happens on the machine meets all sides alike.
enum Turns {
    /// - Returns: one series per side, in the order of `sides`; the n-th values were taken one right after the other.
    static func take<S>(_ sides: [S], _ runs: Int, _ once: (S) throws -> Double) throws -> [Series] {
        try takeAll(sides, runs) { [try once($0)] }.map { $0[0] }
    }

    /// The same where one run gives several figures.
    static func takeAll<S>(_ sides: [S], _ runs: Int, _ once: (S) throws -> [Double]) throws -> [[Series]] {
        var values = [[[Double]]](repeating: [], count: sides.count)
        for run in 0..<runs {
            for step in sides.indices {
                // Everybody comes first as often as the others.
                let index = (step + run) % sides.count
                values[index].append(try once(sides[index]))
            }
        }
        return values.map { runs in runs[0].indices.map { figure in Series(runs.map { $0[figure] }) } }
    }
}
