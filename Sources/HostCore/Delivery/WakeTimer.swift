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

    /// When systemd is to look.
    public enum Moment: Sendable, Equatable {
        /// Of the wall clock, since 1970; and whenever that is set.
        case at(ClockTime)
        /// When the wall clock is set, and now and then: a time service may find it to be right.
        case whenClockIsSet
    }

    public static let unit = "mediahost-timers.timer"
    /// A moment that is past by more was looked at already, and something went wrong.
    static let stale = ClockTime.seconds(60)
    /// From one look to the next then.
    static let pause = ClockTime.seconds(600)
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
    /// - Parameter moment: nil arms none. The timer is not early: systemd's calendar has seconds.
    public func arm(_ moment: Moment?) throws(ControlError) {
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
        func start() -> Result<Void, Failure> {
            let now = ClockTime(nanoseconds: Int64(g_get_real_time()) * 1000)
            let properties = Self.properties(of: moment, now: now)
            return call(connection, "StartTransientUnit", "('\(Self.unit)', 'replace', \(properties), @a(sa(sv)) [])")
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

    /// As systemd has them, in GVariant's text. A moment that is past when it is armed never comes: it is made one that is ahead.
    static func properties(of moment: Moment, now: ClockTime) -> String {
        let trigger: String
        switch moment {
        case .at(let end):
            let soon = now + (now - end > stale ? pause : .seconds(2))
            let seconds = (max(end, soon).nanoseconds + 999_999_999) / 1_000_000_000
            trigger = "('TimersCalendar', <[('OnCalendar', '@\(seconds)')]>)"
        case .whenClockIsSet:
            trigger = "('TimersMonotonic', <[('OnActiveSec', uint64 \(pause.nanoseconds / 1000))]>)"
        }
        return """
            [('Description', <'The next timer of mediahost is over'>), \(trigger), ('OnClockChange', <true>), \
            ('AccuracyUSec', <uint64 100000>), ('RemainAfterElapse', <false>)]
            """
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
