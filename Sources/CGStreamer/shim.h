// GStreamer as Swift sees it: macros and varargs become inline functions, nothing else is added.
#pragma once
#include <gst/app/gstappsrc.h>
#include <gst/gst.h>
#include <gst/video/video-event.h>

static inline GstElement *mh_gst_element(void *object) { return GST_ELEMENT(object); }
static inline gboolean mh_gst_is_element(void *object) { return GST_IS_ELEMENT(object); }
static inline gboolean mh_gst_is_bin(void *object) { return GST_IS_BIN(object); }
static inline gboolean mh_gst_is_pipeline(void *object) { return GST_IS_PIPELINE(object); }
