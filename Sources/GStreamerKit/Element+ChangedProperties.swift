internal import CGStreamer

extension Element {
    /// Writable scalar properties that have another value than a new element of this kind, its name apart.
    var changedProperties: [Device.Property] {
        let object = UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GObject.self)
        guard let typeClass = object.pointee.g_type_instance.g_class else { return [] }
        var count: guint = 0
        let specs = g_object_class_list_properties(
            UnsafeMutableRawPointer(typeClass).assumingMemoryBound(to: GObjectClass.self), &count)
        defer { g_free(specs) }
        guard let specs else { return [] }
        return (0..<Int(count)).compactMap { index in specs[index].flatMap { changed($0, of: object) } }
    }

    private func changed(
        _ spec: UnsafeMutablePointer<GParamSpec>, of object: UnsafeMutablePointer<GObject>
    ) -> Device.Property? {
        let readWrite = G_PARAM_READABLE.rawValue | G_PARAM_WRITABLE.rawValue
        guard spec.pointee.flags.rawValue & readWrite == readWrite, let name = borrowString(spec.pointee.name),
            !["name", "parent"].contains(name), g_type_is_a(spec.pointee.value_type, mh_gst_type_object()) == 0
        else { return nil }
        var value = GValue()
        g_value_init(&value, spec.pointee.value_type)
        defer { g_value_unset(&value) }
        g_object_get_property(object, name, &value)
        guard g_param_value_defaults(spec, &value) == 0 else { return nil }
        if let text = mh_gst_value_string(&value) { return Device.Property(name, String(cString: text)) }
        return takeString(gst_value_serialize(&value)).map { Device.Property(name, $0) }
    }
}
