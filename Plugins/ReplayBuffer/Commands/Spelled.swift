/// Times as users write them.
enum Spelled {
    /// `14.25s`, to the millisecond.
    static func seconds(_ nanoseconds: Int64) -> String {
        let milliseconds = (nanoseconds.magnitude + 500_000) / 1_000_000
        var text = "\(milliseconds / 1000)"
        let rest = milliseconds % 1000
        if rest > 0 {
            text += rest < 10 ? ".00\(rest)" : rest < 100 ? ".0\(rest)" : ".\(rest)"
            while text.utf8.last == UInt8(ascii: "0") { text.removeLast() }
        }
        return (nanoseconds < 0 && milliseconds > 0 ? "-" : "") + text + "s"
    }
}
