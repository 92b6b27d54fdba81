internal import CGStreamer

/// What can be built here: GStreamer's registry, asked without making an element.
///
/// `gst-inspect-1.0 --exists` answers wrongly for plugins below version 1.0 (FACTS); these calls do not.
public enum ElementFactory {
    /// - Thread: any.
    public static func exists(_ name: String) -> Bool {
        guard let factory = gst_element_factory_find(name) else { return false }
        gst_object_unref(UnsafeMutableRawPointer(factory))
        return true
    }

    /// All element names, sorted.
    public static func allNames() -> [String] {
        let list = gst_registry_get_feature_list(gst_registry_get(), gst_element_factory_get_type())
        defer { gst_plugin_feature_list_free(list) }
        var names: [String] = []
        var cursor = list
        while let link = cursor {
            if let feature = link.pointee.data?.assumingMemoryBound(to: GstObject.self),
                let name = takeString(gst_object_get_name(feature))
            {
                names.append(name)
            }
            cursor = link.pointee.next
        }
        return names.sorted()
    }

    /// The writable properties of an element by name, or nil where there is no such element. Loads its plugin.
    public static func propertyNames(of name: String) -> [String]? {
        guard let factory = gst_element_factory_find(name) else { return nil }
        defer { gst_object_unref(UnsafeMutableRawPointer(factory)) }
        guard let loaded = gst_plugin_feature_load(factory) else { return nil }
        defer { gst_object_unref(UnsafeMutableRawPointer(loaded)) }
        let type = gst_element_factory_get_element_type(loaded)
        guard type != 0, let typeClass = g_type_class_ref(type) else { return nil }
        defer { g_type_class_unref(typeClass) }
        var count: guint = 0
        let specs = g_object_class_list_properties(typeClass.assumingMemoryBound(to: GObjectClass.self), &count)
        defer { g_free(specs) }
        guard let specs else { return [] }
        return (0..<Int(count)).compactMap { index in
            guard let spec = specs[index], spec.pointee.flags.rawValue & G_PARAM_WRITABLE.rawValue != 0 else {
                return nil
            }
            return borrowString(spec.pointee.name)
        }
    }

    static func property(_ name: String, of object: UnsafeMutableRawPointer) -> UnsafeMutablePointer<GParamSpec>? {
        guard let typeClass = object.assumingMemoryBound(to: GTypeInstance.self).pointee.g_class else { return nil }
        return g_object_class_find_property(
            UnsafeMutableRawPointer(typeClass).assumingMemoryBound(to: GObjectClass.self), name)
    }
}
