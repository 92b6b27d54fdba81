/// All metrics of one name.
struct MetricFamily: Sendable {
    struct Sample: Sendable {
        var labels: [MetricLabel]
        var value: Double
    }

    var name: String
    var kind: MetricKind
    var help: String
    var samples: [Sample] = []

    init(_ name: String, _ kind: MetricKind, _ help: String) {
        self.name = name
        self.kind = kind
        self.help = help
    }

    /// With one number.
    init(_ name: String, _ kind: MetricKind, _ help: String, _ value: Double) {
        self.init(name, kind, help)
        add(value)
    }

    mutating func add(_ value: Double, _ labels: KeyValuePairs<String, String> = [:]) {
        samples.append(Sample(labels: labels.map { MetricLabel($0.key, $0.value) }, value: value))
    }
}
