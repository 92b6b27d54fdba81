internal import CGStreamer

extension Pipeline {
    /// How much a graph says.
    public enum GraphDetail: Sendable {
        /// Elements, the properties that were set, and links: for a pipeline that negotiated nothing yet, whose pads could
        /// be almost anything.
        case structure
        /// The caps of every pad and the state of every element, too.
        case everything
    }

    /// The pipeline in graphviz's language, as it is now; nil where GStreamer was built without its debugging.
    ///
    /// It asks every element for its properties, and one that is stuck with its lock held makes it wait.
    /// - Thread: worker; never streaming.
    public func graph(_ detail: GraphDetail) -> String? {
        let details =
            switch detail {
            case .structure: GST_DEBUG_GRAPH_SHOW_MEDIA_TYPE.rawValue | GST_DEBUG_GRAPH_SHOW_NON_DEFAULT_PARAMS.rawValue
            case .everything: GST_DEBUG_GRAPH_SHOW_ALL.rawValue
            }
        let bin = UnsafeMutableRawPointer(element.pointer).assumingMemoryBound(to: GstBin.self)
        return takeString(gst_debug_bin_to_dot_data(bin, GstDebugGraphDetails(rawValue: details)))
    }
}
