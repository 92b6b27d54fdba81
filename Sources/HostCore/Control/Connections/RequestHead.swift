/// What a head may not say twice, or in a way that two readers understand differently: where a body ends, and who is meant.
///
/// libsoup takes the last of several fields, and `-1` for a length.
/// - Thread: any. Pure.
struct RequestHead: Sendable, Equatable {
    /// All `Content-Length` fields, joined by commas; nil: none.
    var lengths: String?
    var hosts: String?
    var encodings: String?

    /// Why nobody can answer it; nil: it is clear.
    var refusal: ControlError? {
        let list = [("Host", hosts), ("Content-Length", lengths), ("Transfer-Encoding", encodings)]
        if let name = list.first(where: { $0.1?.utf8.contains(UInt8(ascii: ",")) ?? false })?.0 {
            return ControlError(.invalid, "the head has more than one `\(name)`")
        }
        if let lengths {
            // A larger one libsoup takes for a negative one.
            guard lengths.utf8.count < 20, lengths.utf8.allSatisfy(\.isASCIIDigit), Int64(lengths) != nil else {
                return ControlError(.invalid, "`Content-Length` is a number of bytes, not \(quoted(lengths))")
            }
            if encodings != nil {
                return ControlError(
                    .invalid, "the head has a `Content-Length` and a `Transfer-Encoding`: send one of them")
            }
        }
        return nil
    }
}
