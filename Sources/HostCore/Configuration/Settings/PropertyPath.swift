/// A property of an element of one pipeline: `camera.pattern`.
public struct PropertyPath: Sendable, Equatable, Hashable {
    public var element: String
    public var property: String

    public init(element: String, property: String) {
        self.element = element
        self.property = property
    }

    /// - Throws: where `text` is not `element.property`. The last dot counts: element names may hold dots.
    public init(_ text: String) throws(PathError) {
        let bytes = Array(text.utf8)
        guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot > 0, dot + 1 < bytes.count,
            !bytes.contains(where: { $0.isASCIISpace || $0 == "/" })
        else { throw PathError(text: text, form: "element.property, as in camera.pattern") }
        element = String(decoding: bytes[..<dot], as: UTF8.self)
        property = String(decoding: bytes[(dot + 1)...], as: UTF8.self)
    }

    public var description: String { "\(element).\(property)" }
}
