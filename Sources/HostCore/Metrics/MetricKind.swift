/// What a metric's number means, in Prometheus' words.
package enum MetricKind: String, Sendable {
    /// Only grows.
    case counter
    /// Goes up and down.
    case gauge
}
