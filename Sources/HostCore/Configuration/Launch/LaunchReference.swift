/// `name.` or `name.pad` in a launch text: a link to an element written elsewhere.
public struct LaunchReference: Sendable {
    public var element: String
    public var pad: String?
    public var span: SourceSpan
}
