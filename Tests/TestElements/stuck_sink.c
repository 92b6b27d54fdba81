#include "stuck_sink.h"

#include <gst/base/gstbasesink.h>
#include <gst/gst.h>
#include <pthread.h>

typedef struct {
    GstBaseSink parent;
    // of pthreads, which ThreadSanitizer knows: it does not see into those of GLib
    pthread_mutex_t lock;
    pthread_cond_t changed;
    gboolean goes;
    gboolean at_start;
} StuckSink;
typedef GstBaseSinkClass StuckSinkClass;

G_DEFINE_TYPE(StuckSink, stuck_sink, GST_TYPE_BASE_SINK)

static gboolean hang(GstBaseSink *sink, gboolean at_start) {
    StuckSink *self = (StuckSink *)sink;
    pthread_mutex_lock(&self->lock);
    while (!self->goes && self->at_start == at_start) pthread_cond_wait(&self->changed, &self->lock);
    pthread_mutex_unlock(&self->lock);
    return TRUE;
}

static gboolean start(GstBaseSink *sink) { return hang(sink, TRUE); }

static gboolean stop(GstBaseSink *sink) { return hang(sink, FALSE); }

static void stuck_sink_init(StuckSink *self) {
    pthread_mutex_init(&self->lock, NULL);
    pthread_cond_init(&self->changed, NULL);
}

static void finalize(GObject *object) {
    StuckSink *self = (StuckSink *)object;
    pthread_mutex_destroy(&self->lock);
    pthread_cond_destroy(&self->changed);
    G_OBJECT_CLASS(stuck_sink_parent_class)->finalize(object);
}

static void stuck_sink_class_init(StuckSinkClass *class) {
    static GstStaticPadTemplate all = GST_STATIC_PAD_TEMPLATE("sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);
    gst_element_class_add_static_pad_template(GST_ELEMENT_CLASS(class), &all);
    gst_element_class_set_static_metadata(GST_ELEMENT_CLASS(class), "Stuck sink", "Sink/Video",
                                          "A display that does not answer", "the mediahost authors");
    G_OBJECT_CLASS(class)->finalize = finalize;
    class->start = start;
    class->stop = stop;
}

static gpointer enroll(gpointer unused) {
    (void)unused;
    return GINT_TO_POINTER(gst_element_register(NULL, "stucksink", GST_RANK_NONE, stuck_sink_get_type()));
}

int mh_stuck_sink_register(void) {
    static GOnce once = G_ONCE_INIT;
    return g_once(&once, enroll, NULL) != NULL;
}

void mh_stuck_sink_hang_at_start(void *element) {
    StuckSink *self = element;
    pthread_mutex_lock(&self->lock);
    self->at_start = TRUE;
    pthread_mutex_unlock(&self->lock);
}

void mh_stuck_sink_let_go(void *element) {
    StuckSink *self = element;
    pthread_mutex_lock(&self->lock);
    self->goes = TRUE;
    pthread_cond_broadcast(&self->changed);
    pthread_mutex_unlock(&self->lock);
}
