import Foundation

/// Rows as text.
enum Table {
    static func text(_ rows: [Row]) -> String {
        let head = ["name", "what", "mediahost", "(min-max)", "peer", "", "(min-max)", "ratio", "runs"]
        let lines = [head] + rows.map(cells)
        let widths = head.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        let numbers: Set = [2, 3, 5, 6, 7, 8]
        return lines.map { line in
            let padded = line.enumerated().map { column, text in
                numbers.contains(column) ? text.padding(left: widths[column]) : text.padding(to: widths[column])
            }
            return padded.joined(separator: "  ")
        }.joined(separator: "\n")
    }

    private static func cells(_ row: Row) -> [String] {
        let own = value(row.mediahost, row.unit)
        let peer = row.peer.map { value($0, row.unit) } ?? ("", "")
        return [
            row.name, row.what, own.0, own.1, row.peerName ?? "", peer.0, peer.1,
            row.ratio.map { String(format: "%.2f", $0) } ?? "", String(row.mediahost.values.count),
        ]
    }

    private static func value(_ series: Series, _ unit: String) -> (String, String) {
        ("\(number(series.median)) \(unit)", "(\(number(series.minimum))-\(number(series.maximum)))")
    }

    private static func number(_ value: Double) -> String {
        String(format: abs(value) >= 100 || value == value.rounded() ? "%.0f" : "%.1f", value)
    }
}
