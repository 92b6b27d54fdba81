#include "stopped_clock.h"

#include <gst/check/gsttestclock.h>
#include <gst/gst.h>

typedef struct {
    GstElement parent;
} StoppedClock;
typedef GstElementClass StoppedClockClass;

G_DEFINE_TYPE(StoppedClock, stopped_clock, GST_TYPE_ELEMENT)

static GstClock *provide(GstElement *element) {
    (void)element;
    /* Not at zero: the base time of a pipeline would be none. */
    return gst_test_clock_new_with_start_time(GST_SECOND);
}

static void stopped_clock_init(StoppedClock *self) { GST_OBJECT_FLAG_SET(self, GST_ELEMENT_FLAG_PROVIDE_CLOCK); }

static void stopped_clock_class_init(StoppedClockClass *class) {
    gst_element_class_set_static_metadata(class, "Stopped clock", "Generic", "Time that never passes", "the mediahost authors");
    class->provide_clock = provide;
}

static gpointer enroll(gpointer unused) {
    (void)unused;
    return GINT_TO_POINTER(gst_element_register(NULL, "stoppedclock", GST_RANK_NONE, stopped_clock_get_type()));
}

int mh_stopped_clock_register(void) {
    static GOnce once = G_ONCE_INIT;
    return g_once(&once, enroll, NULL) != NULL;
}
