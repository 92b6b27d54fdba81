/* The GStreamer plugin. Its name must be the library's. */
#define PACKAGE "mediahost-bench"
#include "bench_probe.h"

static gboolean plugin_init(GstPlugin *plugin) {
    return gst_element_register(plugin, "benchsrc", GST_RANK_NONE, bench_source_get_type()) &&
           gst_element_register(plugin, "benchsink", GST_RANK_NONE, bench_sink_get_type()) &&
           gst_element_register(plugin, "benchview", GST_RANK_NONE, bench_view_get_type());
}

GST_PLUGIN_DEFINE(GST_VERSION_MAJOR, GST_VERSION_MINOR, BenchProbe, "What the benchmarks measure with", plugin_init, "0",
                  "MIT/X11", "mediahost", "https://example.invalid/mediahost")
