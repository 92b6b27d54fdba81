/// The answer to a `ControlRequest`.
public struct ControlResponse: Sendable, Equatable {
    /// A body that is no JSON.
    public struct Payload: Sendable, Equatable {
        public var contentType: String
        public var bytes: [UInt8]

        public init(contentType: String, bytes: [UInt8]) {
            self.contentType = contentType
            self.bytes = bytes
        }
    }

    /// The HTTP status.
    public var status: Int
    public var body: Value
    /// Sent in the place of `body`, where there is one.
    public var payload: Payload?
    /// Sent in the place of the bytes of `payload`, whose type it has.
    var file: BodyFile?
    /// Header fields beside those that every answer has. Values are the host's own, never a client's.
    public var headers: [String: String]
    /// Takes the connection itself in the place of an answer. Who asks for the header alone gets the rest of this.
    var takeover: ControlTakeover?

    public init(status: Int = 200, body: Value, headers: [String: String] = [:]) {
        self.status = status
        self.body = body
        self.headers = headers
    }

    public init(status: Int = 200, payload: Payload, headers: [String: String] = [:]) {
        self.init(status: status, body: .null, headers: headers)
        self.payload = payload
    }

    public init(_ error: ControlError, headers: [String: String] = [:]) {
        self.init(status: error.code.status, body: error.body, headers: headers)
    }
}
