internal import PluginABI

/// Why a command was not carried out.
struct PluginCallError: Error, Sendable, Equatable {
    var status: Int32
    var message: String

    init(_ status: Int32, _ message: String) {
        self.status = status
        self.message = message
    }
}

/// The commands of one instance that wait for their answer.
@HostActor
struct PluginCalls {
    typealias Answer = Result<Value, PluginCallError>
    private var waiting: [UInt64: CheckedContinuation<Answer, Never>] = [:]
    private var last: UInt64 = 0

    nonisolated init() {}

    mutating func nextToken() -> UInt64 {
        last += 1
        return last
    }

    mutating func wait(for token: UInt64, _ continuation: CheckedContinuation<Answer, Never>) {
        waiting[token] = continuation
    }

    func isWaiting(for token: UInt64) -> Bool { waiting[token] != nil }

    mutating func finish(_ token: UInt64, _ answer: Answer) {
        waiting.removeValue(forKey: token)?.resume(returning: answer)
    }

    /// Nobody will answer any more.
    mutating func failAll(_ text: String, _ close: (UInt64) -> Bool) {
        for token in waiting.keys {
            _ = close(token)
            finish(token, .failure(PluginCallError(Int32(MH_E_CANCELLED), text)))
        }
    }
}
