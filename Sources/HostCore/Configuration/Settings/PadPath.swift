/// A pad of the host: `pipeline/element.pad`.
public struct PadPath: Sendable, Equatable {
    public var pipeline: String
    public var element: String
    public var pad: String

    public init(pipeline: String, element: String, pad: String) {
        self.pipeline = pipeline
        self.element = element
        self.pad = pad
    }

    /// - Throws: where `text` is not `pipeline/element.pad`.
    public init(_ text: String) throws(PathError) {
        let bytes = Array(text.utf8)
        let error = PathError(text: text, form: "pipeline/element.pad, as in porch/encoded.src")
        guard let slash = bytes.firstIndex(of: UInt8(ascii: "/")) else { throw error }
        pipeline = String(decoding: bytes[..<slash], as: UTF8.self)
        guard isPlainName(pipeline) else { throw error }
        let rest: ElementPad
        do {
            rest = try ElementPad(String(decoding: bytes[(slash + 1)...], as: UTF8.self))
        } catch {
            throw PathError(text: text, form: "pipeline/element.pad, as in porch/encoded.src")
        }
        element = rest.element
        pad = rest.pad
    }

    public var description: String { "\(pipeline)/\(element).\(pad)" }
}
