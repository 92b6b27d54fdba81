// GStreamer as Swift sees it: macros and varargs become inline functions, nothing else is added.
#pragma once
#include <gst/app/gstappsink.h>
#include <gst/app/gstappsrc.h>
#include <gst/base/gstbasesink.h>
#include <gst/base/gstbasesrc.h>
#include <gst/gst.h>
#include <gst/video/video.h>
#include <sched.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static inline GstElement *mh_gst_element(void *object) { return GST_ELEMENT(object); }
static inline gboolean mh_gst_is_element(void *object) { return GST_IS_ELEMENT(object); }
static inline gboolean mh_gst_is_bin(void *object) { return GST_IS_BIN(object); }
static inline gboolean mh_gst_is_pipeline(void *object) { return GST_IS_PIPELINE(object); }

// What its server calls a device, where its class has a property for that; free it with g_free.
static inline gchar *mh_gst_device_internal_name(GstDevice *device) {
    GParamSpec *spec = g_object_class_find_property(G_OBJECT_GET_CLASS(device), "internal-name");
    gchar *name = NULL;
    if (spec && spec->value_type == G_TYPE_STRING) g_object_get(device, "internal-name", &name, NULL);
    return name;
}
static inline GstMessageType mh_gst_message_type(GstMessage *message) { return GST_MESSAGE_TYPE(message); }
static inline GstObject *mh_gst_message_source(GstMessage *message) { return GST_MESSAGE_SRC(message); }
static inline GstEventType mh_gst_event_type(GstEvent *event) { return GST_EVENT_TYPE(event); }
static inline GstPadProbeType mh_gst_probe_data(void) {
    return (GstPadProbeType)(GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST);
}
static inline guint32 mh_gst_buffer_flags(GstBuffer *buffer) { return GST_BUFFER_FLAGS(buffer); }
static inline gint mh_gst_refcount(void *object) { return GST_OBJECT_REFCOUNT_VALUE(object); }
static inline gint mh_gst_mini_refcount(void *object) { return GST_MINI_OBJECT_REFCOUNT_VALUE(object); }
static inline void mh_gst_set_string(GObject *object, const gchar *property, const gchar *text) {
    gst_util_set_object_arg(object, property, text);
}
static inline GstPipeline *mh_gst_pipeline(void *object) { return GST_PIPELINE(object); }
static inline gboolean mh_gst_is_live_source(void *object) {
    return GST_IS_BASE_SRC(object) && gst_base_src_is_live(GST_BASE_SRC(object));
}
// What a sink took last; NULL where it keeps nothing.
static inline GstSample *mh_gst_last_sample(GstElement *sink) {
    GstSample *sample = NULL;
    if (g_object_class_find_property(G_OBJECT_GET_CLASS(sink), "last-sample")) g_object_get(sink, "last-sample", &sample, NULL);
    return sample;
}
static inline gboolean mh_gst_is_app_src(void *object) { return GST_IS_APP_SRC(object); }
static inline GstBaseSrc *mh_gst_base_src(GstElement *element) { return GST_BASE_SRC(element); }
static inline void mh_gst_buffer_mark_discont(GstBuffer *buffer) { GST_BUFFER_FLAG_SET(buffer, GST_BUFFER_FLAG_DISCONT); }
static inline void mh_gst_buffer_mark_delta(GstBuffer *buffer) { GST_BUFFER_FLAG_SET(buffer, GST_BUFFER_FLAG_DELTA_UNIT); }

// The fundamental types are macros, and the ranges of number properties lie in structures behind casts.
static inline GType mh_g_type_enum(void) { return G_TYPE_ENUM; }
static inline GType mh_g_type_flags(void) { return G_TYPE_FLAGS; }
static inline GType mh_g_type_boolean(void) { return G_TYPE_BOOLEAN; }
static inline GType mh_g_type_string(void) { return G_TYPE_STRING; }

enum mh_number_kind { MH_NUMBER_SIGNED, MH_NUMBER_UNSIGNED, MH_NUMBER_REAL };
typedef struct mh_number_range {
    enum mh_number_kind kind;
    gint64 lowest_signed, highest_signed;
    guint64 lowest_unsigned, highest_unsigned;
    gdouble lowest_real, highest_real;
} mh_number_range;

// Whether the property is a number; then its range.
static inline gboolean mh_g_param_number_range(GParamSpec *spec, mh_number_range *range) {
#define MH_RANGE(TEST, CAST, KIND, LOWEST, HIGHEST)                                                                      \
    if (TEST(spec)) {                                                                                                    \
        range->kind = KIND;                                                                                              \
        range->LOWEST = CAST(spec)->minimum;                                                                             \
        range->HIGHEST = CAST(spec)->maximum;                                                                            \
        return TRUE;                                                                                                     \
    }
    MH_RANGE(G_IS_PARAM_SPEC_INT, G_PARAM_SPEC_INT, MH_NUMBER_SIGNED, lowest_signed, highest_signed)
    MH_RANGE(G_IS_PARAM_SPEC_INT64, G_PARAM_SPEC_INT64, MH_NUMBER_SIGNED, lowest_signed, highest_signed)
    MH_RANGE(G_IS_PARAM_SPEC_LONG, G_PARAM_SPEC_LONG, MH_NUMBER_SIGNED, lowest_signed, highest_signed)
    MH_RANGE(G_IS_PARAM_SPEC_UINT, G_PARAM_SPEC_UINT, MH_NUMBER_UNSIGNED, lowest_unsigned, highest_unsigned)
    MH_RANGE(G_IS_PARAM_SPEC_UINT64, G_PARAM_SPEC_UINT64, MH_NUMBER_UNSIGNED, lowest_unsigned, highest_unsigned)
    MH_RANGE(G_IS_PARAM_SPEC_ULONG, G_PARAM_SPEC_ULONG, MH_NUMBER_UNSIGNED, lowest_unsigned, highest_unsigned)
    MH_RANGE(G_IS_PARAM_SPEC_DOUBLE, G_PARAM_SPEC_DOUBLE, MH_NUMBER_REAL, lowest_real, highest_real)
    MH_RANGE(G_IS_PARAM_SPEC_FLOAT, G_PARAM_SPEC_FLOAT, MH_NUMBER_REAL, lowest_real, highest_real)
#undef MH_RANGE
    return FALSE;
}

static inline GType mh_gst_type_object(void) { return GST_TYPE_OBJECT; }
static inline gboolean mh_gst_value_is_string(const GValue *value) { return G_VALUE_HOLDS_STRING(value); }
// The text of a string value, borrowed from it; NULL for other types and for NULL.
static inline const gchar *mh_gst_value_string(const GValue *value) {
    return G_VALUE_HOLDS_STRING(value) ? g_value_get_string(value) : NULL;
}

// Names of the element and of the pipeline that a log message is about, "" where there is none. Takes no lock, as the
// caller may hold the object's; gst_debug_print_object reads names and parents in the same way. Thread: any.
static inline void mh_gst_log_origin(GObject *object, gchar *element, gchar *pipeline, gsize size) {
    element[0] = pipeline[0] = 0;
    if (!GST_IS_OBJECT(object)) return;
    GstObject *owner = GST_OBJECT_CAST(object);
    for (int depth = 0; owner != NULL && depth < 16; depth++, owner = GST_OBJECT_PARENT(owner)) {
        const gchar *name = GST_OBJECT_NAME(owner);
        if (name == NULL) continue;
        if (GST_IS_PIPELINE(owner)) {
            if (GST_OBJECT_PARENT(owner) == NULL) g_strlcpy(pipeline, name, size);
        } else if (element[0] == 0 && GST_IS_ELEMENT(owner)) {
            g_strlcpy(element, name, size);
        }
    }
}

static inline gboolean mh_gst_flush_resets_time(GstEvent *event) {
    gboolean resets = FALSE;
    if (GST_EVENT_TYPE(event) == GST_EVENT_FLUSH_STOP) gst_event_parse_flush_stop(event, &resets);
    return resets;
}
static inline gboolean mh_gst_is_event(GstMiniObject *object) { return GST_IS_EVENT(object); }
static inline gboolean mh_gst_event_is_sticky(GstEvent *event) { return GST_EVENT_IS_STICKY(event); }
// Whether a pad keeps several of its type, by the names of their structures.
static inline gboolean mh_gst_event_is_sticky_multi(GstEvent *event) {
    return (gst_event_type_get_flags(GST_EVENT_TYPE(event)) & GST_EVENT_TYPE_STICKY_MULTI) != 0;
}
static inline gboolean mh_gst_event_has_name_of(GstEvent *event, GstEvent *other) {
    const GstStructure *structure = gst_event_get_structure(other);
    return structure != NULL && gst_event_has_name_id(event, gst_structure_get_name_id(structure));
}
// By how much a sink shows what comes to it after its time; 0 of any other element.
static inline GstClockTime mh_gst_sink_latency(GstElement *element) {
    return GST_IS_BASE_SINK(element) ? gst_base_sink_get_latency(GST_BASE_SINK(element)) : 0;
}
// Whether a sink shows what comes to it at its time, and not at once.
static inline gboolean mh_gst_sink_is_synchronised(GstElement *element) {
    return GST_IS_BASE_SINK(element) && gst_base_sink_get_sync(GST_BASE_SINK(element));
}
static inline gboolean mh_gst_pad_is_flushing(GstPad *pad) { return GST_PAD_IS_FLUSHING(pad); }
// What is pushed into a sink pad and what is flushed there takes turns by this lock, which its holder may take again.
static inline void mh_gst_pad_stream_lock(GstPad *pad) { GST_PAD_STREAM_LOCK(pad); }
static inline void mh_gst_pad_stream_unlock(GstPad *pad) { GST_PAD_STREAM_UNLOCK(pad); }
// The calling thread's number, and what a thread of this process has taken of the processors, in nanoseconds (0: the caller;
// -1: it is gone). The kernel's clock of another thread is made as glibc makes it, from the number.
static inline int mh_thread_number(void) { return (int)syscall(SYS_gettid); }
static inline int64_t mh_thread_time(int number) {
  struct timespec time;
  clockid_t clock = number == 0 ? CLOCK_THREAD_CPUTIME_ID : (clockid_t)((~(unsigned)number << 3) | 6);
  if (clock_gettime(clock, &time) != 0) return -1;
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}
// As sched_setattr(2) has it: Debian 12's glibc does not declare it, and the kernel's header collides with <sched.h>.
struct mh_sched_attr {
  uint32_t size, policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime, deadline, period;
};
// How long the scheduler lets the calling thread run where others wait, in nanoseconds; 0 where it has no such slices (before
// Linux 6.12), or the thread has another policy than the usual one.
static inline uint64_t mh_thread_slice(void) {
  struct mh_sched_attr attr = {0};
  if (syscall(SYS_sched_getattr, 0, &attr, sizeof attr, 0) != 0 || attr.policy != SCHED_OTHER) return 0;
  return attr.runtime;
}
// Asks for slices of that length (sched_setattr(2)); 0: the machine's own. All else stays as it is.
static inline void mh_thread_set_slice(uint64_t nanoseconds) {
  struct mh_sched_attr attr = {0};
  if (syscall(SYS_sched_getattr, 0, &attr, sizeof attr, 0) != 0 || attr.policy != SCHED_OTHER) return;
  attr.size = sizeof attr;
  attr.runtime = nanoseconds;
  syscall(SYS_sched_setattr, 0, &attr, 0);
}
static inline gboolean mh_gst_is_pad(void *object) { return GST_IS_PAD(object); }
static inline GstState mh_gst_state(GstElement *element) { return GST_STATE(element); }
static inline GstState mh_gst_state_target(GstElement *element) { return GST_STATE_TARGET(element); }
// Whether a change of state waits for sinks that have nothing to show yet.
static inline gboolean mh_gst_is_prerolling(GstElement *element) {
    return GST_STATE_RETURN(element) == GST_STATE_CHANGE_ASYNC;
}
