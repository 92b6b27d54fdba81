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

    /// A reference that somebody with another import gives away, as `retained` gives one.
    public convenience init(adoptingRaw raw: UnsafeMutableRawPointer) {
        self.init(adopting: raw.assumingMemoryBound(to: GstElement.self))
    }

    deinit { gst_object_unref(pointer) }

    /// For who knows GStreamer by another import; borrowed.
    public var raw: UnsafeMutableRawPointer { UnsafeMutableRawPointer(pointer) }

    /// The same with a reference of its own.
    public func retained() -> UnsafeMutableRawPointer {
        gst_object_ref(pointer)
        return raw
    }

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
    public var padNames: [String] { pads.map(\.name) }

    /// Whether it only takes data in.
    public var isSink: Bool { gst_object_flag(GST_ELEMENT_FLAG_SINK) }

    /// Whether it only gives data out.
    public var isSource: Bool { gst_object_flag(GST_ELEMENT_FLAG_SOURCE) }

    /// Whether it gives data at the pace of the world: a camera, a network, a test source told to.
    /// - Thread: any; tells the truth once the element is past READY.
    public var isLiveSource: Bool { mh_gst_is_live_source(pointer) != 0 }

    /// All pads that exist now.
    public var pads: [Pad] {
        guard let iterator = gst_element_iterate_pads(pointer) else { return [] }
        defer { gst_iterator_free(iterator) }
        var found: [Pad] = []
        forEachObject(iterator) { object in
            gst_object_ref(object)
            found.append(Pad(adopting: object.assumingMemoryBound(to: GstPad.self)))
        }
        return found
    }

    /// Has a source come to its end. It may wait for its streaming thread, and holds the lock of its state meanwhile.
    /// - Thread: worker of its own.
    public func sendEndOfStream() { gst_element_send_event(pointer, gst_event_new_eos()) }

    /// Goes to NULL by itself and stays there. Whoever is about to change its state is waited for: its bin may be on its way down
    /// after all, and a sink that it only paused would keep a source that ends alone, which keeps the bin.
    /// - Thread: worker of its own: it may hang, too.
    public func endAlone() {
        g_rec_mutex_lock(&pointer.pointee.state_lock)
        defer { g_rec_mutex_unlock(&pointer.pointee.state_lock) }
        gst_element_set_locked_state(pointer, 1)
        gst_element_set_state(pointer, GST_STATE_NULL)
    }

    /// Whether a state change of its own is still under way.
    public var isChanging: Bool { gst_element_get_state(pointer, nil, nil, 0) == GST_STATE_CHANGE_ASYNC }

    /// The words a factory describes its kind with, "Codec/Encoder/Video".
    public var kind: String {
        guard let factory = gst_element_get_factory(pointer) else { return "" }
        return borrowString(gst_element_factory_get_metadata(factory, "klass")) ?? ""
    }

    /// Whether the element has a property of this name.
    public func hasProperty(_ name: String) -> Bool {
        ElementFactory.property(name, of: UnsafeMutableRawPointer(pointer)) != nil
    }

    /// Whether it has a property of this name whose value may be asked for.
    public func canRead(_ property: String) -> Bool {
        guard let spec = ElementFactory.property(property, of: UnsafeMutableRawPointer(pointer)) else { return false }
        return spec.pointee.flags.rawValue & G_PARAM_READABLE.rawValue != 0
    }

    /// Sets a property from its text form, as a launch string would. Does nothing where there is no such property.
    public func set(_ property: String, to text: String) {
        guard hasProperty(property) else { return }
        mh_gst_set_string(UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GObject.self), property, text)
    }

    /// The same, where a text that is no value of the property must not pass.
    /// - Returns: false where there is no such property, or it cannot take the text.
    public func trySet(_ property: String, to text: String) -> Bool {
        guard let spec = ElementFactory.property(property, of: UnsafeMutableRawPointer(pointer)) else { return false }
        guard spec.pointee.flags.rawValue & G_PARAM_WRITABLE.rawValue != 0 else { return false }
        var value = GValue()
        g_value_init(&value, spec.pointee.value_type)
        defer { g_value_unset(&value) }
        guard gst_value_deserialize_with_pspec(&value, text, spec) != 0 else { return false }
        g_object_set_property(UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GObject.self), property, &value)
        return true
    }

    /// A property's value as a launch text would say it; nil where there is none to read.
    /// - Thread: worker: an element that is stuck in its device may hold a lock.
    public func text(of property: String) -> String? {
        guard let spec = ElementFactory.property(property, of: UnsafeMutableRawPointer(pointer)),
            spec.pointee.flags.rawValue & G_PARAM_READABLE.rawValue != 0
        else { return nil }
        var value = GValue()
        g_value_init(&value, spec.pointee.value_type)
        defer { g_value_unset(&value) }
        g_object_get_property(UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GObject.self), property, &value)
        // GStreamer writes a text that nobody has set as "NULL".
        if mh_gst_value_is_string(&value) != 0 { return borrowString(mh_gst_value_string(&value)) }
        return takeString(gst_value_serialize(&value))
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
