/* The bare C pad probes. */
#include "bench_probe.h"

typedef struct {
    guint64 buffers;
} bare;

static GstPadProbeReturn bare_probe(GstPad *pad, GstPadProbeInfo *info, gpointer context) {
    (void)pad, (void)info;
    ((bare *)context)->buffers++;
    return GST_PAD_PROBE_OK;
}

typedef struct {
    const guint8 *data;
    gsize size;
    gint64 pts, dts;
    guint32 flags;
} view;

typedef struct work {
    GMutex lock; /* a detach comes from another thread */
    GstSegment segment;
    void (*buffer)(struct work *self, const view *buffer);
    guint64 buffers, bytes;
} work;

static void work_buffer(work *self, const view *buffer) {
    self->buffers++;
    self->bytes += buffer->size;
}

static gint64 running_time(const GstSegment *segment, GstClockTime time) {
    guint64 result = 0;
    if (!GST_CLOCK_TIME_IS_VALID(time))
        return G_MININT64;
    int sign = gst_segment_to_running_time_full(segment, GST_FORMAT_TIME, time, &result);
    return sign == 0 ? G_MININT64 : sign * (gint64)result;
}

static GstPadProbeReturn work_probe(GstPad *pad, GstPadProbeInfo *info, gpointer context) {
    work *self = context;
    (void)pad;
    g_mutex_lock(&self->lock);
    if (info->type & GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) {
        if (GST_EVENT_TYPE(GST_PAD_PROBE_INFO_EVENT(info)) == GST_EVENT_SEGMENT)
            gst_event_copy_segment(GST_PAD_PROBE_INFO_EVENT(info), &self->segment);
    } else if (info->type & GST_PAD_PROBE_TYPE_BUFFER) {
        GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER(info);
        GstMapInfo map;
        if (gst_buffer_map(buffer, &map, GST_MAP_READ)) {
            view shown = {
                .data = map.data,
                .size = map.size,
                .pts = running_time(&self->segment, GST_BUFFER_PTS(buffer)),
                .dts = running_time(&self->segment, GST_BUFFER_DTS(buffer)),
                .flags = GST_BUFFER_FLAGS(buffer),
            };
            self->buffer(self, &shown);
            gst_buffer_unmap(buffer, &map);
        }
    }
    g_mutex_unlock(&self->lock);
    return GST_PAD_PROBE_OK;
}

static void work_free(gpointer context) {
    g_mutex_clear(&((work *)context)->lock);
    g_free(context);
}

void bench_probe_install(GstPad *pad, BenchProbeKind kind) {
    const GstPadProbeType data = GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST;
    if (kind == BENCH_PROBE_BARE) {
        gst_pad_add_probe(pad, data, bare_probe, g_new0(bare, 1), g_free);
    } else if (kind == BENCH_PROBE_WORK) {
        work *self = g_new0(work, 1);
        g_mutex_init(&self->lock);
        gst_segment_init(&self->segment, GST_FORMAT_TIME);
        self->buffer = work_buffer;
        gst_pad_add_probe(pad, data | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, work_probe, self, work_free);
    }
}
