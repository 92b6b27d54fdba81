/// What a plugin's config or a command's parameters must look like: checks them, resolves their units, fills in defaults.
///
/// The language is a small part of JSON Schema: `type` (object, array, string, integer, number, boolean), `properties`,
/// `required`, `items`, `enum`, `default`, `minimum`, `maximum`, `description`, `format` (`SchemaFormat`), `x-columns`, and
/// `x-reserves` for a size that is taken from the board's memory (`MemoryAdmission`). Unknown
/// keys are always errors. Durations and sizes are `"type": "integer"` with a format: users write `60s` and `256MiB`,
/// plugins get nanoseconds and bytes.
///
/// ```swift
/// let schema = try ValueSchema(json: #"{"type":"object","properties":{"window":{"type":"integer","format":"duration"}}}"#)
/// let (value, diagnostics) = schema.resolve(plugin.config, names: configuration.knownNames, place: plugin.keySpan)
/// ```
/// - Thread: any.
public struct ValueSchema: Sendable {
    /// A schema that cannot be used: its author's mistake, not the user's.
    public struct Broken: Error, Equatable {
        /// Where in the schema: `properties.window.format`.
        public var path: String
        public var message: String
    }

    let rule: SchemaRule

    init(_ rule: SchemaRule) { self.rule = rule }

    /// - Throws: where `json` is no JSON or says something this subset does not have.
    public init(json: String) throws(Broken) {
        let value: Value
        do throws(JSONText.SyntaxError) {
            value = try JSONText.parse(json)
        } catch {
            throw Broken(path: "(text)", message: error.message)
        }
        rule = try SchemaReader.read(value, path: "")
    }

    /// Resolves a piece of a configuration file.
    /// - Parameters:
    ///   - names: what references to pads, elements, pipelines and instances may name; nil checks their form alone.
    ///   - place: where to report missing keys, usually the plugin's name; nil for the node itself.
    /// - Returns: the value where nothing is wrong, and everything that is.
    public func resolve(
        _ node: YAMLNode, names: KnownNames? = nil, place: SourceSpan? = nil
    ) -> (Value?, [Diagnostic]) {
        var resolver = SchemaResolver(names: names)
        let value = resolver.resolve(SchemaInput(node), rule, path: "", place: place)
        return (value, resolver.problems.inFileOrder)
    }

    /// What is wrong with input, as far as it is known.
    func problems(of input: SchemaInput, names: KnownNames?, place: SourceSpan?) -> [Diagnostic] {
        var resolver = SchemaResolver(names: names)
        _ = resolver.resolve(input, rule, path: "", place: place)
        return resolver.problems.inFileOrder
    }

    /// Resolves a command's parameters; texts are converted to what the schema asks for, as a command line sends only texts.
    /// - Throws: the first thing that does not fit; the message names the key.
    public func resolve(_ value: Value, names: KnownNames? = nil) throws(ValueSchemaError) -> Value {
        var resolver = SchemaResolver(names: names)
        let result = resolver.resolve(SchemaInput(value), rule, path: "")
        if let result { return result }
        let first = resolver.problems.diagnostics.first
        throw ValueSchemaError(
            message: first?.message ?? "the value does not fit", help: first?.help, suggestion: first?.suggestion,
            field: resolver.firstPath)
    }

    /// Every key, outermost first, in the schema's order.
    public var keys: [SchemaKey] { Self.keys(rule, path: "") }

    private static func keys(_ rule: SchemaRule, path: String) -> [SchemaKey] {
        guard case .object(let properties) = rule.kind else { return [] }
        return properties.flatMap { property in
            let path = path.isEmpty ? property.key : "\(path).\(property.key)"
            let rule = property.rule
            let key = SchemaKey(
                path: path, type: rule.plainNoun, summary: rule.summary, isRequired: property.isRequired,
                defaultText: rule.defaultValue.map { rule.format == .secret ? "***" : rule.text($0) },
                choices: rule.choices.map { rule.text($0) }, limits: rule.limits, isSecret: rule.format == .secret)
            return [key] + keys(rule, path: path)
        }
    }
}
