internal import Glibc

/// Where the bus is that logind is on, or why there is none.
struct LoginBusAddress: Sendable {
    private let bus: LoginSettings.Bus
    private let environment: [String: String]

    init(_ bus: LoginSettings.Bus, _ environment: [String: String]) {
        self.bus = bus
        self.environment = environment
    }

    /// A D-Bus address; looked for anew each time.
    var text: String? {
        switch bus {
        case .off: nil
        case .address(let text): text
        case .auto: isThere ? system : nil
        }
    }

    /// Why there is none; nil where there is one.
    var absence: String? {
        guard text == nil else { return nil }
        return bus == .off ? "the config says so" : "there is no system bus (\(system))"
    }

    private var system: String {
        let own = environment["DBUS_SYSTEM_BUS_ADDRESS"] ?? ""
        return own.isEmpty ? "unix:path=/run/dbus/system_bus_socket" : own
    }

    /// A socket that is not in the file system may be there.
    private var isThere: Bool {
        let form = "unix:path="
        guard system.hasPrefix(form), !system.contains(",") else { return true }
        return access(String(system.dropFirst(form.count)), F_OK) == 0
    }
}
