/// A pad of an element of one pipeline: `camera.src`.
public struct ElementPad: Sendable, Equatable {
    public var element: String
    public var pad: String

    public init(element: String, pad: String) {
        self.element = element
        self.pad = pad
    }

    /// - Throws: where `text` is not `element.pad`. The last dot counts: element names may hold dots.
    public init(_ text: String) throws(PathError) {
        let bytes = Array(text.utf8)
        guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot > 0, dot + 1 < bytes.count,
            !bytes.contains(where: { $0.isASCIISpace || $0 == "/" })
        else { throw PathError(text: text, form: "element.pad, as in camera.src") }
        element = String(decoding: bytes[..<dot], as: UTF8.self)
        pad = String(decoding: bytes[(dot + 1)...], as: UTF8.self)
    }

    public var description: String { "\(element).\(pad)" }
}
