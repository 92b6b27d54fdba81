/// The keys of a template: its parameters, and those of the pipelines made from it.
extension ConfigurationFields {
    static let parameters = FieldDescription(
        key: "parameters", summary: "what the pipelines give it, by name; ${NAME} in the template",
        kind: .named(form: variableForm, .map(parameter.descriptions, isOpen: false)), defaultText: "{}")

    /// A template is no pipeline yet: what it lacks, its pipelines may have.
    static let template =
        [parameters]
        + pipeline.descriptions.filter { !["template", "with"].contains($0.key) }.map { field in
            var field = field
            field.isRequired = false
            return field
        }

    static let parameter = FieldTable<ParameterDraft>(fields: [
        .choice("type", "what it takes", default: "text", \.type),
        Field("description", "what it is for, said where it is missing", .text, example: "the camera's device file") {
            node, draft, problems in
            if let text = node.text(for: "description", &problems) { draft.summary = text }
        },
        Field("required", "whether a pipeline must give it; true unless there is a default", .flag, example: "true") {
            node, draft, problems in
            draft.isRequired = node.flag(for: "required", &problems)
            draft.requiredPlace = node.span
        },
        Field("default", "its value where a pipeline does not give it", .scalar, example: "/dev/video0") {
            node, draft, _ in
            draft.defaultNode = node
        },
        Field("minimum", "the least value of an integer, number, duration or size", .scalar, example: "1") {
            node, draft, _ in
            draft.minimum = node
        },
        Field("maximum", "the largest value of an integer, number, duration or size", .scalar, example: "60") {
            node, draft, _ in
            draft.maximum = node
        },
        Field("choices", "the valid values of a choice", .list(.text), example: "[low, high]") { node, draft, _ in
            draft.choices = node
        },
    ])

    /// Names of variables and parameters.
    static let variableForm = "^[A-Za-z_][A-Za-z0-9_-]*$"

    static func describeParameter(_ entry: YAMLEntry, _ problems: inout Problems) -> TemplateParameter? {
        guard VariableExpander.isName(entry.key) else {
            problems.error(
                at: entry.keySpan, "\(quoted(entry.key)) is no name for a parameter",
                help: "names begin with a letter and have letters, digits, \"_\" and \"-\"")
            return nil
        }
        var draft = ParameterDraft()
        let before = problems.diagnostics.count
        parameter.decode(
            entry.value, subject: "parameter \(quoted(entry.key))", place: entry.keySpan, into: &draft,
            problems: &problems)
        // `{ type: text, required }`
        if let bare = entry.value.entries?.first(where: { $0.key == "required" }), bare.value.isNull {
            draft.isRequired = true
            draft.requiredPlace = bare.keySpan
        }
        guard problems.diagnostics.count == before else { return nil }
        return draft.parameter(entry.key, at: entry.keySpan, &problems)
    }
}
