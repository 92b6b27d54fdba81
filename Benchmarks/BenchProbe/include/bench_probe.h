/*
 * What the benchmarks put into the measured processes: a GStreamer plugin with a source that costs almost nothing, a
 * sink that is the meter, and the bare C pad probes that a tap is compared with; preloaded, it counts allocations, too.
 */
#ifndef BENCH_PROBE_H
#define BENCH_PROBE_H

#include <gst/gst.h>

/* Allocations of the calling thread so far. They are only counted where the library is preloaded. */
unsigned long bench_allocations(void);
gboolean bench_counts_allocations(void);

/* What hangs on the source's pad. */
typedef enum {
    BENCH_PROBE_NONE,
    BENCH_PROBE_BARE, /* counts, nothing else */
    BENCH_PROBE_WORK, /* what a tap must do at the least: running times, mapped bytes, a call through a table */
} BenchProbeKind;

void bench_probe_install(GstPad *pad, BenchProbeKind kind);

/* Adds the line "what monotonic-ns realtime-ns" to a file; without a path it does nothing. `ago`: ns since it happened. */
void bench_trace(GstElement *element, const gchar *path, const gchar *what, gint64 ago);

GType bench_source_get_type(void);
GType bench_sink_get_type(void);
GType bench_view_get_type(void);

#endif
