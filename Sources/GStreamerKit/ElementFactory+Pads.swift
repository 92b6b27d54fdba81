internal import CGStreamer

extension ElementFactory {
    /// The kinds of pads its elements have, or nil where there is no such element. Loads nothing.
    /// - Thread: any.
    public static func padTemplates(of factory: String) -> [PadTemplate]? {
        guard let found = gst_element_factory_find(factory) else { return nil }
        defer { gst_object_unref(UnsafeMutableRawPointer(found)) }
        var templates: [PadTemplate] = []
        var cursor = UnsafePointer(gst_element_factory_get_static_pad_templates(found))
        while let link = cursor {
            if let template = link.pointee.data?.assumingMemoryBound(to: GstStaticPadTemplate.self),
                let name = borrowString(template.pointee.name_template),
                let caps = gst_static_pad_template_get_caps(template)
            {
                let presence: PadTemplate.Presence =
                    switch template.pointee.presence {
                    case GST_PAD_SOMETIMES: .sometimes
                    case GST_PAD_REQUEST: .request
                    default: .always
                    }
                templates.append(
                    PadTemplate(
                        name: name, direction: template.pointee.direction == GST_PAD_SRC ? .source : .sink,
                        presence: presence, caps: Caps(adopting: caps)))
            }
            cursor = UnsafePointer(link.pointee.next)
        }
        return templates
    }

    /// The element that GStreamer makes for a URI, or nil where none can. Makes an element.
    /// - Thread: any.
    public static func factory(forURI uri: String, isSink: Bool) -> String? {
        guard let element = gst_element_make_from_uri(isSink ? GST_URI_SINK : GST_URI_SRC, uri, nil, nil) else {
            return nil
        }
        gst_object_ref_sink(element)
        defer { gst_object_unref(element) }
        guard let factory = gst_element_get_factory(element) else { return nil }
        return takeString(gst_object_get_name(UnsafeMutableRawPointer(factory).assumingMemoryBound(to: GstObject.self)))
    }

    /// The plugin that brings it, "coreelements".
    public static func plugin(of factory: String) -> String? {
        guard let found = gst_element_factory_find(factory) else { return nil }
        defer { gst_object_unref(UnsafeMutableRawPointer(found)) }
        return borrowString(gst_plugin_feature_get_plugin_name(found))
    }
}
