internal import PluginABI

/// A command an instance offers, copied out of its table.
struct PluginCommand: Sendable {
    var name: String
    var summary: String
    /// Nil: takes none.
    var parameters: ValueSchema?
    var parametersText: String?
    var resultText: String?

    init(_ raw: mh_command_1, of instance: String) throws(PluginFailure) {
        guard let name = raw.name, let summary = raw.summary else {
            throw PluginFailure("plugin \(instance): a command lacks its name or summary")
        }
        try self.init(
            String(cString: name), summary: String(cString: summary),
            parameters: raw.parameters.map { String(cString: $0) }, result: raw.result.map { String(cString: $0) },
            of: instance)
    }

    init(
        _ name: String, summary: String, parameters: String?, result: String?, of instance: String
    ) throws(PluginFailure) {
        self.name = name
        self.summary = summary
        parametersText = parameters
        resultText = result
        guard let parametersText else { return }
        do {
            self.parameters = try ValueSchema(json: parametersText)
        } catch {
            throw PluginFailure("plugin \(instance): the parameter schema of command \(self.name) is broken: \(error)")
        }
    }

    /// Parameters as the schema wants them: units resolved, defaults filled in, unknown ones refused.
    func resolve(_ given: Value) throws(PluginCallError) -> Value {
        guard let parameters else {
            if given.members?.isEmpty ?? (given == .null) { return .map([]) }
            throw PluginCallError(
                Int32(MH_E_INVALID), "command \(name) takes no parameters", field: given.members?.first?.key)
        }
        do throws(ValueSchemaError) {
            return try parameters.resolve(given == .null ? .map([]) : given)
        } catch {
            throw PluginCallError(Int32(MH_E_INVALID), "command \(name): \(error)", field: error.field)
        }
    }
}
