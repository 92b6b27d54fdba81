import CGStreamer

/// What GStreamer itself builds from a launch text: the truth our parser is held against. Uses none of our code.
struct ReferencePipeline {
    struct Built: Equatable {
        var name: String
        var factory: String
        /// Index of the bin that holds it; nil for the top level.
        var parent: Int?
    }

    /// Two pads that are linked: the elements' indices and the pads' names.
    struct Link: Hashable {
        var source: Int
        var sourcePad: String
        var sink: Int
        var sinkPad: String
    }

    /// Elements in the order they were made, bins before what they hold.
    var elements: [Built] = []
    var links: Set<Link> = []
    /// The caps of capsfilters, by index.
    var caps: [Int: String] = [:]
    var pointers: [UnsafeMutablePointer<GstElement>] = []

    struct Refusal: Error {
        var code: Int
        var text: String
    }

    /// Builds `launch`, takes it apart and throws it away. `inspect` sees it while it lives.
    static func build(_ launch: String, inspect: (ReferencePipeline) -> Void = { _ in }) throws(Refusal) -> ReferencePipeline {
        var failure: UnsafeMutablePointer<GError>?
        let parsed = gst_parse_launch_full(launch, nil, GST_PARSE_FLAG_FATAL_ERRORS, &failure)
        defer {
            if let parsed {
                gst_object_ref_sink(parsed)
                gst_element_set_state(parsed, GST_STATE_NULL)
                gst_object_unref(parsed)
            }
        }
        if let failure {
            defer { g_error_free(failure) }
            throw Refusal(code: Int(failure.pointee.code), text: String(cString: failure.pointee.message))
        }
        guard let parsed else { throw Refusal(code: -1, text: "nothing") }
        var result = ReferencePipeline()
        // One element alone comes without a pipeline around it; an automatic one is no element of the text.
        if factory(of: parsed) == "pipeline", name(of: parsed).hasPrefix("pipeline") {
            result.addChildren(of: parsed, parent: nil)
        } else {
            result.add(parsed, parent: nil)
        }
        for (index, element) in result.pointers.enumerated() { result.addLinks(of: element, index) }
        inspect(result)
        result.pointers = []
        return result
    }

    /// The value of a property as GStreamer writes it.
    func text(of property: String, _ index: Int) -> String? {
        let object = UnsafeMutableRawPointer(pointers[index]).assumingMemoryBound(to: GObject.self)
        guard let spec = spec(of: property, index) else { return nil }
        var value = GValue()
        g_value_init(&value, spec.pointee.value_type)
        defer { g_value_unset(&value) }
        g_object_get_property(object, property, &value)
        return Self.take(gst_value_serialize(&value))
    }

    /// `text` read as that property and written again.
    func normalised(_ text: String, as property: String, _ index: Int) -> String? {
        guard let spec = spec(of: property, index) else { return nil }
        var value = GValue()
        g_value_init(&value, spec.pointee.value_type)
        defer { g_value_unset(&value) }
        guard gst_value_deserialize_with_pspec(&value, text, spec) != 0 else { return nil }
        return Self.take(gst_value_serialize(&value))
    }

    func isReadable(_ property: String, _ index: Int) -> Bool {
        spec(of: property, index).map { $0.pointee.flags.rawValue & 1 != 0 } ?? false
    }

    private func spec(of property: String, _ index: Int) -> UnsafeMutablePointer<GParamSpec>? {
        let instance = UnsafeMutableRawPointer(pointers[index]).assumingMemoryBound(to: GTypeInstance.self)
        let objectClass = UnsafeMutableRawPointer(instance.pointee.g_class)?.assumingMemoryBound(to: GObjectClass.self)
        return g_object_class_find_property(objectClass, property)
    }

    private mutating func add(_ element: UnsafeMutablePointer<GstElement>, parent: Int?) {
        let index = elements.count
        elements.append(Built(name: Self.name(of: element), factory: Self.factory(of: element), parent: parent))
        pointers.append(element)
        if elements[index].factory == "capsfilter" { caps[index] = text(of: "caps", index) }
        // What an element of its own makes inside itself is no part of the text.
        if mh_gst_is_bin(element) != 0, ["bin", "pipeline"].contains(elements[index].factory) {
            addChildren(of: element, parent: index)
        }
    }

    private mutating func addChildren(of bin: UnsafeMutablePointer<GstElement>, parent: Int?) {
        let container = UnsafeMutableRawPointer(bin).assumingMemoryBound(to: GstBin.self)
        var children: [UnsafeMutablePointer<GstElement>] = []
        var cursor = container.pointee.children
        while let link = cursor {
            if let child = link.pointee.data?.assumingMemoryBound(to: GstElement.self) { children.append(child) }
            cursor = link.pointee.next
        }
        for child in children.reversed() { add(child, parent: parent) }
    }

    /// Follows source pads through ghost pads to the element on the other side.
    private mutating func addLinks(of element: UnsafeMutablePointer<GstElement>, _ index: Int) {
        var cursor = element.pointee.srcpads
        while let link = cursor {
            defer { cursor = link.pointee.next }
            guard let pad = link.pointee.data?.assumingMemoryBound(to: GstPad.self),
                let peer = gst_pad_get_peer(pad)
            else { continue }
            defer { gst_object_unref(peer) }
            guard let owner = gst_pad_get_parent_element(peer) else { continue }
            defer { gst_object_unref(owner) }
            if let sink = pointers.firstIndex(of: owner) {
                links.insert(
                    Link(source: index, sourcePad: Self.name(of: pad), sink: sink, sinkPad: Self.name(of: peer)))
            }
        }
    }

    private static func name(of object: some Any) -> String {
        guard let pointer = object as? UnsafeMutablePointer<GstElement> else {
            guard let pad = object as? UnsafeMutablePointer<GstPad> else { return "" }
            return take(gst_object_get_name(UnsafeMutableRawPointer(pad).assumingMemoryBound(to: GstObject.self))) ?? ""
        }
        return take(gst_object_get_name(UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GstObject.self))) ?? ""
    }

    private static func factory(of element: UnsafeMutablePointer<GstElement>) -> String {
        guard let factory = gst_element_get_factory(element) else { return "" }
        return take(gst_object_get_name(UnsafeMutableRawPointer(factory).assumingMemoryBound(to: GstObject.self))) ?? ""
    }

    private static func take(_ text: UnsafeMutablePointer<CChar>?) -> String? {
        guard let text else { return nil }
        defer { g_free(text) }
        return String(cString: text)
    }
}
