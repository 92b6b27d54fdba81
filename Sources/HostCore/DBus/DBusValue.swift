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

    static func flag(_ tuple: OpaquePointer, _ index: gsize) -> Bool {
        child(tuple, index) { g_variant_get_boolean($0) != 0 } ?? false
    }

    /// Floating, as what is put in.
    static func tuple(_ members: [OpaquePointer?]) -> OpaquePointer? {
        g_variant_new_tuple(members, gsize(members.count))
    }

    /// Owned by who asks.
    static func member(_ tuple: OpaquePointer, _ index: gsize) -> OpaquePointer? {
        index < g_variant_n_children(tuple) ? g_variant_get_child_value(tuple, index) : nil
    }

    /// A member of an a{sv}, of this type; owned by who asks.
    static func named(_ name: String, _ type: String, in dictionary: OpaquePointer) -> OpaquePointer? {
        guard let value = g_variant_lookup_value(dictionary, name, nil) else { return nil }
        if mh_variant_is(value, type) != 0 { return value }
        g_variant_unref(value)
        return nil
    }

    /// A flag of an a{sv}; nil where there is none.
    static func flag(_ name: String, in dictionary: OpaquePointer) -> Bool? {
        guard let value = named(name, "b", in: dictionary) else { return nil }
        defer { g_variant_unref(value) }
        return g_variant_get_boolean(value) != 0
    }

    static func has(_ name: String, in dictionary: OpaquePointer) -> Bool {
        guard let value = g_variant_lookup_value(dictionary, name, nil) else { return false }
        g_variant_unref(value)
        return true
    }

    /// The path in a property that is a name and an object; nil where the name is empty, which stands for none.
    static func objectOfPair(in answer: OpaquePointer) -> String? {
        guard mh_variant_is(answer, "(v)") != 0, let variant = member(answer, 0) else { return nil }
        defer { g_variant_unref(variant) }
        guard let pair = g_variant_get_variant(variant) else { return nil }
        defer { g_variant_unref(pair) }
        guard mh_variant_is(pair, "(so)") != 0, !text(pair, 0).isEmpty else { return nil }
        return text(pair, 1)
    }

    private static func child<Result>(
        _ tuple: OpaquePointer, _ index: gsize, _ read: (OpaquePointer) -> Result
    ) -> Result? {
        guard let child = g_variant_get_child_value(tuple, index) else { return nil }
        defer { g_variant_unref(child) }
        return read(child)
    }
}
