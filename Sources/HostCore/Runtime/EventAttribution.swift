internal import GStreamerKit

/// What follows from an event without being posted while it is told: what a pipeline does some time after it was asked to.
struct EventAttribution {
    /// Whose events follow from it.
    enum Scope: Equatable {
        /// All that a plugin's instance, or a pipeline, posts.
        case source(String)
        /// All that tells of the lifecycle.
        case lifecycle
        /// All that tells of any pipeline.
        case pipelines

        func takes(_ name: String, from source: String) -> Bool {
            switch self {
            case .source(let own): source == own
            case .lifecycle: name.hasPrefix("lifecycle.")
            case .pipelines: name.hasPrefix("pipeline.")
            }
        }
    }

    let id: UInt64
    let scope: Scope
    let cause: Event
    /// Nil: until it is taken back.
    var end: ClockTime?

    /// A pipeline's answer to a request comes within this; what it posts later is taken for its own.
    static let span = ClockTime.seconds(10)
}
