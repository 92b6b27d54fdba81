import CGStreamer
import GStreamerKit

extension Element {
    /// Tells its pipeline of an error, as an element does whose device is gone.
    func fail() {
        let error = g_error_new_literal(gst_stream_error_quark(), gint(GST_STREAM_ERROR_FAILED.rawValue), "broken")
        defer { g_error_free(error) }
        let message = gst_message_new_error(raw.assumingMemoryBound(to: GstObject.self), error, nil)
        gst_element_post_message(raw.assumingMemoryBound(to: GstElement.self), message)
    }
}
