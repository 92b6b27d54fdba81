internal import CGLib

/// Values of D-Bus, read and made. Whoever reads has looked at the type before.
enum DBusValue {
    static func number(_ tuple: OpaquePointer, _ index: gsize) -> UInt32 {
        child(tuple, index) { g_variant_get_uint32($0) } ?? 0
    }

    static func text(_ tuple: OpaquePointer, _ index: gsize) -> String {
        child(tuple, index) { String(cString: g_variant_get_string($0, nil)) } ?? ""
    }

    static func texts(_ tuple: OpaquePointer, _ index: gsize) -> [String] {
        child(tuple, index) { list in
            (0..<g_variant_n_children(list)).map { text(list, $0) }
        } ?? []
    }

    /// Floating, as what is put in.
    static func tuple(_ members: [OpaquePointer?]) -> OpaquePointer? {
        g_variant_new_tuple(members, gsize(members.count))
    }

    /// What `Notify` takes; floating.
    static func arguments(_ message: NotificationMessage) -> OpaquePointer? {
        var hints: [OpaquePointer?] = []
        func hint(_ name: String, _ value: OpaquePointer?) {
            hints.append(g_variant_new_dict_entry(g_variant_new_string(name), g_variant_new_variant(value)))
        }
        hint("urgency", g_variant_new_byte(message.urgency))
        if let category = message.category { hint("category", g_variant_new_string(category)) }
        if let sound = message.sound { hint("sound-name", g_variant_new_string(sound)) }
        if message.isResident { hint("resident", g_variant_new_boolean(1)) }
        if message.isTransient { hint("transient", g_variant_new_boolean(1)) }
        let words = message.actions.flatMap { [$0.id, $0.label] }
        var copies: [UnsafeMutablePointer<gchar>?] = words.map { g_strdup($0) }
        defer { for copy in copies { g_free(copy) } }
        copies.append(nil)
        return mh_notify_arguments(
            message.application, message.replaces, message.icon, message.summary, message.body, &copies,
            g_variant_new_array(nil, hints, gsize(hints.count)), message.expireMilliseconds)
    }

    private static func child<Result>(
        _ tuple: OpaquePointer, _ index: gsize, _ read: (OpaquePointer) -> Result
    ) -> Result? {
        guard let child = g_variant_get_child_value(tuple, index) else { return nil }
        defer { g_variant_unref(child) }
        return read(child)
    }
}
