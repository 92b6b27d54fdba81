internal import CGStreamer

extension ElementFactory {
    /// A property of the elements that `factory` makes, or nil where there is none. Loads its plugin.
    /// - Thread: any.
    public static func property(_ name: String, of factory: String) -> ElementProperty? {
        withClass(of: factory) { elementClass in
            guard let spec = g_object_class_find_property(elementClass, name) else { return nil }
            let flags = spec.pointee.flags.rawValue
            return ElementProperty(
                name: borrowString(spec.pointee.name) ?? name, kind: kind(of: spec),
                isReadable: flags & G_PARAM_READABLE.rawValue != 0, isWritable: flags & G_PARAM_WRITABLE.rawValue != 0,
                isConstructOnly: flags & G_PARAM_CONSTRUCT_ONLY.rawValue != 0)
        }
    }

    /// Reads `text` as a launch text's value is read, without setting it.
    /// - Thread: any.
    public static func verdict(on text: String, for property: String, of factory: String) -> ValueVerdict {
        withClass(of: factory) { elementClass in
            guard let spec = g_object_class_find_property(elementClass, property) else { return nil }
            var value = GValue()
            g_value_init(&value, spec.pointee.value_type)
            defer { g_value_unset(&value) }
            guard gst_value_deserialize_with_pspec(&value, text, spec) != 0 else {
                return g_type_is_a(spec.pointee.value_type, gst_element_get_type()) != 0 && isLaunchText(text)
                    ? .taken : .unreadable
            }
            // A text or caps may be put in order; a number that is changed is another number.
            switch kind(of: spec) {
            case .signed, .unsigned, .real, .fraction:
                return g_param_value_validate(spec, &value) == 0 ? .taken : .outOfRange
            case .boolean, .text, .choice, .flags, .caps, .element, .other: return .taken
            }
        } ?? .unreadable
    }

    /// Whether its elements hold others whose properties are written `child::property`.
    public static func hasChildren(_ factory: String) -> Bool {
        withType(of: factory) { g_type_is_a($0, gst_child_proxy_get_type()) != 0 } ?? false
    }

    public static func isBin(_ factory: String) -> Bool {
        withType(of: factory) { g_type_is_a($0, gst_bin_get_type()) != 0 } ?? false
    }

    /// The presets it has, or nil where it takes none. Makes an element.
    /// - Thread: any.
    public static func presets(of factory: String) -> [String]? {
        guard withType(of: factory, { g_type_is_a($0, gst_preset_get_type()) != 0 }) == true,
            let element = gst_element_factory_make(factory, nil)
        else { return nil }
        gst_object_ref_sink(element)
        defer { gst_object_unref(element) }
        return takeStrings(gst_preset_get_preset_names(OpaquePointer(element)))
    }

    private static func isLaunchText(_ text: String) -> Bool {
        var failure: UnsafeMutablePointer<GError>?
        let parsed = gst_parse_launch_full(text, nil, GST_PARSE_FLAG_FATAL_ERRORS, &failure)
        g_clear_error(&failure)
        guard let parsed else { return false }
        gst_object_ref_sink(parsed)
        gst_object_unref(parsed)
        return true
    }

    private static func withType<Result>(of factory: String, _ body: (GType) -> Result?) -> Result? {
        guard let found = gst_element_factory_find(factory) else { return nil }
        defer { gst_object_unref(UnsafeMutableRawPointer(found)) }
        guard let loaded = gst_plugin_feature_load(found) else { return nil }
        defer { gst_object_unref(UnsafeMutableRawPointer(loaded)) }
        let type = gst_element_factory_get_element_type(loaded)
        return type == 0 ? nil : body(type)
    }

    private static func withClass<Result>(
        of factory: String, _ body: (UnsafeMutablePointer<GObjectClass>) -> Result?
    ) -> Result? {
        withType(of: factory) { type in
            guard let typeClass = g_type_class_ref(type) else { return nil }
            defer { g_type_class_unref(typeClass) }
            return body(typeClass.assumingMemoryBound(to: GObjectClass.self))
        }
    }

    private static func kind(of spec: UnsafeMutablePointer<GParamSpec>) -> ElementProperty.Kind {
        let type = spec.pointee.value_type
        if let range = numbers(of: spec) { return range }
        if g_type_is_a(type, mh_g_type_enum()) != 0 { return .choice(nicks(type, isFlags: false)) }
        if g_type_is_a(type, mh_g_type_flags()) != 0 { return .flags(nicks(type, isFlags: true)) }
        if type == mh_g_type_boolean() { return .boolean }
        if type == mh_g_type_string() { return .text }
        if type == gst_fraction_get_type() { return .fraction }
        if type == gst_caps_get_type() { return .caps }
        if g_type_is_a(type, gst_element_get_type()) != 0 { return .element }
        return .other(borrowString(g_type_name(type)) ?? "")
    }

    private static func numbers(of spec: UnsafeMutablePointer<GParamSpec>) -> ElementProperty.Kind? {
        var range = mh_number_range()
        guard mh_g_param_number_range(spec, &range) != 0 else { return nil }
        switch range.kind {
        case MH_NUMBER_SIGNED:
            return .signed(Int64(range.lowest_signed)...Int64(max(range.lowest_signed, range.highest_signed)))
        case MH_NUMBER_UNSIGNED:
            return .unsigned(UInt64(range.lowest_unsigned)...UInt64(max(range.lowest_unsigned, range.highest_unsigned)))
        default: return .real(range.lowest_real...max(range.lowest_real, range.highest_real))
        }
    }

    private static func nicks(_ type: GType, isFlags: Bool) -> [String] {
        guard let typeClass = g_type_class_ref(type) else { return [] }
        defer { g_type_class_unref(typeClass) }
        if isFlags {
            let flags = typeClass.assumingMemoryBound(to: GFlagsClass.self).pointee
            return (0..<Int(flags.n_values)).compactMap { borrowString(flags.values[$0].value_nick) }
        }
        let choices = typeClass.assumingMemoryBound(to: GEnumClass.self).pointee
        return (0..<Int(choices.n_values)).compactMap { borrowString(choices.values[$0].value_nick) }
    }
}
