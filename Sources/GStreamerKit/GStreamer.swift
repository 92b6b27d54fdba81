internal import CGStreamer

/// The library itself: started once per process, before anything else here is used.
public enum GStreamer {
    /// GStreamer could not start.
    public struct StartError: Error, CustomStringConvertible {
        public var description: String
    }

    /// Starts GStreamer; further calls do nothing.
    /// - Thread: any. May take long on a board without a registry cache (128 MB peak, FACTS).
    public static func start() throws(StartError) {
        var failure: UnsafeMutablePointer<GError>?
        guard gst_init_check(nil, nil, &failure) != 0 else {
            defer { g_clear_error(&failure) }
            throw StartError(
                description: "cannot start GStreamer: " + (failure.map { String(cString: $0.pointee.message) } ?? ""))
        }
    }

    /// "GStreamer 1.22.0".
    public static var version: String { takeString(gst_version_string()) ?? "" }
}

/// Copies a C string that this call owns, and frees it.
func takeString(_ text: UnsafeMutablePointer<CChar>?) -> String? {
    guard let text else { return nil }
    defer { g_free(text) }
    return String(cString: text)
}

/// Copies a vector of C strings that this call owns, and frees it.
func takeStrings(_ texts: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> [String] {
    guard let texts else { return [] }
    defer { g_strfreev(texts) }
    var found: [String] = []
    var cursor = texts
    while let text = cursor.pointee {
        found.append(String(cString: text))
        cursor += 1
    }
    return found
}

/// Copies a C string that stays with its owner.
func borrowString(_ text: UnsafePointer<CChar>?) -> String? {
    text.map { String(cString: $0) }
}
