/*
 * benchview: a sink that shows its buffers at their time, and writes down what a user would have seen or heard.
 *
 * With `trace`: "begin" when it starts, "first:PTS" for the first picture that is shown, also while it is paused; "right:NS" for the
 * first that is shown before its time is over, by its place in the clip, and "behind:NS", how long its time had begun. When it ends: "buffers:N", "wait:NS", the longest time from one buffer to the
 * next beyond the length of a buffer ("late:NS" as soon as it was over 2 ms), "jump:NS", the largest step between the end of one buffer and the beginning of the next in
 * running time, but for the seam of a loop, and "hole:NS", the same after the right picture. With `each`, then, too: "each:PTS" with the
 * time at which it came, for each buffer.
 */
#define _POSIX_C_SOURCE 200809L
#include "bench_probe.h"

#include <gst/base/gstbasesink.h>
#include <stdio.h>
#include <time.h>

typedef struct {
    GstBaseSink parent;
    gchar *trace;
    gboolean has_first, has_right, follows_right;
    guint64 seen;
    GstClockTime pts, end; /* of the last one: its time stamp, and its end in running time */
    gint64 shown;          /* when, monotonic */
    gint64 wait, jump, hole;
    GArray *each; /* of Coming; NULL where nobody asked */
} BenchView;
typedef GstBaseSinkClass BenchViewClass;

typedef struct {
    GstClockTime pts;
    gint64 time; /* monotonic */
} Coming;

G_DEFINE_TYPE(BenchView, bench_view, GST_TYPE_BASE_SINK)

enum { PROPERTY_TRACE = 1, PROPERTY_EACH };

static GstStaticPadTemplate template =
    GST_STATIC_PAD_TEMPLATE("sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);

static gint64 monotonic(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (gint64)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void tell(BenchView *self, const char *what, gint64 number) {
    char text[64];
    snprintf(text, sizeof text, "%s:%" G_GINT64_FORMAT, what, number);
    bench_trace(GST_ELEMENT(self), self->trace, text, 0);
}

static GstFlowReturn preroll(GstBaseSink *base, GstBuffer *buffer) {
    BenchView *self = (BenchView *)base;
    if (!self->has_first)
        tell(self, "first", (gint64)GST_BUFFER_PTS(buffer));
    self->has_first = TRUE;
    return GST_FLOW_OK;
}

/* How long ago its time began. */
static gint64 behind(GstBaseSink *base, GstClockTime begin) {
    GstClock *clock = gst_element_get_clock(GST_ELEMENT(base));
    if (clock == NULL)
        return 0;
    const GstClockTime now = gst_clock_get_time(clock) - gst_element_get_base_time(GST_ELEMENT(base));
    gst_object_unref(clock);
    return (gint64)now - (gint64)begin;
}

static GstFlowReturn render(GstBaseSink *base, GstBuffer *buffer) {
    BenchView *self = (BenchView *)base;
    const GstClockTime pts = GST_BUFFER_PTS(buffer), duration = GST_BUFFER_DURATION(buffer);
    const GstClockTime begin = gst_segment_to_running_time(&base->segment, GST_FORMAT_TIME, pts);
    const gint64 now = monotonic();
    if (self->each != NULL)
        g_array_append_val(self->each, ((Coming){pts, now}));
    preroll(base, buffer);
    const gint64 since = self->has_right ? 0 : behind(base, begin);
    if (!self->has_right && since < (gint64)duration) {
        self->has_right = TRUE;
        tell(self, "right", (gint64)gst_segment_to_stream_time(&base->segment, GST_FORMAT_TIME, pts));
        tell(self, "behind", since);
    }
    if (self->seen++ > 0 && pts >= self->pts) {
        const gint64 jump = ABS((gint64)begin - (gint64)self->end), wait = now - self->shown - (gint64)duration;
        self->jump = MAX(self->jump, jump);
        self->wait = MAX(self->wait, wait);
        if (wait > 2 * GST_MSECOND)
            tell(self, "late", wait);
        if (self->follows_right)
            self->hole = MAX(self->hole, jump);
    }
    self->follows_right = self->has_right;
    self->pts = pts;
    self->end = begin + duration;
    self->shown = now;
    return GST_FLOW_OK;
}

/* Pictures that are late are dropped, as by sinks that show them; sound is not. */
static gboolean set_caps(GstBaseSink *base, GstCaps *caps) {
    const gboolean is_video = g_str_has_prefix(gst_structure_get_name(gst_caps_get_structure(caps, 0)), "video/");
    gst_base_sink_set_max_lateness(base, is_video ? 20 * GST_MSECOND : -1);
    gst_base_sink_set_qos_enabled(base, is_video);
    return TRUE;
}

static gboolean start(GstBaseSink *base) {
    BenchView *self = (BenchView *)base;
    self->has_first = self->has_right = self->follows_right = FALSE;
    self->seen = 0;
    self->wait = self->jump = self->hole = 0;
    tell(self, "begin", 0);
    return TRUE;
}

static gboolean stop(GstBaseSink *base) {
    BenchView *self = (BenchView *)base;
    tell(self, "buffers", (gint64)self->seen);
    tell(self, "wait", self->wait);
    tell(self, "jump", self->jump);
    tell(self, "hole", self->hole);
    for (guint index = 0; self->each != NULL && index < self->each->len; index++) {
        const Coming *coming = &g_array_index(self->each, Coming, index);
        char text[64];
        snprintf(text, sizeof text, "each:%" G_GUINT64_FORMAT, coming->pts);
        bench_trace(GST_ELEMENT(self), self->trace, text, monotonic() - coming->time);
    }
    return TRUE;
}

static void set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec) {
    BenchView *self = (BenchView *)object;
    (void)spec;
    if (id == PROPERTY_TRACE) {
        g_free(self->trace);
        self->trace = g_value_dup_string(value);
    } else if (g_value_get_boolean(value) && self->each == NULL) {
        self->each = g_array_sized_new(FALSE, FALSE, sizeof(Coming), 4096);
    }
}

static void finalize(GObject *object) {
    BenchView *self = (BenchView *)object;
    g_free(self->trace);
    g_clear_pointer(&self->each, g_array_unref);
    G_OBJECT_CLASS(bench_view_parent_class)->finalize(object);
}

static void bench_view_init(BenchView *self) { (void)self; }

static void bench_view_class_init(BenchViewClass *class) {
    GstElementClass *element = GST_ELEMENT_CLASS(class);
    GObjectClass *object = G_OBJECT_CLASS(class);
    object->set_property = set_property;
    object->finalize = finalize;
    g_object_class_install_property(object, PROPERTY_TRACE,
                                    g_param_spec_string("trace", "trace", "where it says what was seen or heard", NULL,
                                                        G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS));
    g_object_class_install_property(object, PROPERTY_EACH,
                                    g_param_spec_boolean("each", "each", "whether it says when each buffer came", FALSE,
                                                         G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS));
    gst_element_class_add_static_pad_template(element, &template);
    gst_element_class_set_static_metadata(element, "Benchmark view", "Sink/Video", "Writes down what a user sees or hears",
                                          "the mediahost authors");
    class->set_caps = set_caps;
    class->start = start;
    class->stop = stop;
    class->preroll = preroll;
    class->render = render;
}
