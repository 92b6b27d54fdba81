public import HostCore

/// What a plugin answered to a request.
public struct FakeResponse: Sendable, Equatable {
    public var status: Int
    public var contentType: String
    public var body: [UInt8]
    /// Where it answered JSON; then `body` is empty.
    public var value: Value?

    public init(status: Int, contentType: String, body: [UInt8], value: Value? = nil) {
        self.status = status
        self.contentType = contentType
        self.body = body
        self.value = value
    }

    public var text: String { String(decoding: body, as: UTF8.self) }
}
