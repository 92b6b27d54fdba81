/*
 * benchsink: the meter. Reads the clocks of the streaming thread at buffer `first` and at buffer `last`, and writes the
 * differences to `report` when the stream ends.
 *
 * With `trace` it writes down when its first buffer came, when it failed, at buffer `error-after`, and each time that no buffer
 * came for longer than `silence`.
 */
#define _POSIX_C_SOURCE 200809L
#include "bench_probe.h"

#include <gst/base/gstbasesink.h>
#include <stdio.h>
#include <time.h>

typedef struct {
    gint64 cpu, wall;
    unsigned long allocations;
} reading;

typedef struct {
    GstBaseSink parent;
    gchar *report, *trace;
    guint64 first, last, error_after, silence, seen;
    gint64 latest; /* monotonic, nanoseconds */
    reading begin, end;
} BenchSink;
typedef GstBaseSinkClass BenchSinkClass;

G_DEFINE_TYPE(BenchSink, bench_sink, GST_TYPE_BASE_SINK)

enum { PROPERTY_REPORT = 1, PROPERTY_FIRST, PROPERTY_LAST, PROPERTY_TRACE, PROPERTY_ERROR_AFTER, PROPERTY_SILENCE };

static GstStaticPadTemplate template =
    GST_STATIC_PAD_TEMPLATE("sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);

static gint64 now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (gint64)time.tv_sec * 1000000000 + time.tv_nsec;
}

static reading take(void) {
    return (reading){now(CLOCK_THREAD_CPUTIME_ID), now(CLOCK_MONOTONIC), bench_allocations()};
}

static GstFlowReturn render(GstBaseSink *base, GstBuffer *buffer) {
    BenchSink *self = (BenchSink *)base;
    (void)buffer;
    self->seen++;
    if (self->seen == 1)
        bench_trace(GST_ELEMENT(self), self->trace, "first", 0);
    if (self->silence > 0) {
        const gint64 time = now(CLOCK_MONOTONIC);
        if (self->seen > 1 && (guint64)(time - self->latest) > self->silence)
            bench_trace(GST_ELEMENT(self), self->trace, "silence", time - self->latest);
        self->latest = time;
    }
    if (self->seen == self->error_after) {
        bench_trace(GST_ELEMENT(self), self->trace, "error", 0);
        GST_ELEMENT_ERROR(self, RESOURCE, FAILED, ("failed as asked"), (NULL));
        return GST_FLOW_ERROR;
    }
    if (self->seen == self->first)
        self->begin = take();
    if (self->seen == self->last)
        self->end = take();
    return GST_FLOW_OK;
}

static gboolean start(GstBaseSink *base) {
    ((BenchSink *)base)->seen = 0;
    return TRUE;
}

/* A silence that only the pipeline's end has ended. */
static gboolean stop(GstBaseSink *base) {
    BenchSink *self = (BenchSink *)base;
    const gint64 silent = now(CLOCK_MONOTONIC) - self->latest;
    if (self->silence > 0 && self->seen > 0 && (guint64)silent > self->silence)
        bench_trace(GST_ELEMENT(self), self->trace, "silence", silent);
    return TRUE;
}

static void write_report(const BenchSink *self) {
    if (self->report == NULL)
        return;
    FILE *file = fopen(self->report, "w");
    if (file == NULL) {
        GST_ELEMENT_ERROR(self, RESOURCE, OPEN_WRITE, ("cannot write the report to %s", self->report), (NULL));
        return;
    }
    long allocations = bench_counts_allocations() ? (long)(self->end.allocations - self->begin.allocations) : -1;
    fprintf(file, "%" G_GUINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %ld\n", self->last - self->first,
            self->end.cpu - self->begin.cpu, self->end.wall - self->begin.wall, allocations);
    fclose(file);
}

static gboolean event(GstBaseSink *base, GstEvent *event) {
    if (GST_EVENT_TYPE(event) == GST_EVENT_EOS && ((BenchSink *)base)->seen >= ((BenchSink *)base)->last)
        write_report((BenchSink *)base);
    return GST_BASE_SINK_CLASS(bench_sink_parent_class)->event(base, event);
}

static void set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec) {
    BenchSink *self = (BenchSink *)object;
    (void)spec;
    if (id == PROPERTY_REPORT) {
        g_free(self->report);
        self->report = g_value_dup_string(value);
    } else if (id == PROPERTY_TRACE) {
        g_free(self->trace);
        self->trace = g_value_dup_string(value);
    } else if (id == PROPERTY_FIRST) {
        self->first = g_value_get_uint64(value);
    } else if (id == PROPERTY_ERROR_AFTER) {
        self->error_after = g_value_get_uint64(value);
    } else if (id == PROPERTY_SILENCE) {
        self->silence = g_value_get_uint64(value);
    } else {
        self->last = g_value_get_uint64(value);
    }
}

static void finalize(GObject *object) {
    g_free(((BenchSink *)object)->report);
    g_free(((BenchSink *)object)->trace);
    G_OBJECT_CLASS(bench_sink_parent_class)->finalize(object);
}

static void bench_sink_init(BenchSink *self) {
    gst_base_sink_set_sync(GST_BASE_SINK(self), FALSE);
    gst_base_sink_set_last_sample_enabled(GST_BASE_SINK(self), FALSE);
}

static void bench_sink_class_init(BenchSinkClass *class) {
    const GParamFlags flags = G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS;
    GstElementClass *element = GST_ELEMENT_CLASS(class);
    GObjectClass *object = G_OBJECT_CLASS(class);
    object->set_property = set_property;
    object->finalize = finalize;
    g_object_class_install_property(object, PROPERTY_REPORT,
                                    g_param_spec_string("report", "report", "where the figures go", NULL, flags));
    g_object_class_install_property(
        object, PROPERTY_FIRST,
        g_param_spec_uint64("first", "first", "the buffer where measuring begins", 1, G_MAXUINT64, 1, flags));
    g_object_class_install_property(
        object, PROPERTY_LAST,
        g_param_spec_uint64("last", "last", "the buffer where measuring ends", 1, G_MAXUINT64, 1, flags));
    g_object_class_install_property(
        object, PROPERTY_TRACE, g_param_spec_string("trace", "trace", "where it says what happened", NULL, flags));
    g_object_class_install_property(object, PROPERTY_ERROR_AFTER,
                                    g_param_spec_uint64("error-after", "error after",
                                                        "the buffer where it fails, 0: never", 0, G_MAXUINT64, 0, flags));
    g_object_class_install_property(
        object, PROPERTY_SILENCE,
        g_param_spec_uint64("silence", "silence", "ns without a buffer that are written down, 0: none", 0, G_MAXUINT64, 0,
                            flags));
    gst_element_class_add_static_pad_template(element, &template);
    gst_element_class_set_static_metadata(element, "Benchmark sink", "Sink", "Measures its streaming thread",
                                          "the mediahost authors");
    class->start = start;
    class->stop = stop;
    class->render = render;
    class->event = event;
}
