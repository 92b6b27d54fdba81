@testable import HostCore

/// A way to logind that does what a test says, and writes down what it was asked.
@HostActor
final class ScriptedLoginBus: LoginBus {
    var onEvent: (@HostActor (LoginStateMachine.Event) -> Void)?
    var absence: String?
    var files: [LoginInhibitor: Int32] = [:]
    /// "connect", "take sleep", ... in order.
    private var calls: [String] = []

    nonisolated init() {}

    func tell(_ event: LoginStateMachine.Event) { onEvent?(event) }

    func takeCalls() -> [String] {
        defer { calls = [] }
        return calls
    }

    func connect() { calls.append("connect") }
    func disconnect() { calls.append("disconnect") }
    func askManager() { calls.append("ask") }
    func find(_ question: LoginSession.Question) { calls.append("find \(question)") }
    func take(_ inhibitor: LoginInhibitor) { calls.append("take \(inhibitor.what)") }
    func release(_ inhibitor: LoginInhibitor) { calls.append("release \(inhibitor.what)") }
}
