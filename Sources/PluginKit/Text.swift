import PluginABI

extension String {
    /// A copy of borrowed text. Broken UTF-8 is repaired.
    init(_ text: mh_str_1) {
        guard let start = text.ptr, text.len > 0 else {
            self = ""
            return
        }
        self = String(decoding: UnsafeRawBufferPointer(start: start, count: text.len), as: UTF8.self)
    }

    /// A copy of text that was lent as a span.
    public init(copying text: Span<UInt8>) {
        self = text.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }

    /// Lends the text to the other side for the call.
    func withText<Result>(_ body: (mh_str_1) -> Result) -> Result {
        var contiguous = self
        return contiguous.withUTF8 { bytes in
            guard let start = bytes.baseAddress else { return body(mh_str_1(ptr: nil, len: 0)) }
            return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                body(mh_str_1(ptr: $0, len: bytes.count))
            }
        }
    }
}
