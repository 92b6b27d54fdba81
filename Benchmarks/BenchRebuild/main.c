/*
 * BenchRebuild COUNT LAUNCH: what a recovery costs at the least. A pipeline that is thrown away and parsed again for each
 * of COUNT errors, with nothing else around it.
 */
#include <gst/gst.h>
#include <stdio.h>
#include <stdlib.h>

static GstElement *play(const char *launch) {
    GError *failure = NULL;
    GstElement *pipeline = gst_parse_launch(launch, &failure);
    if (failure != NULL) {
        fprintf(stderr, "BenchRebuild: error: %s\n", failure->message);
        exit(1);
    }
    gst_element_set_state(pipeline, GST_STATE_PLAYING);
    return pipeline;
}

static void end(GstElement *pipeline) {
    gst_element_set_state(pipeline, GST_STATE_NULL);
    gst_object_unref(pipeline);
}

/* False: it ended without an error. */
static gboolean wait_for_error(GstElement *pipeline) {
    GstBus *bus = gst_element_get_bus(pipeline);
    GstMessage *message = gst_bus_timed_pop_filtered(bus, 20 * GST_SECOND, GST_MESSAGE_ERROR | GST_MESSAGE_EOS);
    gboolean found = message != NULL && GST_MESSAGE_TYPE(message) == GST_MESSAGE_ERROR;
    g_clear_pointer(&message, gst_message_unref);
    gst_object_unref(bus);
    return found;
}

int main(int count, char **arguments) {
    if (count != 3) {
        fprintf(stderr, "usage: BenchRebuild COUNT LAUNCH\n");
        return 2;
    }
    gst_init(NULL, NULL);
    GstElement *pipeline = play(arguments[2]);
    for (long left = strtol(arguments[1], NULL, 10); left > 0; left--) {
        if (!wait_for_error(pipeline)) {
            fprintf(stderr, "BenchRebuild: error: no error came\n");
            return 1;
        }
        end(pipeline);
        pipeline = play(arguments[2]);
    }
    /* The last one that was built fails, too: then its first buffer has been seen. */
    wait_for_error(pipeline);
    end(pipeline);
    return 0;
}
