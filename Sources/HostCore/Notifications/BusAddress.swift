internal import CGLib
internal import Glibc

/// Where a message bus listens, or why there is none.
struct BusAddress: Sendable {
    private let place: NotificationPlace
    private let environment: [String: String]

    init(of place: NotificationPlace, _ environment: [String: String]) {
        self.place = place
        self.environment = environment
    }

    /// A D-Bus address; looked for anew each time, because a session may begin after the host.
    ///
    /// GLib's own way would start a bus where there is none, by a program that only works on X11.
    var text: String? {
        switch place {
        case .session:
            if let address = value("DBUS_SESSION_BUS_ADDRESS") { return address }
            guard let directory = value("XDG_RUNTIME_DIR"), access("\(directory)/bus", F_OK) == 0,
                let escaped = g_dbus_address_escape_value("\(directory)/bus")
            else { return nil }
            defer { g_free(escaped) }
            return "unix:path=\(String(cString: escaped))"
        case .system: return value("DBUS_SYSTEM_BUS_ADDRESS") ?? "unix:path=/var/run/dbus/system_bus_socket"
        case .off: return nil
        }
    }

    /// Why there is none; nil where there is one.
    var absence: String? {
        guard text == nil else { return nil }
        return place == .off
            ? "the config says notifications: off"
            : "there is no session bus (no DBUS_SESSION_BUS_ADDRESS, and no $XDG_RUNTIME_DIR/bus)"
    }

    private func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
}
