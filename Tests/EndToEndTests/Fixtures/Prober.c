/* A plugin on GStreamer's own objects: a probe of its own on the pad that its config names an element for, in every build. */
#include "fixture.h"

#include <gst/gst.h>
#include <stdatomic.h>
#include <stdio.h>

static const mh_host_1 *host;
static GstElement *source;
static gulong probe;
static atomic_int buffers;

static void say(const char *what, mh_str_1 pipeline, int count) {
    const mh_log_ext_1 *log = host->get_extension(host, text(MH_EXT_LOG));
    char line[128];
    snprintf(line, sizeof line, "%s %.*s%s", what, (int)pipeline.len, pipeline.ptr, count > 0 ? " with buffers" : "");
    if (log != NULL) log->write(host, MH_LOG_NOTICE, text(line));
}

static GstPadProbeReturn passes(GstPad *pad, GstPadProbeInfo *info, gpointer data) {
    (void)pad, (void)info, (void)data;
    atomic_fetch_add(&buffers, 1);
    return GST_PAD_PROBE_OK;
}

static void built(const mh_plugin_1 *plugin, mh_str_1 name, void *pipeline) {
    (void)plugin;
    void *element = NULL;
    const mh_gst_host_1 *gst = host->get_extension(host, text(MH_EXT_GST));
    if (gst == NULL || !GST_IS_PIPELINE(pipeline) || gst->element(host, text("camera/source"), &element) != MH_OK) return;
    source = GST_ELEMENT(element);
    GstPad *pad = gst_element_get_static_pad(source, "src");
    atomic_store(&buffers, 0);
    probe = gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, passes, NULL, NULL);
    gst_object_unref(pad);
    say("built", name, 0);
}

static void released(const mh_plugin_1 *plugin, mh_str_1 name, void *pipeline) {
    (void)plugin;
    GstPad *pad = gst_element_get_static_pad(source, "src");
    gst_pad_remove_probe(pad, probe);
    gst_object_unref(pad);
    gst_object_unref(source);
    source = NULL;
    say(GST_IS_PIPELINE(pipeline) ? "released" : "lost", name, atomic_load(&buffers));
}

FIXTURE_SEES_PIPELINES(built, released)

static const mh_descriptor_1 about = {
    .id = "org.example.prober",
    .name = "Prober",
    .vendor = "a test",
    .version = "1.0.0",
    .license = "MIT",
    .summary = "Puts probes of its own on pads.",
    .requires_ext = needs,
};

FIXTURE_CREATE(no_init, host)
