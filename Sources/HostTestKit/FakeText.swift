internal import PluginABI

/// Strings over the ABI, for a host's side.
enum FakeText {
    static func string(_ text: mh_str_1) -> String {
        guard let start = text.ptr else { return "" }
        return String(decoding: UnsafeRawBufferPointer(start: start, count: text.len), as: UTF8.self)
    }

    static func lend<Result>(_ string: String, _ body: (mh_str_1) -> Result) -> Result {
        var contiguous = string
        return contiguous.withUTF8 { bytes in
            guard let start = bytes.baseAddress else { return body(mh_str_1()) }
            return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                body(mh_str_1(ptr: $0, len: bytes.count))
            }
        }
    }
}
