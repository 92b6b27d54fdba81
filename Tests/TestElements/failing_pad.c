#include "failing_pad.h"

#include <gst/gst.h>

static GstPadProbeReturn comes(GstPad *pad, GstPadProbeInfo *info, gpointer left) {
    if (!g_atomic_int_dec_and_test((gint *)left)) return GST_PAD_PROBE_OK;
    GstElement *element = gst_pad_get_parent_element(pad);
    if (element != NULL) {
        GST_ELEMENT_ERROR(element, STREAM, FAILED, ("It fails as a test wants."), (NULL));
        gst_object_unref(element);
    }
    /* Who handles a buffer owns it, and says what becomes of the stream. */
    gst_buffer_unref(GST_PAD_PROBE_INFO_BUFFER(info));
    GST_PAD_PROBE_INFO_DATA(info) = NULL;
    GST_PAD_PROBE_INFO_FLOW_RETURN(info) = GST_FLOW_ERROR;
    return GST_PAD_PROBE_HANDLED;
}

int mh_failing_pad_after(void *pad, int buffers) {
    gint *left = g_new(gint, 1);
    *left = buffers;
    return gst_pad_add_probe(GST_PAD(pad), GST_PAD_PROBE_TYPE_BUFFER, comes, left, g_free) != 0;
}
