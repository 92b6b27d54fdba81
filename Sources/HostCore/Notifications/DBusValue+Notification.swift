internal import CGLib

extension DBusValue {
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
}
