/*
 * benchsrc: one encoded-looking buffer, sent again and again with new times. It allocates nothing per buffer, so that what
 * hangs on its pad is most of what there is to measure.
 */
#include "bench_probe.h"

#include <gst/base/gstpushsrc.h>

#define SIZE 1024

typedef struct {
    GstPushSrc parent;
    BenchProbeKind probe;
    gboolean installed;
    GstBuffer *buffer;
    guint64 count;
} BenchSource;
typedef GstPushSrcClass BenchSourceClass;

G_DEFINE_TYPE(BenchSource, bench_source, GST_TYPE_PUSH_SRC)

enum { PROPERTY_PROBE = 1 };

static GstStaticPadTemplate template = GST_STATIC_PAD_TEMPLATE(
    "src", GST_PAD_SRC, GST_PAD_ALWAYS,
    GST_STATIC_CAPS("video/x-h264, stream-format=(string)byte-stream, alignment=(string)au, "
                    "framerate=(fraction)1000/1"));

static GstFlowReturn create(GstPushSrc *base, GstBuffer **result) {
    BenchSource *self = (BenchSource *)base;
    if (self->buffer == NULL || GST_MINI_OBJECT_REFCOUNT_VALUE(self->buffer) != 1) {
        /* Somebody keeps the last one. */
        gst_clear_buffer(&self->buffer);
        self->buffer = gst_buffer_new_allocate(NULL, SIZE, NULL);
        gst_buffer_memset(self->buffer, 0, 0, SIZE);
    }
    GST_BUFFER_PTS(self->buffer) = self->count * GST_MSECOND;
    GST_BUFFER_DTS(self->buffer) = self->count * GST_MSECOND;
    GST_BUFFER_DURATION(self->buffer) = GST_MSECOND;
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

static void set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec) {
    (void)id, (void)spec;
    ((BenchSource *)object)->probe = (BenchProbeKind)g_value_get_int(value);
}

static void bench_source_init(BenchSource *self) { gst_base_src_set_format(GST_BASE_SRC(self), GST_FORMAT_TIME); }

static void bench_source_class_init(BenchSourceClass *class) {
    GstElementClass *element = GST_ELEMENT_CLASS(class);
    GObjectClass *object = G_OBJECT_CLASS(class);
    object->set_property = set_property;
    g_object_class_install_property(
        object, PROPERTY_PROBE,
        g_param_spec_int("probe", "probe", "0: none, 1: bare C probe, 2: C probe that does a tap's work", 0, 2, 0,
                         G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS));
    gst_element_class_add_static_pad_template(element, &template);
    gst_element_class_set_static_metadata(element, "Benchmark source", "Source", "Sends one buffer again and again",
                                          "the mediahost authors");
    GST_BASE_SRC_CLASS(class)->start = start;
    GST_BASE_SRC_CLASS(class)->stop = stop;
    class->create = create;
}
