internal import CGLib

/// A connection of its own to a message bus, and whoever has one name there. Every call is asynchronous.
///
/// ```
///   closed ──open──▶ connecting ──▶ vanished ◀──▶ appeared ──close──▶ closed
///     ▲                  │ unreachable      │ unreachable
///     └──────────────────┴──────────────────┘
/// ```
/// What was asked of an earlier connection, or of an earlier owner of the name, is never answered.
@HostActor
final class DBusConnection {
    enum Event: Sendable {
        /// No connection came about, or the one there was is gone.
        case unreachable(String)
        /// Somebody has the name; also told when another one takes it.
        case appeared
        case vanished
    }

    typealias Answered = @HostActor @Sendable (Result<DBusAnswer, DBusFailure>) -> Void
    typealias Heard = @HostActor @Sendable (_ member: String, _ arguments: OpaquePointer) -> Void
    private typealias Signal = (member: String, arguments: OpaquePointer)

    var onEvent: (@HostActor (Event) -> Void)?
    private let name: String
    /// GDBus's objects, owned until `close`.
    private var connection: OpaquePointer?
    private var cancellable: UnsafeMutablePointer<GCancellable>?
    private var onClosed: UInt = 0
    private var watch: UInt32 = 0
    private var subscriptions: Set<UInt32> = []
    /// The unique name of who has the name: what is asked of it comes from nobody else.
    private var owner: String?
    /// Changes with each connection and each owner.
    private var round: UInt64 = 0

    init(watching name: String) { self.name = name }

    isolated deinit { close() }

    // MARK: - The connection

    func open(_ address: String) {
        close()
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
                self.close()
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
        // A bus that has gone by now has told so before anybody listened.
        guard g_dbus_connection_is_closed(connection) == 0 else {
            g_object_unref(UnsafeMutableRawPointer(connection))
            close()
            onEvent?(.unreachable("the connection was closed"))
            return
        }
        self.connection = connection
        g_dbus_connection_set_exit_on_close(connection, 0)
        let closed = DBusCallback<Void> { [weak self] in
            guard let self, self.connection == connection else { return }
            self.close()
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
            connection, name, G_BUS_NAME_WATCHER_FLAGS_NONE,
            { _, _, owner, data in DBusCallback<String?>.call(data, owner.map { String(cString: $0) }) },
            { _, _, data in DBusCallback<String?>.call(data, nil) }, changed.retained,
            { data in data.map { Unmanaged<DBusCallback<String?>>.fromOpaque($0).release() } })
    }

    func close() {
        round += 1
        if let cancellable {
            g_cancellable_cancel(cancellable)
            g_object_unref(cancellable)
        }
        cancellable = nil
        owner = nil
        ignoreAll()
        guard let connection else { return }
        self.connection = nil
        g_bus_unwatch_name(watch)
        g_signal_handler_disconnect(UnsafeMutableRawPointer(connection), gulong(onClosed))
        g_dbus_connection_close(connection, nil, nil, nil)
        g_object_unref(UnsafeMutableRawPointer(connection))
    }

    /// Calls `done` when all that was sent has left the process, or never will.
    func flush(_ done: @escaping @HostActor @Sendable () -> Void) {
        guard let connection else { return done() }
        let callback = DBusCallback<OpaquePointer?> { _ in done() }
        g_dbus_connection_flush(
            connection, nil, { _, result, data in DBusCallback<OpaquePointer?>.callLast(data, result) },
            callback.retained)
    }

    private func follow(_ owner: String?) {
        round += 1
        ignoreAll()
        self.owner = owner
        onEvent?(owner == nil ? .vanished : .appeared)
    }

    // MARK: - Signals

    /// Hears an object's signals, from the owner of the name alone: anybody on the bus could send them. It ends with that
    /// owner, or by `ignore`.
    /// - Returns: 0 where nobody has the name.
    func listen(to interface: String, at path: String, _ heard: @escaping Heard) -> UInt32 {
        guard let connection, let owner else { return 0 }
        let round = round
        let callback = DBusCallback<Signal> { [weak self] signal in
            guard let self, self.round == round else { return }
            heard(signal.member, signal.arguments)
        }
        let subscription = g_dbus_connection_signal_subscribe(
            connection, owner, interface, nil, path, nil, G_DBUS_SIGNAL_FLAGS_NONE,
            { _, _, _, _, member, arguments, data in
                guard let member, let arguments else { return }
                DBusCallback<Signal>.call(data, (String(cString: member), arguments))
            }, callback.retained,
            { data in data.map { Unmanaged<DBusCallback<Signal>>.fromOpaque($0).release() } })
        subscriptions.insert(subscription)
        return subscription
    }

    func ignore(_ subscription: UInt32) {
        guard subscriptions.remove(subscription) != nil, let connection else { return }
        g_dbus_connection_signal_unsubscribe(connection, subscription)
    }

    private func ignoreAll() {
        for subscription in subscriptions { ignore(subscription) }
    }

    // MARK: - Methods

    /// Asks the owner of the name. - Parameter arguments: a tuple that is floating, or nil.
    func callOwner(
        at path: String, _ interface: String, _ method: String, _ arguments: OpaquePointer?, _ done: @escaping Answered
    ) {
        call(owner ?? name, path, interface, method, arguments, done)
    }

    /// No limit of GDBus's own: how long an answer may take is decided elsewhere, and one that comes late is still of use.
    func call(
        _ destination: String, _ path: String, _ interface: String, _ method: String, _ arguments: OpaquePointer?,
        _ done: @escaping Answered
    ) {
        guard let connection else {
            // It was floating.
            if let arguments { g_variant_unref(g_variant_ref_sink(arguments)) }
            return
        }
        let round = round
        let callback = DBusCallback<(source: gpointer?, result: OpaquePointer?)> { [weak self] answer in
            var failure: UnsafeMutablePointer<GError>?
            var files: UnsafeMutablePointer<GUnixFDList>?
            let value = g_dbus_connection_call_with_unix_fd_list_finish(
                answer.source.map { OpaquePointer($0) }, &files, answer.result, &failure)
            defer {
                if let value { g_variant_unref(value) }
                // Closes what nobody has copied.
                if let files { g_object_unref(files) }
            }
            guard let self, self.round == round else { return g_clear_error(&failure) }
            done(value.map { .success(DBusAnswer($0, files: files)) } ?? .failure(DBusFailure(failure)))
        }
        g_dbus_connection_call_with_unix_fd_list(
            connection, destination, path, interface, method, arguments, nil, G_DBUS_CALL_FLAGS_NO_AUTO_START, .max,
            nil, nil,
            { source, result, data in
                DBusCallback<(source: gpointer?, result: OpaquePointer?)>.callLast(data, (gpointer(source), result))
            }, callback.retained)
    }
}
