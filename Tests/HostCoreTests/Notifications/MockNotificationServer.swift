import CGLib

@testable import HostCore

/// org.freedesktop.Notifications on a test's own bus. It shows nothing, writes everything down, and does what a test says.
@HostActor
final class MockNotificationServer {
    struct Notify: Sendable, Equatable {
        var number: UInt32
        var application: String
        var replaces: UInt32
        var icon: String
        var summary: String
        var body: String
        var actions: [String]
        /// As GLib prints them.
        var hints: String
        var expire: Int32
    }

    struct Failure: Error {
        var text: String
    }

    let notified = Mailbox<Notify>()
    let closed = Mailbox<UInt32>()
    var abilities = ["actions", "body", "body-markup"]
    /// Whether answers to `Notify` wait for `answer`.
    var isSilent = false
    /// Whether `Notify` is refused.
    var refuses = false
    private let connection: OpaquePointer
    private var object: UInt32 = 0
    private var last: UInt32 = 40
    private var unanswered: [(invocation: OpaquePointer, number: UInt32)] = []

    private static let interface = """
        <node><interface name='org.freedesktop.Notifications'>
          <method name='GetCapabilities'><arg type='as' direction='out'/></method>
          <method name='Notify'>
            <arg type='s' direction='in'/><arg type='u' direction='in'/><arg type='s' direction='in'/>
            <arg type='s' direction='in'/><arg type='s' direction='in'/><arg type='as' direction='in'/>
            <arg type='a{sv}' direction='in'/><arg type='i' direction='in'/><arg type='u' direction='out'/>
          </method>
          <method name='CloseNotification'><arg type='u' direction='in'/></method>
        </interface></node>
        """

    /// Connected; it has not the name yet.
    init(_ address: String) throws {
        let flags =
            G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
            | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue
        var failure: UnsafeMutablePointer<GError>?
        guard
            let connection = g_dbus_connection_new_for_address_sync(
                address, GDBusConnectionFlags(rawValue: flags), nil, nil, &failure)
        else { throw Self.failure(failure) }
        self.connection = connection
        guard let node = g_dbus_node_info_new_for_xml(Self.interface, &failure) else { throw Self.failure(failure) }
        defer { g_dbus_node_info_unref(node) }
        var functions = GDBusInterfaceVTable()
        functions.method_call = { _, _, _, _, method, parameters, invocation, data in
            guard let method, let parameters, let invocation, let data else { return }
            // GDBus's own, used before it goes on.
            nonisolated(unsafe) let call = (name: method, parameters: parameters, invocation: invocation)
            let server = Unmanaged<MockNotificationServer>.fromOpaque(data).takeUnretainedValue()
            HostActor.assumeIsolated {
                server.perform(String(cString: call.name), call.parameters, call.invocation)
            }
        }
        object = g_dbus_connection_register_object(
            connection, DBusNotificationBus.path,
            g_dbus_node_info_lookup_interface(node, DBusNotificationBus.name), &functions,
            Unmanaged.passRetained(self).toOpaque(),
            { $0.map { Unmanaged<MockNotificationServer>.fromOpaque($0).release() } }, &failure)
        guard object != 0 else { throw Self.failure(failure) }
    }

    /// The connection ends, as where the program crashes.
    func leave() {
        for (invocation, _) in unanswered { g_object_unref(UnsafeMutableRawPointer(invocation)) }
        unanswered = []
        g_dbus_connection_unregister_object(connection, object)
        g_dbus_connection_close_sync(connection, nil, nil)
        g_object_unref(UnsafeMutableRawPointer(connection))
    }

    /// From now on it is the notification service.
    func appear() throws {
        try ask("RequestName", [g_variant_new_string(DBusNotificationBus.name), g_variant_new_uint32(0)])
    }

    func vanish() throws { try ask("ReleaseName", [g_variant_new_string(DBusNotificationBus.name)]) }

    /// The user chooses.
    func choose(_ action: String, of number: UInt32) throws {
        try emit("ActionInvoked", [g_variant_new_uint32(number), g_variant_new_string(action)])
    }

    func close(_ number: UInt32, _ why: UInt32) throws {
        try emit("NotificationClosed", [g_variant_new_uint32(number), g_variant_new_uint32(why)])
    }

    /// Answers all that wait for it.
    func answer() {
        for (invocation, number) in unanswered { reply(invocation, [g_variant_new_uint32(number)]) }
        unanswered = []
    }

    private func perform(_ method: String, _ parameters: OpaquePointer, _ invocation: OpaquePointer) {
        switch method {
        case "GetCapabilities":
            var copies: [UnsafeMutablePointer<gchar>?] = abilities.map { g_strdup($0) }
            defer { for copy in copies { g_free(copy) } }
            let list = copies.withUnsafeMutableBufferPointer { copies in
                copies.withMemoryRebound(to: UnsafePointer<gchar>?.self) {
                    g_variant_new_strv($0.baseAddress, gssize($0.count))
                }
            }
            reply(invocation, [list])
        case "Notify": notify(parameters, invocation)
        default:
            reply(invocation, [])
            closed.put(DBusValue.number(parameters, 0))
        }
    }

    private func notify(_ parameters: OpaquePointer, _ invocation: OpaquePointer) {
        let replaces = DBusValue.number(parameters, 1)
        if replaces == 0 { last += 1 }
        let number = replaces == 0 ? last : replaces
        let hints = g_variant_get_child_value(parameters, 6)
        let printed = g_variant_print(hints, 0)
        let expire = g_variant_get_child_value(parameters, 7)
        defer {
            g_free(printed)
            g_variant_unref(hints)
            g_variant_unref(expire)
        }
        if refuses {
            g_dbus_method_invocation_return_dbus_error(invocation, "org.example.Error.TooMuch", "not that one")
        } else if isSilent {
            unanswered.append((invocation, number))
        } else {
            reply(invocation, [g_variant_new_uint32(number)])
        }
        notified.put(
            Notify(
                number: number, application: DBusValue.text(parameters, 0), replaces: replaces,
                icon: DBusValue.text(parameters, 2), summary: DBusValue.text(parameters, 3),
                body: DBusValue.text(parameters, 4), actions: DBusValue.texts(parameters, 5),
                hints: printed.map { String(cString: $0) } ?? "", expire: g_variant_get_int32(expire)))
    }

    private func reply(_ invocation: OpaquePointer, _ values: [OpaquePointer?]) {
        g_dbus_method_invocation_return_value(invocation, DBusValue.tuple(values))
    }

    private func emit(_ signal: String, _ values: [OpaquePointer?]) throws {
        var failure: UnsafeMutablePointer<GError>?
        let status = g_dbus_connection_emit_signal(
            connection, nil, DBusNotificationBus.path, DBusNotificationBus.name, signal, DBusValue.tuple(values),
            &failure)
        guard status != 0 else { throw Self.failure(failure) }
    }

    /// Of the bus itself. What was sent before it has got there when this returns.
    func ask(_ method: String, _ values: [OpaquePointer?] = []) throws {
        var failure: UnsafeMutablePointer<GError>?
        let answer = g_dbus_connection_call_sync(
            connection, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", method,
            DBusValue.tuple(values), nil, G_DBUS_CALL_FLAGS_NONE, -1, nil, &failure)
        guard let answer else { throw Self.failure(failure) }
        g_variant_unref(answer)
    }

    private static func failure(_ error: UnsafeMutablePointer<GError>?) -> Failure {
        Failure(text: DBusFailure(error).text)
    }
}
