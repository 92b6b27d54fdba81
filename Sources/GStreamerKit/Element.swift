internal import CGStreamer

/// One owned reference to an element (a bin and a pipeline are elements, too).
public final class Element: Sendable {
    // Never written after init; GObject reference counts are atomic and the calls below take the element's own locks.
    nonisolated(unsafe) let pointer: UnsafeMutablePointer<GstElement>

    init(adopting pointer: UnsafeMutablePointer<GstElement>) { self.pointer = pointer }

    init(retaining pointer: UnsafeMutablePointer<GstElement>) {
        gst_object_ref(pointer)
        self.pointer = pointer
    }

    deinit { gst_object_unref(pointer) }

    public var name: String {
        takeString(gst_object_get_name(UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GstObject.self))) ?? ""
    }

    /// The factory it was made by, "x264enc"; nil for a pipeline or bin made without one.
    public var factoryName: String? {
        guard let factory = gst_element_get_factory(pointer) else { return nil }
        return takeString(gst_object_get_name(UnsafeMutableRawPointer(factory).assumingMemoryBound(to: GstObject.self)))
    }

    /// A pad that exists now, by name.
    public func pad(named name: String) -> Pad? { gst_element_get_static_pad(pointer, name).map { Pad(adopting: $0) } }

    /// The names of all pads that exist now.
    public var padNames: [String] {
        var names: [String] = []
        guard let iterator = gst_element_iterate_pads(pointer) else { return [] }
        defer { gst_iterator_free(iterator) }
        forEachObject(iterator) { object in
            if let name = takeString(gst_object_get_name(object.assumingMemoryBound(to: GstObject.self))) {
                names.append(name)
            }
        }
        return names
    }

    /// Whether it only takes data in.
    public var isSink: Bool { gst_object_flag(GST_ELEMENT_FLAG_SINK) }

    /// Whether it only gives data out.
    public var isSource: Bool { gst_object_flag(GST_ELEMENT_FLAG_SOURCE) }

    /// The words a factory describes its kind with, "Codec/Encoder/Video".
    public var kind: String {
        guard let factory = gst_element_get_factory(pointer) else { return "" }
        return borrowString(gst_element_factory_get_metadata(factory, "klass")) ?? ""
    }

    /// Whether the element has a property of this name.
    public func hasProperty(_ name: String) -> Bool {
        ElementFactory.property(name, of: UnsafeMutableRawPointer(pointer)) != nil
    }

    /// Sets a property from its text form, as a launch string would. Does nothing where there is no such property.
    public func set(_ property: String, to text: String) {
        guard hasProperty(property) else { return }
        mh_gst_set_string(UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GObject.self), property, text)
    }

    private func gst_object_flag(_ flag: GstElementFlags) -> Bool { pointer.pointee.object.flags & flag.rawValue != 0 }
}

/// Calls `body` for each object of an iterator, starting over where the collection changed meanwhile.
func forEachObject(_ iterator: UnsafeMutablePointer<GstIterator>, _ body: (UnsafeMutableRawPointer) -> Void) {
    var item = GValue()
    while true {
        switch gst_iterator_next(iterator, &item) {
        case GST_ITERATOR_OK:
            if let object = g_value_get_object(&item) { body(UnsafeMutableRawPointer(object)) }
            g_value_reset(&item)
        case GST_ITERATOR_RESYNC: gst_iterator_resync(iterator)
        default:
            if item.g_type != 0 { g_value_unset(&item) }
            return
        }
    }
}
