/// Which events somebody is told of.
enum EventPattern: Sendable, Equatable {
    case all
    case name(String)
    /// All that begin so: "pipeline.".
    case prefix(String)

    /// A name, or "pipeline.*".
    init(_ text: String) { self = text.hasSuffix(".*") ? .prefix(String(text.dropLast())) : .name(text) }

    /// As it was written.
    var text: String {
        switch self {
        case .all: "*"
        case .name(let name): name
        case .prefix(let prefix): prefix + "*"
        }
    }

    func matches(_ name: String) -> Bool {
        switch self {
        case .all: true
        case .name(let wanted): name == wanted
        case .prefix(let prefix): name.hasPrefix(prefix)
        }
    }
}
