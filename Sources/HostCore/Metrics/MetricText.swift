/// Metrics in Prometheus' text format 0.0.4.
///
/// - Thread: any. Pure.
enum MetricText {
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// Families without a sample are left out.
    static func render(_ families: [MetricFamily]) -> String {
        var text = ""
        for family in families where !family.samples.isEmpty {
            text += "# HELP \(family.name) \(escape(family.help, quotes: false))\n"
            text += "# TYPE \(family.name) \(family.kind.rawValue)\n"
            for sample in family.samples { text += "\(family.name)\(labels(sample.labels)) \(number(sample.value))\n" }
        }
        return text
    }

    /// `{pipeline="porch",state="playing"}`, or nothing.
    static func labels(_ labels: [MetricLabel]) -> String {
        guard !labels.isEmpty else { return "" }
        return "{" + labels.map { "\($0.name)=\"\(escape($0.value, quotes: true))\"" }.joined(separator: ",") + "}"
    }

    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return Int64(exactly: value).map { "\($0)" } ?? "\(value)"
    }

    private static func escape(_ text: String, quotes: Bool) -> String {
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\"" where quotes: result += "\\\""
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }
}
