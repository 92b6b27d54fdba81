/// An element of the host: `pipeline/element`.
public struct ElementPath: Sendable, Equatable {
    public var pipeline: String
    public var element: String

    public init(pipeline: String, element: String) {
        self.pipeline = pipeline
        self.element = element
    }

    /// - Throws: where `text` is not `pipeline/element`.
    public init(_ text: String) throws(PathError) {
        let bytes = Array(text.utf8)
        guard let slash = bytes.firstIndex(of: UInt8(ascii: "/")), slash > 0, slash + 1 < bytes.count,
            !bytes[(slash + 1)...].contains(where: { $0.isASCIISpace || $0 == "/" }),
            isPlainName(String(decoding: bytes[..<slash], as: UTF8.self))
        else { throw PathError(text: text, form: "pipeline/element, as in porch/camera") }
        pipeline = String(decoding: bytes[..<slash], as: UTF8.self)
        element = String(decoding: bytes[(slash + 1)...], as: UTF8.self)
    }

    public var description: String { "\(pipeline)/\(element)" }
}
