/// What GStreamer on this machine can make. The checker asks; GStreamerKit, or a test, answers.
public protocol ElementCatalog: Sendable {
    func exists(_ factory: String) -> Bool

    /// For suggestions.
    var factoryNames: [String] { get }

    /// Nil where it cannot be told without making the element.
    func propertyNames(of factory: String) -> [String]?
}
