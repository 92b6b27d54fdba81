internal import CGStreamer

extension Element {
    /// Writable scalar properties that have another value than a new element of this kind, its name apart.
    var changedProperties: [Device.Property] {
        let object = UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GObject.self)
        // Not the declared defaults: elements exist that begin otherwise (fakesrc's filltype).
        guard let factory = gst_element_get_factory(pointer), let made = gst_element_factory_create(factory, nil) else {
            return []
        }
        gst_object_ref_sink(made)
        let fresh = Element(adopting: made)
        guard let typeClass = object.pointee.g_type_instance.g_class else { return [] }
        var count: guint = 0
        let specs = g_object_class_list_properties(
            UnsafeMutableRawPointer(typeClass).assumingMemoryBound(to: GObjectClass.self), &count)
        defer { g_free(specs) }
        guard let specs else { return [] }
        return (0..<Int(count)).compactMap { index in specs[index].flatMap { changed($0, of: object, from: fresh) } }
    }

    private func changed(
        _ spec: UnsafeMutablePointer<GParamSpec>, of object: UnsafeMutablePointer<GObject>, from fresh: Element
    ) -> Device.Property? {
        let readWrite = G_PARAM_READABLE.rawValue | G_PARAM_WRITABLE.rawValue
        guard spec.pointee.flags.rawValue & readWrite == readWrite, let name = borrowString(spec.pointee.name),
            !["name", "parent"].contains(name), g_type_is_a(spec.pointee.value_type, mh_gst_type_object()) == 0
        else { return nil }
        var (value, other) = (GValue(), GValue())
        g_value_init(&value, spec.pointee.value_type)
        defer { g_value_unset(&value) }
        g_value_init(&other, spec.pointee.value_type)
        defer { g_value_unset(&other) }
        g_object_get_property(object, name, &value)
        g_object_get_property(
            UnsafeMutableRawPointer(fresh.pointer).assumingMemoryBound(to: GObject.self), name, &other)
        guard g_param_values_cmp(spec, &value, &other) != 0 else { return nil }
        if let text = mh_gst_value_string(&value) { return Device.Property(name, String(cString: text)) }
        return takeString(gst_value_serialize(&value)).map { Device.Property(name, $0) }
    }
}
