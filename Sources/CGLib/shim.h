// GLib and GIO as Swift sees them: macros and varargs become inline functions, nothing else is added.
#pragma once
#include <gio/gio.h>
#include <gio/gunixfdlist.h>
#include <gio/gunixsocketaddress.h>
#include <glib-object.h>
#include <glib-unix.h>
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <linux/input.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/eventfd.h>
#include <unistd.h>

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

// `type` is a GFilterInputStream. Returns a new reference; `base` stays open when it is closed.
static inline GInputStream *mh_filter_input_stream_new(GType type, GInputStream *base) {
    return g_object_new(type, "base-stream", base, "close-base-stream", FALSE, NULL);
}

static inline gboolean mh_is_inet_address(gpointer address) { return G_IS_INET_SOCKET_ADDRESS(address); }

static inline GType mh_type_boolean(void) { return G_TYPE_BOOLEAN; }
static inline GType mh_type_int64(void) { return G_TYPE_INT64; }
static inline GType mh_type_double(void) { return G_TYPE_DOUBLE; }
static inline GType mh_type_string(void) { return G_TYPE_STRING; }

// Glib's header declares the vector as `const gchar *const *`, which Swift sees as another type than `gchar **`.
static inline GSubprocess *mh_subprocess_new(gchar **words, GSubprocessFlags flags, GError **error) {
    return g_subprocess_newv((const gchar *const *)words, flags, error);
}

// Another descriptor for the same open file, which no child inherits; -1 where there is none left. fcntl is variadic.
static inline int mh_file_flags(int file) { return fcntl(file, F_GETFL); }
static inline void mh_file_set_flags(int file, int flags) { fcntl(file, F_SETFL, flags); }
/* O_RDONLY, O_WRONLY or O_RDWR; negative for what is no descriptor. */
static inline int mh_file_mode(int file) {
    int flags = fcntl(file, F_GETFL);
    return flags < 0 ? flags : flags & O_ACCMODE;
}
/* What a socket holds that its other side has not taken; 0 where nobody can tell. ioctl is variadic. */
static inline int mh_socket_queued(int socket) {
    int count = 0;
    return ioctl(socket, TIOCOUTQ, &count) == 0 ? count : 0;
}
/* POLLRDHUP, whose name needs more than the headers show here. */
static inline int mh_poll_hangup(void) { return EPOLLRDHUP; }
static inline int mh_file_copy(int file) { return fcntl(file, F_DUPFD_CLOEXEC, 3); }

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
// The next four are variadic, or use an enumeration that Swift does not see through.
// A file that becomes readable when a child has ended; -1 where the kernel (before 5.3) has none.
static inline int mh_process_file(pid_t child) { return (int)syscall(SYS_pidfd_open, child, 0); }
// A signal to the process that such a file is of, and to no other that got its number since.
static inline int mh_process_signal(int file, int signal) {
    return (int)syscall(SYS_pidfd_send_signal, file, signal, (void *)0, 0);
}
// A file in memory without a name; -1 where there is none.
static inline int mh_memory_file(void) { return (int)syscall(SYS_memfd_create, "event", 1u /* MFD_CLOEXEC */); }
// One like that of `size` bytes, whose size nobody can change: a mapping of it never faults.
static inline int mh_sealed_memory_file(const char *name, long long size) {
    int file = (int)syscall(SYS_memfd_create, name, 3u /* MFD_CLOEXEC | MFD_ALLOW_SEALING */);
    if (file < 0) return file;
    /* F_ADD_SEALS; F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW */
    if (ftruncate(file, (off_t)size) == 0 && fcntl(file, 1033, 7) == 0) return file;
    int error = errno;
    close(file);
    errno = error;
    return -1;
}
// Whether it is one of these.
static inline int mh_is_sealed_memory_file(int file) { return (fcntl(file, 1034 /* F_GET_SEALS */) & 6) == 6; }
// Room on the disk for all of a file, so that no write to a mapping of it fails for want of it; 0 or an error number.
extern int fallocate64(int file, int mode, long long offset, long long length);
static inline int mh_file_reserve(int file, long long size) {
    return fallocate64(file, 0, 0, size) == 0 ? 0 : errno;
}
static inline void mh_file_close_on_exec(int file) {
    int flags = fcntl(file, F_GETFD);
    if (flags >= 0) fcntl(file, F_SETFD, flags | FD_CLOEXEC);
}
// One datagram, with a descriptor beside it where `file` is not negative. Does not wait.
static inline ssize_t mh_send_with_file(
    int socket, const void *bytes, size_t size, const struct sockaddr *address, socklen_t length, int file,
    int wait_ms) {
    struct iovec part = {(void *)bytes, size};
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int))];
    } control;
    struct msghdr message = {0};
    message.msg_name = (void *)address;
    message.msg_namelen = length;
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    if (file >= 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = control.space;
        message.msg_controllen = sizeof control.space;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(header), &file, sizeof(int));
    }
    if (wait_ms > 0) {
        struct timeval limit = {wait_ms / 1000, wait_ms % 1000 * 1000};
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL | (wait_ms > 0 ? 0 : MSG_DONTWAIT));
}
// This process is killed when the thread that started it ends.
static inline void mh_die_with_parent(void) { prctl(PR_SET_PDEATHSIG, SIGKILL); }
// A session of its own and no file but the first `kept`: GNU's additions to posix_spawn, which Swift's Glibc leaves out.
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
static inline void mh_spawn_keep_files(posix_spawn_file_actions_t *actions, int kept) {
    posix_spawn_file_actions_addclosefrom_np(actions, kept);
}
static inline short mh_spawn_new_session(void) { return 0x80; }
static inline void mh_no_core_dumps(void) {
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
}

// timerfd's flags are an enumeration that Swift does not see through.
// A file that becomes readable at a time of a clock; -1 where there is none.
static inline int mh_timer_file_new(clockid_t clock) { return timerfd_create(clock, TFD_CLOEXEC | TFD_NONBLOCK); }
// At `nanoseconds` of its clock, once; what is past is due now. Negative: never.
static inline int mh_timer_file_set(int file, long long nanoseconds) {
    struct itimerspec due = {{0, 0}, {0, 0}};
    if (nanoseconds >= 0) {
        due.it_value.tv_sec = nanoseconds / 1000000000;
        due.it_value.tv_nsec = nanoseconds % 1000000000;
        // All zero would be never.
        if (nanoseconds == 0) due.it_value.tv_nsec = 1;
    }
    return timerfd_settime(file, TFD_TIMER_ABSTIME, &due, NULL);
}
// Readable, with ECANCELED, each time the wall clock is set or the machine was suspended. The time itself is past 2200, or the last
// that a time of 32 bits can name.
static inline int mh_timer_file_watch(int file) {
    struct itimerspec due = {{0, 0}, {sizeof(time_t) > 4 ? (time_t)9000000000 : (time_t)INT32_MAX, 0}};
    return timerfd_settime(file, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &due, NULL);
}

// GVariant's constructors are variadic, and its types macros.
// The arguments of org.freedesktop.Notifications.Notify; `hints` is an a{sv} and floating, `actions` ends with NULL.
static inline GVariant *mh_notify_arguments(
    const char *application, guint32 replaces, const char *icon, const char *summary, const char *body, gchar **actions,
    GVariant *hints, gint32 expire_ms) {
    return g_variant_new("(susss^as@a{sv}i)", application, replaces, icon, summary, body, actions, hints, expire_ms);
}
static inline gboolean mh_variant_is(GVariant *value, const char *type) {
    return value != NULL && g_variant_is_of_type(value, G_VARIANT_TYPE(type));
}

// An input event of the kernel's, whose size and clock fields differ by platform and by the width of time_t.
typedef struct {
    uint16_t type, code;
    int32_t value;
    // Of the clock that the device was asked to use.
    int64_t nanoseconds;
} mh_input_event;
static inline size_t mh_input_event_size(void) { return sizeof(struct input_event); }
// `bytes` may lie anywhere.
static inline mh_input_event mh_input_event_read(const void *bytes) {
    struct input_event event;
    memcpy(&event, bytes, sizeof event);
    mh_input_event result = {event.type, event.code, event.value, 0};
    result.nanoseconds = (int64_t)event.input_event_sec * 1000000000 + (int64_t)event.input_event_usec * 1000;
    return result;
}
// The requests of the devices are macros, and ioctl is variadic. Each is 0 or more where it worked.
static inline int mh_input_version(int file, int *version) { return ioctl(file, EVIOCGVERSION, version); }
static inline int mh_input_name(int file, char *name, size_t size) { return ioctl(file, EVIOCGNAME(size), name); }
static inline int mh_input_grab(int file) { return ioctl(file, EVIOCGRAB, (void *)1); }
// Events carry the time of `clock` from now on.
static inline int mh_input_use_clock(int file, clockid_t clock) {
    int id = (int)clock;
    return ioctl(file, EVIOCSCLOCKID, &id);
}

// epoll's events are packed, with a union, and its flags an enumeration: Swift does not see through them.
typedef struct {
    uint64_t id;
    uint8_t readable, writable, gone;
} mh_poll_ready;
// A file that is readable while one of the files in it is ready; -1 where there is none.
static inline int mh_poll_set_new(void) { return epoll_create1(EPOLL_CLOEXEC); }
static inline int mh_poll_set_add(int set, int file, uint64_t id) {
    struct epoll_event event = {.events = EPOLLIN, .data = {.u64 = id}};
    return epoll_ctl(set, EPOLL_CTL_ADD, file, &event);
}
static inline int mh_poll_set_change(int set, int file, uint64_t id, int reads, int writes) {
    struct epoll_event event = {.events = (reads ? EPOLLIN : 0u) | (writes ? EPOLLOUT : 0u), .data = {.u64 = id}};
    return epoll_ctl(set, EPOLL_CTL_MOD, file, &event);
}
static inline int mh_poll_set_remove(int set, int file) { return epoll_ctl(set, EPOLL_CTL_DEL, file, NULL); }
// Those that are ready now, at most `most` (64) of them; does not wait.
static inline int mh_poll_set_ready(int set, mh_poll_ready *ready, int most) {
    struct epoll_event events[64];
    int count = epoll_wait(set, events, most < 64 ? most : 64, 0);
    for (int index = 0; index < count; index++) {
        uint32_t flags = events[index].events;
        ready[index].id = events[index].data.u64;
        ready[index].readable = (flags & EPOLLIN) != 0;
        ready[index].writable = (flags & EPOLLOUT) != 0;
        ready[index].gone = (flags & (EPOLLHUP | EPOLLERR)) != 0;
    }
    return count;
}
