#include "cranked_clock.h"

#include <gst/check/gsttestclock.h>
#include <gst/gst.h>

typedef struct {
    GstElement parent;
} CrankedClock;
typedef GstElementClass CrankedClockClass;

G_DEFINE_TYPE(CrankedClock, cranked_clock, GST_TYPE_ELEMENT)

/* Written once, before the thread and any element. */
static GstClock *shared;

static GstClock *provide(GstElement *element) {
    (void)element;
    return gst_object_ref(shared);
}

static void cranked_clock_init(CrankedClock *self) { GST_OBJECT_FLAG_SET(self, GST_ELEMENT_FLAG_PROVIDE_CLOCK); }

static void cranked_clock_class_init(CrankedClockClass *class) {
    gst_element_class_set_static_metadata(class, "Cranked clock", "Generic", "Time passes as far as somebody waits",
                                          "the mediahost authors");
    class->provide_clock = provide;
}

/* `gst_test_clock_crank` would wait for ever for somebody who does not wait any longer. */
static void crank(GstTestClock *clock) {
    GstClockID next;
    if (!gst_test_clock_peek_next_pending_id(clock, &next))
        return;
    const GstClockTime due = gst_clock_id_get_time(next);
    gst_clock_id_unref(next);
    if (due > gst_clock_get_time(GST_CLOCK(clock)))
        gst_test_clock_set_time(clock, due);
    const GstClockID done = gst_test_clock_process_next_clock_id(clock);
    if (done != NULL)
        gst_clock_id_unref(done);
}

static gpointer crank_on(gpointer clock) {
    for (;;) {
        GList *pending = NULL;
        gst_test_clock_timed_wait_for_multiple_pending_ids(clock, 1, 1000, &pending);
        g_list_free_full(pending, (GDestroyNotify)gst_clock_id_unref);
        crank(clock);
    }
    return NULL;
}

static gpointer begin(gpointer unused) {
    (void)unused;
    /* Not at zero: the base time of a pipeline would be none. */
    shared = gst_test_clock_new_with_start_time(GST_SECOND);
    if (!gst_element_register(NULL, "crankedclock", GST_RANK_NONE, cranked_clock_get_type()))
        return NULL;
    g_thread_unref(g_thread_new("crank", crank_on, shared));
    return shared;
}

int mh_cranked_clock_begin(void) {
    static GOnce once = G_ONCE_INIT;
    return g_once(&once, begin, NULL) != NULL;
}
