/// One thing that `mediahost doctor` found out, and what to do where it is not well.
public struct Finding: Sendable, Equatable {
    public enum Level: String, Sendable, CaseIterable {
        case ok
        /// It works, but not as well or not for everybody.
        case warning
        /// Something will not work.
        case error
    }

    /// What was looked at: "devices".
    public var topic: String
    public var level: Level
    public var text: String
    /// What to do, as a command where one does it.
    public var fix: String?

    public init(_ topic: String, _ level: Level, _ text: String, fix: String? = nil) {
        self.topic = topic
        self.level = level
        self.text = text
        self.fix = fix
    }

    public var value: Value {
        var members: [Value.Member] = [
            .init("topic", .string(topic)), .init("level", .string(level.rawValue)), .init("text", .string(text)),
        ]
        if let fix { members.append(.init("fix", .string(fix))) }
        return .map(members)
    }
}
