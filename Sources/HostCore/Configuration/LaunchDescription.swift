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
    public var elements: [LaunchElement]
    public var references: [LaunchReference]
    /// URIs that stand for a source or a sink; GStreamer chooses and names their elements.
    public var uris: [SourceSpan]
    /// Caps between two links; GStreamer makes and names a `capsfilter` for each.
    public var filters: [SourceSpan]

    /// The launch text with a name for every element, and those names.
    ///
    /// Unnamed elements become `<factory><n>`, counted from 0 for each factory in this text alone, so they are the same
    /// on every rebuild; names the user gave are passed over. GStreamer names the filters itself, as `capsfilter<n>` by a
    /// counter of the process: an unnamed `capsfilter` beside one is called `capsfilter_<n>` to stay out of its way.
    public func named() -> (launch: String, elements: [NamedElement]) {
        var taken = Set(elements.compactMap(\.name))
        var counters: [String: Int] = [:]
        var launch: [UInt8] = []
        var copied = 0
        var result: [NamedElement] = []
        for element in elements {
            if let name = element.name {
                result.append(
                    NamedElement(name: name, factory: element.factory, span: element.factorySpan, isExplicit: true))
                continue
            }
            let stem = element.factory == "capsfilter" && !filters.isEmpty ? "capsfilter_" : element.factory
            var number = counters[element.factory] ?? 0
            while taken.contains("\(stem)\(number)") { number += 1 }
            let name = "\(stem)\(number)"
            counters[element.factory] = number + 1
            taken.insert(name)
            launch += text.bytes[copied..<element.nameOffset]
            launch += Array(" name=\(name)".utf8)
            // A value runs to the next space: without one it would take in the `!` or `)` behind it.
            let next = element.nameOffset < text.bytes.count ? text.bytes[element.nameOffset] : UInt8(ascii: " ")
            if !next.isASCIISpace { launch.append(UInt8(ascii: " ")) }
            copied = element.nameOffset
            result.append(
                NamedElement(name: name, factory: element.factory, span: element.factorySpan, isExplicit: false))
        }
        launch += text.bytes[copied...]
        return (String(decoding: launch, as: UTF8.self), result)
    }

    public static func == (left: LaunchDescription, right: LaunchDescription) -> Bool { left.text == right.text }
}
