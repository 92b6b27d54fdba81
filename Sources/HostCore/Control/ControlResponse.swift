/// The answer to a `ControlRequest`.
public struct ControlResponse: Sendable, Equatable {
    /// The HTTP status.
    public var status: Int
    public var body: Value
    /// Header fields beside those that every answer has. Values are the host's own, never a client's.
    public var headers: [String: String]

    public init(status: Int = 200, body: Value, headers: [String: String] = [:]) {
        self.status = status
        self.body = body
        self.headers = headers
    }

    public init(_ error: ControlError, headers: [String: String] = [:]) {
        self.init(status: error.code.status, body: error.body, headers: headers)
    }
}
