/*
 * mh.fd.draft/1 (both sides): calls when a file descriptor is ready, from the host's own loop.
 *
 * For sockets, pipes, devices, eventfds and what else can be polled. The host looks and calls, and does nothing else with the
 * descriptor: it stays the plugin's, who reads, writes and closes it, and unwatches it before that. All are unwatched
 * with the instance's `deactivate`.
 *
 * Readiness is a level: a call comes again and again until the plugin has read or written, or is interested no more, in turns
 * with the host's own work. A descriptor that is ready more than 1000 times in a second is looked at less often, named and counted.
 */
#ifndef MEDIAHOST_FD_H
#define MEDIAHOST_FD_H

#include "host.h"
#include "plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MH_EXT_FD "mh.fd.draft/1"

/* Bits. What is asked for, and what is so. */
typedef uint32_t mh_fd_events;
enum {
    MH_FD_READABLE = 1, /* can be read, or a connection accepted, without waiting; at the end of a stream, too */
    MH_FD_WRITABLE = 2,
    MH_FD_ERROR = 4,    /* told in any case */
    MH_FD_HUNG_UP = 8   /* the other side is gone; there may be something left to read. Told in any case */
};

typedef struct mh_fd_host_1 {
    /* Calls `on_fd` while `fd` is ready for what `interest` says; 0: errors and hang-ups alone. MH_E_INVALID: no open
     * descriptor, or unknown bits. MH_E_UNSUPPORTED: a regular file or a directory, which are always ready (a [worker] is the
     * place for them), or the instance offers no mh_fd_plugin_1. MH_E_BUSY: watched by this instance already.
     * MH_E_LIMIT: the instance watches 64. [main, active or in `activate`] */
    mh_status (*watch)(const mh_host_1 *host, int32_t fd, mh_fd_events interest);
    /* Other interest from now on. MH_E_NOT_FOUND: not watched by this instance. [main, active or in `activate`] */
    mh_status (*modify)(const mh_host_1 *host, int32_t fd, mh_fd_events interest);
    /* From [main] no call follows and `fd` may be closed. From elsewhere a call may be on its way, and `fd` stays open until
     * the host has come to it. MH_E_NOT_FOUND, on [main] only, as above. [any, from `init` on] */
    mh_status (*unwatch)(const mh_host_1 *host, int32_t fd);
} mh_fd_host_1;

typedef struct mh_fd_plugin_1 {
    /* What is so of what was asked for, and errors and hang-ups. Does not wait. [main, active] */
    void (*on_fd)(const mh_plugin_1 *plugin, int32_t fd, mh_fd_events events);
} mh_fd_plugin_1;

#ifdef __cplusplus
}
#endif
#endif
