import HostTestKit

@testable import HostCore

/// A bus that does what a test says, and writes down what it was asked.
@HostActor
final class ScriptedBus: NotificationBus {
    var onEvent: (@HostActor (NotificationStateMachine.Event) -> Void)?
    var absence: String?
    /// "connect", "send 1", "close 7", ... in order.
    private(set) var calls: [String] = []
    /// The messages, by token.
    private(set) var messages: [UInt64: NotificationMessage] = [:]
    /// What `flush` was given, until the test calls it.
    private(set) var flushed: (@HostActor @Sendable () -> Void)?

    nonisolated init() {}

    func tell(_ event: NotificationStateMachine.Event) { onEvent?(event) }

    /// The service is there and says what it can do.
    func serve(_ abilities: [String] = ["actions", "body", "body-markup"]) {
        tell(.appeared)
        tell(.abilities(abilities))
    }

    func takeCalls() -> [String] {
        defer { calls = [] }
        return calls
    }

    func connect() { calls.append("connect") }
    func disconnect() { calls.append("disconnect") }
    func startService() { calls.append("start") }
    func askAbilities() { calls.append("ask") }
    func send(_ token: UInt64, _ message: NotificationMessage) {
        calls.append("send \(token)")
        messages[token] = message
    }
    func close(_ number: UInt32) { calls.append("close \(number)") }
    func flush(_ done: @escaping @HostActor @Sendable () -> Void) {
        calls.append("flush")
        flushed = done
    }
}
