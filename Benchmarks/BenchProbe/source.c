/*
 * benchsrc: one encoded-looking buffer, sent again and again with new times. It allocates nothing per buffer, so that what
 * hangs on its pad is most of what there is to measure.
 *
 * With `period` it sends one buffer in that many nanoseconds; after `stop-after` of them it falls silent, without EOS,
 * and writes to `trace` when the last one left it.
 */
#include "bench_probe.h"

#include <gst/base/gstpushsrc.h>

#define SIZE 1024

typedef struct {
    GstPushSrc parent;
    BenchProbeKind probe;
    gboolean installed;
    GstBuffer *buffer;
    guint64 count, period, stop_after;
    gchar *trace;
    gint64 began, last; /* monotonic, microseconds */
    /* Guards the two below; a leaf. */
    GMutex lock;
    GCond change;
    gboolean flushing;
} BenchSource;
typedef GstPushSrcClass BenchSourceClass;

G_DEFINE_TYPE(BenchSource, bench_source, GST_TYPE_PUSH_SRC)

enum { PROPERTY_PROBE = 1, PROPERTY_PERIOD, PROPERTY_STOP_AFTER, PROPERTY_TRACE };

static GstStaticPadTemplate template = GST_STATIC_PAD_TEMPLATE(
    "src", GST_PAD_SRC, GST_PAD_ALWAYS,
    GST_STATIC_CAPS("video/x-h264, stream-format=(string)byte-stream, alignment=(string)au, "
                    "framerate=(fraction)1000/1"));

/* False where it is told to stop meanwhile. A time of 0 never comes. */
static gboolean wait_until(BenchSource *self, gint64 time) {
    gboolean in_time = TRUE;
    g_mutex_lock(&self->lock);
    while (!self->flushing && in_time) {
        if (time == 0)
            g_cond_wait(&self->change, &self->lock);
        else
            in_time = g_cond_wait_until(&self->change, &self->lock, time);
    }
    gboolean goes_on = !self->flushing;
    g_mutex_unlock(&self->lock);
    return goes_on;
}

static GstFlowReturn create(GstPushSrc *base, GstBuffer **result) {
    BenchSource *self = (BenchSource *)base;
    if (self->stop_after > 0 && self->count >= self->stop_after) {
        bench_trace(GST_ELEMENT(self), self->trace, "last", (g_get_monotonic_time() - self->last) * 1000);
        wait_until(self, 0);
        return GST_FLOW_FLUSHING;
    }
    if (self->period > 0) {
        if (self->count == 0)
            self->began = g_get_monotonic_time();
        if (!wait_until(self, self->began + (gint64)(self->count * self->period / 1000)))
            return GST_FLOW_FLUSHING;
        self->last = g_get_monotonic_time();
    }
    const GstClockTime length = self->period > 0 ? self->period : GST_MSECOND;
    if (self->buffer == NULL || GST_MINI_OBJECT_REFCOUNT_VALUE(self->buffer) != 1) {
        /* Somebody keeps the last one. */
        gst_clear_buffer(&self->buffer);
        self->buffer = gst_buffer_new_allocate(NULL, SIZE, NULL);
        gst_buffer_memset(self->buffer, 0, 0, SIZE);
    }
    GST_BUFFER_PTS(self->buffer) = self->count * length;
    GST_BUFFER_DTS(self->buffer) = self->count * length;
    GST_BUFFER_DURATION(self->buffer) = length;
    if (self->count++ > 0)
        GST_BUFFER_FLAG_SET(self->buffer, GST_BUFFER_FLAG_DELTA_UNIT);
    *result = gst_buffer_ref(self->buffer);
    return GST_FLOW_OK;
}

static gboolean start(GstBaseSrc *base) {
    BenchSource *self = (BenchSource *)base;
    self->count = 0;
    if (!self->installed)
        bench_probe_install(GST_BASE_SRC_PAD(base), self->probe);
    self->installed = TRUE;
    return TRUE;
}

static gboolean stop(GstBaseSrc *base) {
    gst_clear_buffer(&((BenchSource *)base)->buffer);
    return TRUE;
}

static void set_flushing(BenchSource *self, gboolean flushing) {
    g_mutex_lock(&self->lock);
    self->flushing = flushing;
    g_cond_signal(&self->change);
    g_mutex_unlock(&self->lock);
}

static gboolean unlock(GstBaseSrc *base) {
    set_flushing((BenchSource *)base, TRUE);
    return TRUE;
}

static gboolean unlock_stop(GstBaseSrc *base) {
    set_flushing((BenchSource *)base, FALSE);
    return TRUE;
}

static void set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec) {
    BenchSource *self = (BenchSource *)object;
    (void)spec;
    if (id == PROPERTY_PERIOD) {
        self->period = g_value_get_uint64(value);
    } else if (id == PROPERTY_STOP_AFTER) {
        self->stop_after = g_value_get_uint64(value);
    } else if (id == PROPERTY_TRACE) {
        g_free(self->trace);
        self->trace = g_value_dup_string(value);
    } else {
        self->probe = (BenchProbeKind)g_value_get_int(value);
    }
}

static void finalize(GObject *object) {
    BenchSource *self = (BenchSource *)object;
    g_free(self->trace);
    g_mutex_clear(&self->lock);
    g_cond_clear(&self->change);
    G_OBJECT_CLASS(bench_source_parent_class)->finalize(object);
}

static void bench_source_init(BenchSource *self) {
    g_mutex_init(&self->lock);
    g_cond_init(&self->change);
    gst_base_src_set_format(GST_BASE_SRC(self), GST_FORMAT_TIME);
}

static void bench_source_class_init(BenchSourceClass *class) {
    GstElementClass *element = GST_ELEMENT_CLASS(class);
    GObjectClass *object = G_OBJECT_CLASS(class);
    const GParamFlags flags = G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS;
    object->set_property = set_property;
    object->finalize = finalize;
    g_object_class_install_property(
        object, PROPERTY_PERIOD,
        g_param_spec_uint64("period", "period", "ns from buffer to buffer, 0: no waiting", 0, G_MAXUINT64, 0, flags));
    g_object_class_install_property(object, PROPERTY_STOP_AFTER,
                                    g_param_spec_uint64("stop-after", "stop after",
                                                        "falls silent after so many buffers, 0: never", 0, G_MAXUINT64,
                                                        0, flags));
    g_object_class_install_property(
        object, PROPERTY_TRACE, g_param_spec_string("trace", "trace", "where it says what happened", NULL, flags));
    g_object_class_install_property(
        object, PROPERTY_PROBE,
        g_param_spec_int("probe", "probe", "0: none, 1: bare C probe, 2: C probe that does a tap's work", 0, 2, 0,
                         flags));
    gst_element_class_add_static_pad_template(element, &template);
    gst_element_class_set_static_metadata(element, "Benchmark source", "Source", "Sends one buffer again and again",
                                          "the mediahost authors");
    GST_BASE_SRC_CLASS(class)->start = start;
    GST_BASE_SRC_CLASS(class)->stop = stop;
    GST_BASE_SRC_CLASS(class)->unlock = unlock;
    GST_BASE_SRC_CLASS(class)->unlock_stop = unlock_stop;
    class->create = create;
}
