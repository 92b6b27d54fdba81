/// An element of a pipeline under the name it will run with.
public struct NamedElement: Sendable {
    public var name: String
    public var factory: String
    /// Its factory in the launch text.
    public var span: SourceSpan
    /// Whether the user chose the name.
    public var isExplicit: Bool
}
