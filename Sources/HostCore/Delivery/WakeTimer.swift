internal import CGLib
public import GStreamerKit

/// A transient timer of systemd that starts `mediahost-timers.service` when the next timer is over.
///
/// Blocks; no loop has to run. - Thread: any.
public struct WakeTimer: Sendable {
    public enum Manager: String, Sendable, CaseIterable {
        /// The machine's: for root alone. A user who may start transient units may start anything as root.
        case system
        /// The user's own.
        case user
    }

    public static let unit = "mediahost-timers.timer"
    private let address: String

    /// - Throws: `state` where there is no such bus.
    public init(_ manager: Manager, environment: [String: String]) throws(ControlError) {
        let found =
            switch manager {
            case .system: LoginBusAddress(.auto, environment).text
            case .user: BusAddress(of: .session, environment).text
            }
        guard let found else {
            throw ControlError(
                .state, "there is no \(manager == .system ? "system" : "session") bus to reach systemd on")
        }
        address = found
    }

    /// Takes the place of what was armed before.
    /// - Parameter moment: of the wall clock, since 1970; nil arms none. The timer is not early: systemd's calendar has seconds.
    public func arm(_ moment: ClockTime?) throws(ControlError) {
        let connection = try connect()
        defer { g_object_unref(UnsafeMutableRawPointer(connection)) }
        if case .failure(let failure) = call(connection, "StopUnit", "('\(Self.unit)', 'replace')"),
            !failure.name.hasSuffix(".NoSuchUnit")
        {
            throw failure.error("cannot take away the timer that was armed before")
        }
        guard let moment else { return }
        let removals = UnitRemovals(of: Self.unit, on: connection)
        try done(call(connection, "Subscribe", "()"), "cannot hear of systemd's units")
        let seconds = (moment.nanoseconds + 999_999_999) / 1_000_000_000
        let properties = """
            [('Description', <'The next timer of mediahost is over'>), \
            ('TimersCalendar', <[('OnCalendar', '@\(seconds)')]>), ('AccuracyUSec', <uint64 100000>), \
            ('RemainAfterElapse', <false>)]
            """
        func start() -> Result<Void, Failure> {
            call(connection, "StartTransientUnit", "('\(Self.unit)', 'replace', \(properties), @a(sa(sv)) [])")
        }
        var started = start()
        // What was stopped is forgotten a moment later.
        while case .failure(let failure) = started, failure.name.hasSuffix(".UnitExists"),
            removals.wait(milliseconds: Self.patience)
        {
            started = start()
        }
        try done(started, "cannot arm \(Self.unit)")
    }

    /// systemd forgets a unit when it has nothing else to do.
    private static let patience: UInt32 = 5000

    private func done(_ result: Result<Void, Failure>, _ what: String) throws(ControlError) {
        if case .failure(let failure) = result { throw failure.error(what) }
    }

    private struct Failure: Error {
        var name: String
        var text: String

        func error(_ what: String) -> ControlError {
            ControlError(.state, "\(what): \(text.isEmpty ? name : text)")
        }
    }

    private func connect() throws(ControlError) -> OpaquePointer {
        let flags =
            G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
            | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue
        var failure: UnsafeMutablePointer<GError>?
        let connection = g_dbus_connection_new_for_address_sync(
            address, GDBusConnectionFlags(rawValue: flags), nil, nil, &failure)
        guard let connection else { throw Self.read(&failure).error("cannot reach the bus at \(address)") }
        return connection
    }

    private func call(_ connection: OpaquePointer, _ method: String, _ text: String) -> Result<Void, Failure> {
        var failure: UnsafeMutablePointer<GError>?
        guard let arguments = g_variant_parse(nil, text, nil, nil, &failure) else {
            return .failure(Self.read(&failure))
        }
        defer { g_variant_unref(arguments) }
        let answer = g_dbus_connection_call_sync(
            connection, "org.freedesktop.systemd1", "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager",
            method,
            arguments, nil, G_DBUS_CALL_FLAGS_NONE, 10_000, nil, &failure)
        guard let answer else { return .failure(Self.read(&failure)) }
        g_variant_unref(answer)
        return .success(())
    }

    private static func read(_ failure: inout UnsafeMutablePointer<GError>?) -> Failure {
        defer { g_clear_error(&failure) }
        guard let error = failure else { return Failure(name: "", text: "no reason was given") }
        let name = g_dbus_error_get_remote_error(error)
        defer { g_free(name) }
        g_dbus_error_strip_remote_error(error)
        return Failure(
            name: name.map { String(cString: $0) } ?? "",
            text: error.pointee.message.map { String(cString: $0) } ?? "")
    }
}
