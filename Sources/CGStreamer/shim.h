// GStreamer as Swift sees it: macros and varargs become inline functions, nothing else is added.
#pragma once
#include <gst/app/gstappsrc.h>
#include <gst/gst.h>
#include <gst/video/video-event.h>

static inline GstElement *mh_gst_element(void *object) { return GST_ELEMENT(object); }
static inline gboolean mh_gst_is_element(void *object) { return GST_IS_ELEMENT(object); }
static inline gboolean mh_gst_is_bin(void *object) { return GST_IS_BIN(object); }
static inline gboolean mh_gst_is_pipeline(void *object) { return GST_IS_PIPELINE(object); }

static inline GstMessageType mh_gst_message_type(GstMessage *message) { return GST_MESSAGE_TYPE(message); }
static inline GstObject *mh_gst_message_source(GstMessage *message) { return GST_MESSAGE_SRC(message); }
static inline GstEventType mh_gst_event_type(GstEvent *event) { return GST_EVENT_TYPE(event); }
static inline GstPadProbeType mh_gst_probe_data(void) {
    return (GstPadProbeType)(GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST);
}
static inline guint32 mh_gst_buffer_flags(GstBuffer *buffer) { return GST_BUFFER_FLAGS(buffer); }
static inline gint mh_gst_refcount(void *object) { return GST_OBJECT_REFCOUNT_VALUE(object); }
static inline gint mh_gst_mini_refcount(void *object) { return GST_MINI_OBJECT_REFCOUNT_VALUE(object); }
static inline void mh_gst_set_string(GObject *object, const gchar *property, const gchar *text) {
    gst_util_set_object_arg(object, property, text);
}
static inline gboolean mh_gst_is_app_src(void *object) { return GST_IS_APP_SRC(object); }
static inline void mh_gst_buffer_mark_delta(GstBuffer *buffer) { GST_BUFFER_FLAG_SET(buffer, GST_BUFFER_FLAG_DELTA_UNIT); }

static inline GType mh_gst_type_object(void) { return GST_TYPE_OBJECT; }
// The text of a string value, borrowed from it; NULL for other types and for NULL.
static inline const gchar *mh_gst_value_string(const GValue *value) {
    return G_VALUE_HOLDS_STRING(value) ? g_value_get_string(value) : NULL;
}
