internal import Glibc

/// The environment this process was started with.
public enum ProcessEnvironment {
    /// All variables, read once by the caller.
    public static func variables() -> [String: String] {
        var found: [String: String] = [:]
        var cursor = environ
        while let entry = cursor.pointee {
            let text = String(cString: entry)
            if let equals = text.firstIndex(of: "=") {
                found[String(text[..<equals])] = String(text[text.index(after: equals)...])
            }
            cursor += 1
        }
        return found
    }
}
