internal import CGLib

/// org.freedesktop.Notifications over GDBus, on a connection of its own.
@HostActor
final class DBusNotificationBus: NotificationBus {
    static let name = "org.freedesktop.Notifications"
    static let path = "/org/freedesktop/Notifications"

    var onEvent: (@HostActor (NotificationStateMachine.Event) -> Void)?
    private let address: BusAddress
    private let connection = DBusConnection(watching: DBusNotificationBus.name)

    init(_ address: BusAddress) {
        self.address = address
        connection.onEvent = { [weak self] in self?.follow($0) }
    }

    var absence: String? { address.absence }

    func connect() {
        connection.close()
        if let address = address.text { return connection.open(address) }
        let absence = absence ?? "it is gone"
        HostActor.enqueue { [weak self] in self?.onEvent?(.unreachable(absence)) }
    }

    func disconnect() { connection.close() }

    func flush(_ done: @escaping @HostActor @Sendable () -> Void) { connection.flush(done) }

    private func follow(_ event: DBusConnection.Event) {
        switch event {
        case .unreachable(let why): onEvent?(.unreachable(why))
        case .vanished: onEvent?(.vanished)
        case .appeared:
            _ = connection.listen(to: Self.name, at: Self.path) { [weak self] in self?.heard($0, $1) }
            onEvent?(.appeared)
        }
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
        connection.call(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "StartServiceByName", arguments
        ) { [weak self] result in
            if case .failure(let failure) = result { self?.onEvent?(.notStarted(failure.text)) }
        }
    }

    func askAbilities() {
        ask("GetCapabilities", nil) { [weak self] result in
            switch result {
            case .success(let answer):
                self?.onEvent?(.abilities(answer.isA("(as)") ? DBusValue.texts(answer.value, 0) : []))
            case .failure(let failure): if !failure.isLost { self?.onEvent?(.abilities([])) }
            }
        }
    }

    func send(_ token: UInt64, _ message: NotificationMessage) {
        ask("Notify", DBusValue.arguments(message)) { [weak self] result in
            switch result {
            case .success(let answer) where answer.isA("(u)"):
                self?.onEvent?(.sent(token, .shown(DBusValue.number(answer.value, 0))))
            case .success: self?.onEvent?(.sent(token, .refused("its answer is no number")))
            case .failure(let failure):
                self?.onEvent?(.sent(token, failure.isLost ? .lost : .refused(failure.text)))
            }
        }
    }

    func close(_ number: UInt32) {
        let arguments = DBusValue.tuple([g_variant_new_uint32(number)])
        ask("CloseNotification", arguments) { _ in }
    }

    private func ask(_ method: String, _ arguments: OpaquePointer?, _ done: @escaping DBusConnection.Answered) {
        connection.callOwner(at: Self.path, Self.name, method, arguments, done)
    }
}
