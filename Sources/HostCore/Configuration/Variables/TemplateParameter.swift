/// One parameter of a template: its rule, and what stands for it where a pipeline does not give it.
struct TemplateParameter {
    var name: String
    var rule: SchemaRule
    var isRequired: Bool
    /// As written.
    var defaultText: [UInt8]?

    /// What goes into the template for `node`, or for the default.
    /// - Parameter value: the same, resolved.
    func fill(_ node: YAMLNode?, _ value: Value?) -> VariableExpander.Parameter {
        let given = node.flatMap { $0.isNull ? nil : $0.text?.bytes }
        guard let text = given ?? defaultText else { return .init() }
        // Elements know no units.
        guard rule.format != nil, case .int(let number) = value else { return .init(text: text, plain: text) }
        return .init(text: text, plain: Array(String(number).utf8))
    }
}
