/// Something a user can ask an instance to do: `mediahost call INSTANCE.COMMAND key=value`.
///
/// What it takes and gives are records; their types are those of the function:
///
/// ```swift
/// var commands: [Command] {
///     [
///         Command("count", summary: "Says how many frames have passed.", run: count),
///         Command("save", summary: "Saves the last seconds.", run: save),
///     ]
/// }
/// private func count() -> Count { Count(frames: tap.frames) }
/// private func save(_ request: SaveRequest, _ reply: CommandReply<Clip>) { ... }
/// ```
/// A function that returns or throws has answered. One that takes a reply starts something longer, returns at once (slow
/// work goes through `Host.submit`) and answers later. All are called on main, while active, and may hold the plugin.
public struct Command: Sendable {
    /// Lower case, dashes between words.
    public let name: String
    /// One sentence.
    public let summary: String
    /// JSON Schema text of a map; `nil` takes none.
    let parameters: String?
    /// JSON Schema text of a map; `nil` returns an empty one.
    let result: String?
    /// What is wrong with the declaration of its parameters or its result.
    let fault: String?
    let run: @Sendable (PluginValue, PendingReply) -> Void

    private init<Parameters: PluginRecord, Result: PluginRecord>(
        _ name: String, _ summary: String, starting run: @escaping @Sendable (Parameters, CommandReply<Result>) -> Void
    ) {
        self.name = name
        self.summary = summary
        parameters = Parameters.fields.schemaText
        result = Result.fields.schemaText
        fault = Parameters.fields.fault ?? Result.fields.fault
        self.run = { parameters, reply in
            do throws(PluginError) {
                run(try Parameters.decode(parameters), CommandReply(reply))
            } catch {
                reply.reject(error)
            }
        }
    }

    private init<Parameters: PluginRecord, Result: PluginRecord>(
        _ name: String, _ summary: String,
        answering run: @escaping @Sendable (Parameters) throws(PluginError) -> Result
    ) {
        self.init(name, summary) { (parameters: Parameters, reply: CommandReply<Result>) in
            do throws(PluginError) {
                reply.succeed(try run(parameters))
            } catch {
                reply.reject(error)
            }
        }
    }
}

extension Command {
    /// With parameters, answered later.
    public init<Parameters: PluginRecord, Result: PluginRecord>(
        _ name: String, summary: String, run: @escaping @Sendable (Parameters, CommandReply<Result>) -> Void
    ) {
        self.init(name, summary, starting: run)
    }

    /// Without parameters, answered later.
    public init<Result: PluginRecord>(
        _ name: String, summary: String, run: @escaping @Sendable (CommandReply<Result>) -> Void
    ) {
        self.init(name, summary) { (_: NoFields, reply: CommandReply<Result>) in run(reply) }
    }

    /// With parameters and a result.
    public init<Parameters: PluginRecord, Result: PluginRecord>(
        _ name: String, summary: String, run: @escaping @Sendable (Parameters) throws(PluginError) -> Result
    ) {
        self.init(name, summary, answering: run)
    }

    /// With parameters alone.
    public init<Parameters: PluginRecord>(
        _ name: String, summary: String, run: @escaping @Sendable (Parameters) throws(PluginError) -> Void
    ) {
        self.init(name, summary) { (parameters: Parameters) throws(PluginError) in
            try run(parameters)
            return NoFields()
        }
    }

    /// With a result alone.
    public init<Result: PluginRecord>(
        _ name: String, summary: String, run: @escaping @Sendable () throws(PluginError) -> Result
    ) {
        self.init(name, summary) { (_: NoFields) throws(PluginError) in try run() }
    }

    /// With neither.
    public init(_ name: String, summary: String, run: @escaping @Sendable () throws(PluginError) -> Void) {
        self.init(name, summary) { (_: NoFields) throws(PluginError) in
            try run()
            return NoFields()
        }
    }
}
