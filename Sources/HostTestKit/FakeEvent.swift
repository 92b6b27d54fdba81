public import HostCore

/// An event that a plugin posted.
public struct FakeEvent: Equatable, Sendable {
    public var name: String
    public var payload: Value

    public init(name: String, payload: Value = [:]) {
        self.name = name
        self.payload = payload
    }
}
