/// A launch text, taken apart: what GStreamer will build from it, and where each part was written.
///
/// ```swift
/// let description = LaunchParser.parse(text, diagnostics: &found)
/// let (launch, elements) = description.named()   // "videotestsrc name=videotestsrc0 ! fakesink name=fakesink0"
/// ```
/// Two descriptions are equal when their texts are.
public struct LaunchDescription: Sendable, Equatable {
    /// As written, variables put in.
    public var text: SourceText
    /// In the order written.
    public var elements: [LaunchElement] = []
    public var references: [LaunchReference] = []
    /// GStreamer chooses and names their elements.
    public var uris: [LaunchURI] = []
    /// GStreamer makes a `capsfilter` for each.
    public var filters: [LaunchFilter] = []
    public var links: [LaunchLink] = []

    init(text: SourceText) { self.text = text }

    public static func == (left: LaunchDescription, right: LaunchDescription) -> Bool { left.text == right.text }
}
