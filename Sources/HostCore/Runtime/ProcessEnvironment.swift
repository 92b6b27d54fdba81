internal import Glibc

/// The environment this process was started with.
public enum ProcessEnvironment {
    /// Where relative paths begin; "." where the directory is gone.
    public static func workingDirectory() -> String {
        guard let path = getcwd(nil, 0) else { return "." }
        defer { free(path) }
        return String(cString: path)
    }

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
