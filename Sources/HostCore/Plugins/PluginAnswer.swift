/// What a plugin answered to a command or a request.
enum PluginAnswer: Sendable, Equatable {
    case value(Value)
    /// As it goes to the client; only for a request.
    case response(ControlResponse)
}
