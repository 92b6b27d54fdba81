/*
 * mh.notify.draft/1 (both sides): notifications on a desktop, shown by the host.
 *
 * The host speaks to the notification service (org.freedesktop.Notifications) of the bus that its config names. A board may
 * have neither. `show` says so and is no failure of the instance; what it keeps is shown when a service comes, unless its
 * time is over or it was withdrawn by then.
 *
 * Each notification that `show` took ends once: by `withdraw`, by `on_closed`, or with the instance. What is on the screen
 * when an instance ends stays there, unless it has MH_NOTIFICATION_ENDS_WITH_INSTANCE; nobody hears of its actions then.
 */
#ifndef MEDIAHOST_NOTIFY_H
#define MEDIAHOST_NOTIFY_H

#include "host.h"
#include "plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MH_EXT_NOTIFY "mh.notify.draft/1"

/* Unknown values are refused. */
typedef int32_t mh_urgency;
enum {
    MH_URGENCY_LOW = -1,
    MH_URGENCY_NORMAL = 0,
    MH_URGENCY_CRITICAL = 1 /* most services keep it until the user dismisses it */
};

/* `expire_ms` below is one of these, or milliseconds. Other negative numbers are refused. */
enum {
    MH_NOTIFICATION_EXPIRES_BY_DEFAULT = 0, /* as the service likes */
    MH_NOTIFICATION_NEVER_EXPIRES = -1      /* stays until somebody closes it; the next service shows it again */
};

/* Unknown flags are refused. */
typedef uint32_t mh_notification_flags;
enum {
    MH_NOTIFICATION_RESIDENT = 1,           /* stays when an action of it was chosen */
    MH_NOTIFICATION_TRANSIENT = 2,          /* is kept in no list of past ones */
    MH_NOTIFICATION_ENDS_WITH_INSTANCE = 4  /* withdrawn when the instance ends */
};

/* Something the user can choose. */
typedef struct mh_notification_action_1 {
    const char *id;    /* for `on_action`; at most 64 bytes. "default": a click on the notification itself */
    const char *label; /* what the button says; at most 256 bytes */
} mh_notification_action_1;

/* Owned by the plugin, borrowed for `show`. Terminated UTF-8 strings; NULL where there is none. */
typedef struct mh_notification_1 {
    const char *summary;  /* one line; not NULL nor empty, at most 1024 bytes */
    const char *body;     /* plain text, shown as it is: no markup. At most 8192 bytes */
    const char *icon;     /* a name of the icon naming specification, or a file:// URI. This and the next three: 256 bytes */
    const char *category; /* "transfer.complete", "device.error", ... (Desktop Notifications Specification) */
    const char *sound;    /* a name of the sound naming specification: "complete", "alarm-clock-elapsed", ... */
    const char *key;      /* it takes the place of the one that this instance showed with the same key, if that is open */
    const mh_notification_action_1 *actions; /* left out where the service shows none */
    mh_urgency urgency;
    int32_t expire_ms; /* while it waits for a service it counts from `show` on, in suspend, too */
    mh_notification_flags flags;
    uint32_t action_count; /* at most 8 */
} mh_notification_1;

/* Why it is closed. More values may come: treat them as MH_NOTIFICATION_GONE. */
typedef int32_t mh_notification_end;
enum {
    MH_NOTIFICATION_EXPIRED = 1,   /* its time was over, on the screen or while it waited for a service */
    MH_NOTIFICATION_DISMISSED = 2, /* by the user */
    MH_NOTIFICATION_CLOSED = 3,    /* by another program */
    MH_NOTIFICATION_GONE = 4,      /* the service does not say why, or ended itself */
    MH_NOTIFICATION_REPLACED = 5,  /* by another `show` with its key */
    MH_NOTIFICATION_CROWDED_OUT = 6, /* it was the oldest on the screen when the instance had too many */
    MH_NOTIFICATION_FAILED = 7     /* the service refused it or did not answer in time, or the config turned notifications off */
};

typedef struct mh_notify_host_1 {
    /* Takes a notification; `*token` names it. Nothing waits for the service. What is wrong with one is logged.
     *   MH_OK: on its way to the screen, as far as the host knows.
     *   MH_E_BUSY: taken as well, with a token: no service is there now, and it is shown when one comes.
     *   MH_E_UNSUPPORTED: not taken: the config says `notifications: off`, there is no bus, or it has actions and the
     *     instance no `on_action`.
     *   MH_E_INVALID: not taken: a text, a number or a flag is not as above.
     *   MH_E_LIMIT: not taken: 64 of the instance wait already, or it showed more than 20 at once (5 a second after that).
     *   MH_E_STATE: not taken: not on this thread or in this state.
     * On any but the first two `*token` is 0. May be called in `on_action` and `on_closed`.
     * [main, active or in `activate`] */
    mh_status (*show)(const mh_host_1 *host, const mh_notification_1 *notification, mh_token *token);
    /* Takes it off the screen, or out of those that wait. From [main] no call for it follows; from elsewhere one may be on its
     * way. MH_E_NOT_FOUND, on [main] only: it is none of this instance, or has ended. [any, from `init` on] */
    mh_status (*withdraw)(const mh_host_1 *host, mh_token token);
} mh_notify_host_1;

/* A plugin that does not care may offer none, or leave functions NULL. The host calls neither inside of `show` and `withdraw`,
 * nor after `deactivate` has begun. */
typedef struct mh_notify_plugin_1 {
    /* The user chose an action. Most services close it then, unless it is resident: `on_closed` follows. `action` is
     * borrowed. [main, active] */
    void (*on_action)(const mh_plugin_1 *plugin, mh_token notification, mh_str_1 action);
    /* It has ended otherwise than by `withdraw`: the token is gone before the call. [main, active] */
    void (*on_closed)(const mh_plugin_1 *plugin, mh_token notification, mh_notification_end why);
} mh_notify_plugin_1;

#ifdef __cplusplus
}
#endif
#endif
