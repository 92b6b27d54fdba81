import Foundation
import Locking

/// The lines that a process writes, as they come; awaited by what they contain.
///
/// Each wait goes on behind the line that the one before it found, so the second "stopped" is the second pause.
final class LineLog: Sendable {
    /// What was awaited and did not come.
    struct Missing: Error, CustomStringConvertible {
        var description: String
    }

    private struct Waiter {
        var number: Int
        var text: String
        var resume: @Sendable (String?) -> Void
    }

    private struct State {
        var lines: [String] = []
        var seen = 0
        var isAtEnd = false
        var waits = 0
        var waiter: Waiter?
    }

    private let name: String
    private let state = Locked(State())

    init(_ name: String) { self.name = name }

    var lines: [String] { state.withLock { $0.lines } }
    var text: String { lines.map { $0 + "\n" }.joined() }

    /// - Thread: the reader of the pipe.
    func add(_ line: String) {
        update { $0.lines.append(line) }
    }

    /// - Thread: the reader of the pipe.
    func end() {
        update { $0.isAtEnd = true }
    }

    /// The next line that contains `text`. One wait at a time.
    @discardableResult
    func next(containing text: String, within limit: Duration = .seconds(120)) async throws -> String {
        let found = await withCheckedContinuation { (continuation: CheckedContinuation<String?, Never>) in
            let number = state.withLock { state in
                state.waits += 1
                return state.waits
            }
            update { $0.waiter = Waiter(number: number, text: text) { continuation.resume(returning: $0) } }
            Deadline.after(limit) { [self] in
                state.withLock { $0.waiter?.number == number ? $0.waiter.take() : nil }?.resume(nil)
            }
        }
        if let found { return found }
        let why = state.withLock { $0.isAtEnd } ? "it ended without it" : "it did not come within \(limit)"
        throw Missing(description: "awaited \"\(text)\" on \(name); \(why). It wrote:\n\(self.text)")
    }

    private func update(_ change: (inout State) -> Void) {
        let call = state.withLock { state -> (() -> Void)? in
            change(&state)
            guard let waiter = state.waiter else { return nil }
            while state.seen < state.lines.count {
                let line = state.lines[state.seen]
                state.seen += 1
                if line.contains(waiter.text) {
                    state.waiter = nil
                    return { waiter.resume(line) }
                }
            }
            guard state.isAtEnd else { return nil }
            state.waiter = nil
            return { waiter.resume(nil) }
        }
        call?()
    }
}

/// The one clock of the harness: deadlines, and conditions that are no event.
enum Deadline {
    static func after(_ limit: Duration, _ action: @escaping @Sendable () -> Void) {
        DispatchQueue.global().asyncAfter(deadline: .now() + limit.seconds, execute: action)
    }

    /// Asks again and again until the answer is not nil. For what a process tells only when it is asked.
    @discardableResult
    static func poll<Answer>(
        _ awaited: String, within limit: Duration = .seconds(120), every pace: Duration = .milliseconds(40),
        _ ask: () async throws -> Answer?
    ) async throws -> Answer {
        let end = ContinuousClock.now + limit
        while true {
            if let answer = try await ask() { return answer }
            guard ContinuousClock.now < end else {
                throw LineLog.Missing(description: "awaited \(awaited); it did not come within \(limit)")
            }
            try await Task.sleep(for: pace)
        }
    }
}

extension Duration {
    var seconds: Double { self / .seconds(1) }
}
