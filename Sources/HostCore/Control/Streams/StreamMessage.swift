/// One event of a stream, as its reader gets it.
public struct StreamMessage: Sendable, Equatable {
    /// What to send back to go on behind it; empty where there was none.
    public var id: String
    /// "pipeline.state"; "gap" where events were lost.
    public var name: String
    public var data: String

    public init(id: String = "", name: String = "message", data: String = "") {
        self.id = id
        self.name = name
        self.data = data
    }
}
