/// How the API shows what a pipeline is made of.
public enum GraphFormat: String, Sendable, CaseIterable {
    /// Graphviz's language.
    case dot
    /// Drawn by graphviz.
    case svg
    /// Elements, pads and links, for programs.
    case json

    public var contentType: String {
        switch self {
        case .dot: "text/vnd.graphviz"
        case .svg: "image/svg+xml"
        case .json: "application/json"
        }
    }
}
