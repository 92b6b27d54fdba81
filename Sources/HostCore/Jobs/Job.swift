internal import GStreamerKit

/// A command of a plugin that somebody waits for, or will ask about: how far it is, and what became of it. Knows no clock.
///
/// ```
/// running --cancel--> cancelling --end--> succeeded | failed | cancelled
///    `----------------------------end--------^
/// ```
/// Who cancels is obeyed when the plugin is: it may as well succeed.
struct Job: Sendable {
    enum State: String, Sendable, CaseIterable {
        case running, cancelling, succeeded, failed, cancelled
    }

    typealias Outcome = Result<Value, ControlError>

    let plugin: String
    let command: String
    /// When it began, on the monotonic clock and on the wall's.
    let began: ClockTime
    let date: ClockTime
    private(set) var state = State.running
    /// 0 to 1; nil where the plugin has not said.
    private(set) var progress: Double?
    /// What the plugin says it is doing.
    private(set) var text = ""
    private(set) var outcome: Outcome?
    private var ended: ClockTime?

    init(plugin: String, command: String, at began: ClockTime, date: ClockTime) {
        self.plugin = plugin
        self.command = command
        self.began = began
        self.date = date
    }

    var isOver: Bool { outcome != nil }

    /// Anything may come from a plugin: what is no share of 1 says only that it lives.
    mutating func report(_ fraction: Double, _ text: String) {
        guard !isOver else { return }
        if (0...1).contains(fraction) { progress = fraction }
        self.text = text
    }

    /// False where there is nothing to cancel any more.
    mutating func cancel() -> Bool {
        guard state == .running else { return false }
        state = .cancelling
        return true
    }

    /// The first end counts.
    mutating func end(_ outcome: Outcome, at now: ClockTime) {
        guard !isOver else { return }
        self.outcome = outcome
        ended = now
        switch outcome {
        case .success:
            state = .succeeded
            progress = 1
        case .failure(let error): state = error.code == .cancelled ? .cancelled : .failed
        }
    }
}

extension Job {
    /// As the API shows it.
    func value(_ id: String, at now: ClockTime) -> Value {
        var members = brief(id, at: now)
        members.append(.init("started", .string(DateText.iso(date))))
        switch outcome {
        case .success(let result)?: members.append(.init("result", result))
        case .failure(let error)?: members.append(.init("error", error.body))
        case nil: break
        }
        return .map(members)
    }

    /// As events carry it: what came of it is for who asks.
    func brief(_ id: String, at now: ClockTime) -> [Value.Member] {
        [
            .init("id", .string(id)), .init("plugin", .string(plugin)), .init("command", .string(command)),
            .init("state", .string(state.rawValue)), .init("progress", progress.map { .double($0) } ?? .null),
            .init("text", .string(text)), .init("elapsed_ns", .int(((ended ?? now) - began).nanoseconds)),
        ]
    }
}
