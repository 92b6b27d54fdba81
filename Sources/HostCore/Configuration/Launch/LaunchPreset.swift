/// `@preset=name` of a launch text.
public struct LaunchPreset: Sendable {
    public var name: String
    public var span: SourceSpan
}
