internal import CGLib

/// org.freedesktop.Notifications over GDBus. Every call is asynchronous, on a connection of its own.
@HostActor
final class DBusNotificationBus: NotificationBus {
    static let name = "org.freedesktop.Notifications"
    static let path = "/org/freedesktop/Notifications"

    var onEvent: (@HostActor (NotificationStateMachine.Event) -> Void)?
    private let address: BusAddress
    /// GDBus's objects, owned until `disconnect`.
    private var connection: OpaquePointer?
    private var cancellable: UnsafeMutablePointer<GCancellable>?
    private var onClosed: UInt = 0
    private var watch: UInt32 = 0
    private var signals: UInt32 = 0
    /// The unique name of who shows notifications: what is asked of it comes from nobody else.
    private var owner: String?
    /// Changes with each connection and each owner: answers to earlier ones are nobody's business.
    private var round: UInt64 = 0

    init(_ address: BusAddress) { self.address = address }

    isolated deinit { disconnect() }

    var absence: String? { address.absence }

    // MARK: - The connection

    func connect() {
        disconnect()
        guard let address = address.text else {
            let absence = absence ?? "it is gone"
            return later { $0.onEvent?(.unreachable(absence)) }
        }
        let round = round
        let cancellable = g_cancellable_new()
        self.cancellable = cancellable
        let flags =
            G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
            | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue
        let callback = DBusCallback<OpaquePointer?> { [weak self] result in
            var failure: UnsafeMutablePointer<GError>?
            let connection = g_dbus_connection_new_for_address_finish(result, &failure)
            guard let self, self.round == round else {
                if let connection { g_object_unref(UnsafeMutableRawPointer(connection)) }
                return g_clear_error(&failure)
            }
            guard let connection else {
                self.disconnect()
                self.onEvent?(.unreachable(DBusFailure(failure).text))
                return
            }
            self.begin(connection)
        }
        g_dbus_connection_new_for_address(
            address, GDBusConnectionFlags(rawValue: flags), nil, cancellable,
            { _, result, data in DBusCallback<OpaquePointer?>.callLast(data, result) }, callback.retained)
    }

    private func begin(_ connection: OpaquePointer) {
        self.connection = connection
        g_dbus_connection_set_exit_on_close(connection, 0)
        let closed = DBusCallback<Void> { [weak self] in
            guard let self, self.connection == connection else { return }
            self.disconnect()
            self.onEvent?(.unreachable("the connection was closed"))
        }
        let closing: @convention(c) (OpaquePointer?, gboolean, UnsafeMutablePointer<GError>?, gpointer?) -> Void = {
            _, _, _, data in DBusCallback<Void>.call(data, ())
        }
        onClosed = UInt(
            g_signal_connect_data(
                UnsafeMutableRawPointer(connection), "closed", unsafeBitCast(closing, to: GCallback.self),
                closed.retained, { data, _ in data.map { Unmanaged<DBusCallback<Void>>.fromOpaque($0).release() } },
                GConnectFlags(rawValue: 0)))
        let changed = DBusCallback<String?> { [weak self] owner in
            guard let self, self.connection == connection else { return }
            self.follow(owner)
        }
        watch = g_bus_watch_name_on_connection(
            connection, Self.name, G_BUS_NAME_WATCHER_FLAGS_NONE,
            { _, _, owner, data in DBusCallback<String?>.call(data, owner.map { String(cString: $0) }) },
            { _, _, data in DBusCallback<String?>.call(data, nil) }, changed.retained,
            { data in data.map { Unmanaged<DBusCallback<String?>>.fromOpaque($0).release() } })
    }

    func disconnect() {
        round += 1
        if let cancellable {
            g_cancellable_cancel(cancellable)
            g_object_unref(cancellable)
        }
        cancellable = nil
        unsubscribe()
        guard let connection else { return }
        self.connection = nil
        g_bus_unwatch_name(watch)
        g_signal_handler_disconnect(UnsafeMutableRawPointer(connection), gulong(onClosed))
        g_dbus_connection_close(connection, nil, nil, nil)
        g_object_unref(UnsafeMutableRawPointer(connection))
    }

    func flush(_ done: @escaping @HostActor @Sendable () -> Void) {
        guard let connection else { return done() }
        let callback = DBusCallback<OpaquePointer?> { _ in done() }
        g_dbus_connection_flush(
            connection, nil, { _, result, data in DBusCallback<OpaquePointer?>.callLast(data, result) },
            callback.retained)
    }

    private func later(_ action: @escaping @HostActor @Sendable (DBusNotificationBus) -> Void) {
        HostActor.enqueue { [weak self] in self.map(action) }
    }

    // MARK: - The service

    private func follow(_ owner: String?) {
        round += 1
        unsubscribe()
        self.owner = owner
        guard let owner else {
            onEvent?(.vanished)
            return
        }
        subscribe(to: owner)
        onEvent?(.appeared)
    }

    /// To this one alone: anybody on the bus could send such signals.
    private func subscribe(to owner: String) {
        let callback = DBusCallback<(member: String, arguments: OpaquePointer)> { [weak self] signal in
            guard let self, self.owner == owner else { return }
            self.heard(signal.member, signal.arguments)
        }
        signals = g_dbus_connection_signal_subscribe(
            connection, owner, Self.name, nil, Self.path, nil, G_DBUS_SIGNAL_FLAGS_NONE,
            { _, _, _, _, member, arguments, data in
                guard let member, let arguments else { return }
                DBusCallback<(member: String, arguments: OpaquePointer)>.call(
                    data, (String(cString: member), arguments))
            }, callback.retained,
            { data in
                data.map {
                    Unmanaged<DBusCallback<(member: String, arguments: OpaquePointer)>>.fromOpaque($0).release()
                }
            })
    }

    private func unsubscribe() {
        owner = nil
        if signals != 0, let connection { g_dbus_connection_signal_unsubscribe(connection, signals) }
        signals = 0
    }

    private func heard(_ member: String, _ arguments: OpaquePointer) {
        switch member {
        case "NotificationClosed" where mh_variant_is(arguments, "(uu)") != 0:
            onEvent?(.closed(DBusValue.number(arguments, 0), code: DBusValue.number(arguments, 1)))
        case "ActionInvoked" where mh_variant_is(arguments, "(us)") != 0:
            onEvent?(.chosen(DBusValue.number(arguments, 0), action: DBusValue.text(arguments, 1)))
        default: break
        }
    }

    func startService() {
        let arguments = DBusValue.tuple([g_variant_new_string(Self.name), g_variant_new_uint32(0)])
        call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "StartServiceByName", arguments) {
            [weak self] result in
            if case .failure(let failure) = result { self?.onEvent?(.notStarted(failure.text)) }
        }
    }

    func askAbilities() {
        callOwner("GetCapabilities", nil) { [weak self] result in
            switch result {
            case .success(let answer):
                self?.onEvent?(.abilities(mh_variant_is(answer, "(as)") != 0 ? DBusValue.texts(answer, 0) : []))
            case .failure(let failure): if !failure.isLost { self?.onEvent?(.abilities([])) }
            }
        }
    }

    func send(_ token: UInt64, _ message: NotificationMessage) {
        callOwner("Notify", DBusValue.arguments(message)) { [weak self] result in
            switch result {
            case .success(let answer) where mh_variant_is(answer, "(u)") != 0:
                self?.onEvent?(.sent(token, .shown(DBusValue.number(answer, 0))))
            case .success: self?.onEvent?(.sent(token, .refused("its answer is no number")))
            case .failure(let failure):
                self?.onEvent?(.sent(token, failure.isLost ? .lost : .refused(failure.text)))
            }
        }
    }

    func close(_ number: UInt32) {
        let arguments = DBusValue.tuple([g_variant_new_uint32(number)])
        callOwner("CloseNotification", arguments) { _ in }
    }

    private func callOwner(
        _ method: String, _ arguments: OpaquePointer?,
        _ done: @escaping @HostActor @Sendable (Result<OpaquePointer, DBusFailure>) -> Void
    ) {
        call(owner ?? Self.name, Self.path, Self.name, method, arguments, done)
    }

    /// No limit of GDBus's own: how long an answer may take is decided elsewhere, and one that comes late is still of use.
    private func call(
        _ destination: String, _ path: String, _ interface: String, _ method: String, _ arguments: OpaquePointer?,
        _ done: @escaping @HostActor @Sendable (Result<OpaquePointer, DBusFailure>) -> Void
    ) {
        guard let connection else {
            // It was floating.
            if let arguments { g_variant_unref(g_variant_ref_sink(arguments)) }
            return
        }
        let round = round
        let callback = DBusCallback<(source: gpointer?, result: OpaquePointer?)> { [weak self] answer in
            var failure: UnsafeMutablePointer<GError>?
            let value = g_dbus_connection_call_finish(answer.source.map { OpaquePointer($0) }, answer.result, &failure)
            defer { if let value { g_variant_unref(value) } }
            guard let self, self.round == round else { return g_clear_error(&failure) }
            done(value.map { .success($0) } ?? .failure(DBusFailure(failure)))
        }
        g_dbus_connection_call(
            connection, destination, path, interface, method, arguments, nil, G_DBUS_CALL_FLAGS_NO_AUTO_START, .max,
            nil,
            { source, result, data in
                DBusCallback<(source: gpointer?, result: OpaquePointer?)>.callLast(data, (gpointer(source), result))
            }, callback.retained)
    }
}
