internal import CGLib

/// What a method brought, or why nothing.
struct DBusFailure: Error {
    var text: String
    /// The error's, where somebody answered with one.
    var name: String?
    /// Whether nobody is there who could have answered.
    var isLost: Bool

    /// Takes the error over.
    init(_ error: UnsafeMutablePointer<GError>?) {
        guard let error else {
            (text, isLost) = ("no answer", true)
            return
        }
        let name = g_dbus_error_get_remote_error(error)
        defer { g_free(name) }
        let lost = ["NoReply", "ServiceUnknown", "NameHasNoOwner", "Disconnected"].map {
            "org.freedesktop.DBus.Error.\($0)"
        }
        self.name = name.map { String(cString: $0) }
        isLost = self.name.map(lost.contains) ?? (error.pointee.domain == g_io_error_quark())
        if self.name != nil { g_dbus_error_strip_remote_error(error) }
        text = error.pointee.message.map { String(cString: $0) } ?? "no reason was given"
        g_error_free(error)
    }
}
