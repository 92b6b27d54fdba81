public import GStreamerKit

/// What GStreamer on this machine can make. The checker asks; GStreamer's registry, or a test, answers.
/// - Thread: any.
public protocol ElementCatalog: Sendable {
    func exists(_ factory: String) -> Bool

    /// For suggestions.
    var factoryNames: [String] { get }

    /// The writable ones, for suggestions; nil where there is no such element.
    func propertyNames(of factory: String) -> [String]?

    func property(_ name: String, of factory: String) -> ElementProperty?

    func verdict(on text: String, for property: String, of factory: String) -> ValueVerdict

    /// Whether properties may be written `child::property`.
    func hasChildren(_ factory: String) -> Bool

    func isBin(_ factory: String) -> Bool

    /// Nil where it takes none.
    func presets(of factory: String) -> [String]?

    /// Nil where its pads cannot be told without making the element.
    func padTemplates(of factory: String) -> [PadTemplate]?

    /// The factory that takes a URI as a source or a sink.
    func factory(forURI uri: String, isSink: Bool) -> String?

    /// Nil where the text is no caps.
    func caps(_ text: String) -> Caps?

    /// The plugin that brings an element that exists.
    func plugin(of factory: String) -> String?
}
