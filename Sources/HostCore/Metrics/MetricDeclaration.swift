package import PluginABI

/// A metric as a plugin declares it, and what it must be.
package struct MetricDeclaration: Sendable, Equatable {
    static let longestName = 128
    static let longestText = 1024
    static let mostLabels = 8
    /// The host's own, and those that Prometheus gives a meaning.
    static let reservedLabels = ["plugin", "le", "quantile"]

    var name: String
    var unit: String?
    var help: String
    var kind: MetricKind
    var labels: [MetricLabel] = []

    /// With unit and kind behind it, as Prometheus wants them: `written_bytes_total`.
    var fullName: String {
        var base = kind == .counter && name.hasSuffix("_total") ? String(name.dropLast(6)) : name
        if let unit, !base.hasSuffix("_\(unit)") { base += "_\(unit)" }
        return kind == .counter ? base + "_total" : base
    }

    /// Labels in another order are the same ones.
    func hasLabels(of other: MetricDeclaration) -> Bool {
        labels.count == other.labels.count && labels.allSatisfy(other.labels.contains)
    }

    /// Why it cannot be a metric; nil where it can.
    var fault: String? {
        guard Self.isName(name) else { return "a name has letters, digits and \"_\", and no digit first" }
        if let unit, !Self.isName(unit) { return "the unit \"\(unit)\" is no word of letters and \"_\"" }
        guard fullName.utf8.count <= Self.longestName else {
            return "its name is longer than \(Self.longestName) bytes"
        }
        guard kind == .counter || !fullName.hasSuffix("_total") else {
            return "only a counter's name ends in \"_total\""
        }
        guard !help.isEmpty, help.utf8.count <= Self.longestText else {
            return "its help is missing or longer than \(Self.longestText) bytes"
        }
        for (index, label) in labels.enumerated() {
            guard Self.isName(label.name), !label.name.hasPrefix("__"), !Self.reservedLabels.contains(label.name) else {
                return "\"\(label.name)\" cannot be a label"
            }
            guard label.value.utf8.count <= Self.longestText else {
                return "the value of label \"\(label.name)\" is longer than \(Self.longestText) bytes"
            }
            guard !labels[..<index].contains(where: { $0.name == label.name }) else {
                return "label \"\(label.name)\" is given twice"
            }
        }
        return nil
    }

    private static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
            return false
        }
        return text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }
}

extension MetricDeclaration {
    /// A copy of what a plugin passed, or why it is none.
    package init(copying raw: mh_metric_1) throws(PluginMetrics.Refusal) {
        guard let name = raw.name else { throw .init("it has no name") }
        let kind: MetricKind
        switch Int(raw.kind) {
        case MH_METRIC_COUNTER: kind = .counter
        case MH_METRIC_GAUGE: kind = .gauge
        default: throw .init("there is no kind \(raw.kind)")
        }
        guard raw.label_count <= UInt32(Self.mostLabels) else {
            throw .init("it has more than \(Self.mostLabels) labels")
        }
        var labels: [MetricLabel] = []
        for index in 0..<Int(raw.label_count) {
            guard let label = raw.labels?[index], let name = label.name, let value = label.value else {
                throw .init("a label lacks its name or value")
            }
            labels.append(MetricLabel(String(cString: name), String(cString: value)))
        }
        self.init(
            name: String(cString: name), unit: raw.unit.map { String(cString: $0) },
            help: raw.help.map { String(cString: $0) } ?? "", kind: kind, labels: labels)
    }
}
