/// What a parameter of a template takes.
enum ParameterType: String, Sendable, CaseIterable {
    case text
    case integer
    case number
    case boolean
    case duration
    case size
    case choice

    var rule: SchemaRule {
        switch self {
        case .text, .choice: SchemaRule(kind: .string)
        case .integer: SchemaRule(kind: .integer)
        case .number: SchemaRule(kind: .number)
        case .boolean: SchemaRule(kind: .boolean)
        case .duration: SchemaRule(kind: .integer, format: .duration)
        case .size: SchemaRule(kind: .integer, format: .size)
        }
    }

    var hasOrder: Bool {
        switch self {
        case .integer, .number, .duration, .size: true
        case .text, .boolean, .choice: false
        }
    }
}
