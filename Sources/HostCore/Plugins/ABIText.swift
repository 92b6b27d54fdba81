internal import PluginABI

extension String {
    /// A copy of text that came over the ABI; broken UTF-8 is repaired, not refused.
    init(_ text: mh_str_1) {
        guard let start = text.ptr, text.len > 0 else {
            self = ""
            return
        }
        self = String(decoding: UnsafeRawBufferPointer(start: start, count: text.len), as: UTF8.self)
    }

    /// Lends the text to the ABI for one call.
    func withABI<Result>(_ body: (mh_str_1) -> Result) -> Result {
        withCString { body(mh_str_1(ptr: $0, len: utf8.count)) }
    }
}

/// Puts a table where it stays for the life of the process.
func immortal<Table>(_ table: Table) -> UnsafePointer<Table> {
    let place = UnsafeMutablePointer<Table>.allocate(capacity: 1)
    place.initialize(to: table)
    return UnsafePointer(place)
}
