/// What tells two metrics of one name apart.
package struct MetricLabel: Sendable, Equatable {
    var name: String
    var value: String

    init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
