#include "failing_pad.h"

#include <gst/gst.h>

static GstPadProbeReturn comes(GstPad *pad, GstPadProbeInfo *info, gpointer data) {
    (void)data;
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

int mh_failing_pad_use(void *pad) {
    return gst_pad_add_probe(GST_PAD(pad), GST_PAD_PROBE_TYPE_BUFFER, comes, NULL, NULL) != 0;
}
