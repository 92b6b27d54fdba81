/// Something a user can ask an instance to do: `mediahost call INSTANCE.COMMAND key=value`.
public struct Command: Sendable {
    /// Lower case, dashes between words.
    public let name: String
    /// One sentence.
    public let summary: String
    /// JSON Schema text of a map; `nil` takes none.
    public let parameters: String?
    /// JSON Schema text of a map; `nil` returns an empty one.
    public let result: String?
    let run: @Sendable (PluginValue, CommandReply) -> Void

    /// - Parameter run: starts the command and returns at once; slow work goes through `Host.submit`. The parameters have
    ///   been checked against the schema. Called on main, while active.
    public init(
        _ name: String, summary: String, parameters: String? = nil, result: String? = nil,
        run: @escaping @Sendable (_ parameters: PluginValue, _ reply: CommandReply) -> Void
    ) {
        self.name = name
        self.summary = summary
        self.parameters = parameters
        self.result = result
        self.run = run
    }
}
