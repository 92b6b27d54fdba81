/// What the places of a pipeline are called over all its builds.
///
/// Elements of the config have their names for good. Those that a bin makes are numbered by GStreamer, further with each build
/// (`udpsrc3`, `avdec_h264-7`): they go by their kind, so that a restart brings no new number of one that ends with it.
struct LastingNames: Sendable {
    private let configured: Set<String>

    /// - Parameter configured: the elements of the config.
    init(_ configured: [String] = []) { self.configured = Set(configured) }

    /// - Parameter place: an element, or `element.pad`.
    subscript(place: String) -> String {
        if configured.contains(place) { return place }
        guard let dot = place.lastIndex(of: ".") else { return Self.kind(place[...]) }
        let element = place[..<dot]
        return configured.contains(String(element)) ? place : Self.kind(element) + place[dot...]
    }

    /// GStreamer puts a number behind the kind; where that ends with a digit itself, with `-` between them.
    private static func kind(_ element: Substring) -> String {
        let digits = element.reversed().prefix { ("0"..."9").contains($0) }.count
        guard digits > 0, digits < element.count else { return String(element) }
        let kind = element.dropLast(digits)
        return String(kind.last == "-" ? kind.dropLast() : kind)
    }
}
