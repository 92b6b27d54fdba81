internal import CGStreamer

/// What an element said on the bus, taken apart once at the edge.
public enum BusMessage: Sendable {
    case endOfStream
    case error(ElementReport)
    case warning(ElementReport)
    /// The pipeline itself (not one of its elements) reached a state.
    case stateChanged(old: PipelineState, new: PipelineState, pending: PipelineState?)
    /// Preroll or a state change of the whole pipeline is complete.
    case asyncDone
    case latencyChanged
    /// The pipeline's clock is gone; PAUSED and PLAYING again chooses another.
    case clockLost
    /// How full an element's queue is, in percent; of several in one bin that speaks for them, the emptiest, in the bin's name.
    case buffering(element: String, percent: Int)
    /// An element wants the pipeline in another state: its device is wanted elsewhere, or free again.
    case requestState(element: String, PipelineState)
    /// What an element has dropped to keep up, and what it has processed, since it started; nil where it does not count.
    case quality(element: String, processed: UInt64?, dropped: UInt64?)
    /// A segment that was sought for is over.
    case segmentDone
    /// An element lacks something that an application may have: a display, a GL context.
    case needContext(element: String, type: String)
    /// What `Bus.postMark` put there: everything that was said before it has been read.
    case mark(String)
    /// A type this house does not look into, by GStreamer's name for it.
    case other(String)

    /// An error or a warning in GStreamer's own words.
    public struct ElementReport: Error, Sendable, Equatable, CustomStringConvertible {
        /// The element's name, "filesrc0".
        public var element: String
        /// Its factory, "filesrc", where it has one.
        public var factory: String?
        /// "gst-resource-error-quark".
        public var domain: String
        public var code: Int
        public var text: String
        /// Where in the element's source, for bug reports.
        public var debug: String?

        /// The text, and what the element added for this case, as `No such file "/nowhere/clip.mp4"`: GStreamer puts that
        /// behind the first line of the debug text, and leaves only "Resource not found." in the text itself.
        public var explanation: String {
            guard let debug, let newline = debug.firstIndex(of: "\n") else { return text }
            let detail = debug[debug.index(after: newline)...].drop { $0.isWhitespace }
            return detail.isEmpty ? text : "\(text) \(detail)"
        }

        public var description: String { "\(element): \(text)" }
    }

    init(_ message: UnsafeMutablePointer<GstMessage>, pipeline: UnsafeMutablePointer<GstObject>?) {
        switch mh_gst_message_type(message) {
        case GST_MESSAGE_EOS: self = .endOfStream
        case GST_MESSAGE_ERROR: self = .error(ElementReport(message, parse: gst_message_parse_error))
        case GST_MESSAGE_WARNING: self = .warning(ElementReport(message, parse: gst_message_parse_warning))
        case GST_MESSAGE_STATE_CHANGED where mh_gst_message_source(message) == pipeline:
            var old = GST_STATE_NULL
            var new = GST_STATE_NULL
            var pending = GST_STATE_NULL
            gst_message_parse_state_changed(message, &old, &new, &pending)
            self = .stateChanged(
                old: PipelineState(old) ?? .null, new: PipelineState(new) ?? .null, pending: PipelineState(pending))
        case GST_MESSAGE_ASYNC_DONE: self = .asyncDone
        case GST_MESSAGE_LATENCY: self = .latencyChanged
        case GST_MESSAGE_CLOCK_LOST: self = .clockLost
        case GST_MESSAGE_BUFFERING:
            var percent: gint = 0
            gst_message_parse_buffering(message, &percent)
            self = .buffering(element: Self.speaker(of: message), percent: Int(percent))
        case GST_MESSAGE_REQUEST_STATE:
            var wanted = GST_STATE_NULL
            gst_message_parse_request_state(message, &wanted)
            self = .requestState(element: Self.source(of: message), PipelineState(wanted) ?? .null)
        case GST_MESSAGE_QOS:
            var format = GST_FORMAT_UNDEFINED
            var processed: guint64 = 0
            var dropped: guint64 = 0
            gst_message_parse_qos_stats(message, &format, &processed, &dropped)
            self = .quality(
                element: Self.source(of: message), processed: processed == .max ? nil : UInt64(processed),
                dropped: dropped == .max ? nil : UInt64(dropped))
        case GST_MESSAGE_SEGMENT_DONE: self = .segmentDone
        case GST_MESSAGE_NEED_CONTEXT:
            var type: UnsafePointer<CChar>?
            gst_message_parse_context_type(message, &type)
            self = .needContext(element: Self.source(of: message), type: borrowString(type) ?? "")
        case GST_MESSAGE_APPLICATION:
            self = .mark(gst_message_get_structure(message).flatMap { borrowString(gst_structure_get_name($0)) } ?? "")
        case let type: self = .other(borrowString(gst_message_type_get_name(type)) ?? "unknown")
        }
    }

    /// These post what the emptiest of their elements has posted, and of the others nothing, not even that they are full (1.22).
    private static let speakers: Set<String> = ["decodebin", "urisourcebin"]

    /// The outermost that speaks for the source of a message; else that itself.
    private static func speaker(of message: UnsafeMutablePointer<GstMessage>) -> String {
        var name = source(of: message)
        var next = mh_gst_message_source(message).flatMap { gst_object_get_parent($0) }
        while let object = next {
            if mh_gst_is_element(object) != 0 {
                let element = Element(retaining: mh_gst_element(object))
                if let factory = element.factoryName, speakers.contains(factory) { name = element.name }
            }
            next = gst_object_get_parent(object)
            gst_object_unref(object)
        }
        return name
    }

    fileprivate static func source(of message: UnsafeMutablePointer<GstMessage>) -> String {
        mh_gst_message_source(message).flatMap { takeString(gst_object_get_name($0)) } ?? "pipeline"
    }
}

extension BusMessage.ElementReport {
    init(
        _ message: UnsafeMutablePointer<GstMessage>,
        parse: (
            UnsafeMutablePointer<GstMessage>?, UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?,
            UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        ) -> Void
    ) {
        var failure: UnsafeMutablePointer<GError>?
        var debug: UnsafeMutablePointer<CChar>?
        parse(message, &failure, &debug)
        defer { g_clear_error(&failure) }
        let source = mh_gst_message_source(message)
        element = BusMessage.source(of: message)
        factory = source.flatMap { source -> String? in
            guard mh_gst_is_element(source) != 0 else { return nil }
            return Element(retaining: mh_gst_element(source)).factoryName
        }
        domain = failure.flatMap { borrowString(g_quark_to_string($0.pointee.domain)) } ?? ""
        code = Int(failure?.pointee.code ?? 0)
        text = failure.map { String(cString: $0.pointee.message) } ?? "unknown error"
        self.debug = takeString(debug)
    }
}
