/// One thing that a stream tells: an event, or a line of the log.
struct StreamEntry: Sendable, Equatable {
    /// Counts from 1 without gaps while the host runs.
    var sequence: UInt64
    /// "pipeline.state", "log.warning".
    var name: String
    /// "host", the name of a pipeline or an instance; of the log also "plugin replay".
    var source: String
    /// One line of JSON.
    var json: [UInt8]

    /// What it costs to keep.
    var bytes: Int { json.count + name.utf8.count + source.utf8.count + 64 }
}
