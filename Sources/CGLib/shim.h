// GLib and GIO as Swift sees them: macros and varargs become inline functions, nothing else is added.
#pragma once
#include <gio/gio.h>
#include <gio/gunixsocketaddress.h>
#include <glib-object.h>
#include <glib-unix.h>
#include <glib.h>
#include <sys/resource.h>
#include <sys/timex.h>
#include <sys/eventfd.h>

static inline gboolean mh_ready_dispatch(GSource *source, GSourceFunc callback, gpointer data) {
    (void)source;
    return callback ? callback(data) : G_SOURCE_CONTINUE;
}

// A source that fires exactly when g_source_set_ready_time says so.
static inline GSource *mh_ready_source_new(void) {
    static GSourceFuncs functions = {NULL, NULL, mh_ready_dispatch, NULL, NULL, NULL};
    return g_source_new(&functions, sizeof(GSource));
}

static inline gpointer mh_g_object_ref(gpointer object) { return g_object_ref(object); }

static inline GType mh_type_boolean(void) { return G_TYPE_BOOLEAN; }
static inline GType mh_type_int64(void) { return G_TYPE_INT64; }
static inline GType mh_type_double(void) { return G_TYPE_DOUBLE; }
static inline GType mh_type_string(void) { return G_TYPE_STRING; }

// Glib's header declares the vector as `const gchar *const *`, which Swift sees as another type than `gchar **`.
static inline GSubprocess *mh_subprocess_new(gchar **words, GSubprocessFlags flags, GError **error) {
    return g_subprocess_newv((const gchar *const *)words, flags, error);
}

// The kernel's word on the clock: 1 synchronised, 0 not, -1 where it does not tell.
static inline int mh_clock_is_synchronised(void) {
    struct timex state = {0};
    int result = adjtimex(&state);
    if (result < 0) return -1;
    return result != TIME_ERROR && !(state.status & STA_UNSYNC);
}
// The limits are macros over an enumeration that Swift does not see through.
static inline int mh_limit_of_files(struct rlimit *limit) { return getrlimit(RLIMIT_NOFILE, limit); }
static inline int mh_limit_of_realtime(struct rlimit *limit) { return getrlimit(RLIMIT_RTPRIO, limit); }
// A file that becomes readable when 8 bytes are written to it, to wake a thread that polls; -1 where there is none.
static inline int mh_bell_new(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
