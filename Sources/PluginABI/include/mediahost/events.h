/*
 * mh.events.draft/1 (both sides): what happened, told to whoever subscribed.
 *
 * Names are fixed and dotted: `pipeline.state`, `pipeline.first-buffer`, `lifecycle.will-pause`, `lifecycle.did-pause`,
 * `lifecycle.will-resume`, `lifecycle.did-resume`, `lifecycle.changed` (each with the whole `state`), `lifecycle.locked`,
 * `lifecycle.unlocked`, `lifecycle.interrupted` (`source`), `lifecycle.interruption-ended` (`source`, `should_resume`, `over`),
 * `lifecycle.low-power` (`on`), `input.key` (`input`, `key`, `code`, `press`, `held_ns`),
 * `output.added` and `output.removed` (`name`, `class`, `node`); a plugin's own start with its reverse-DNS id.
 */
#ifndef MEDIAHOST_EVENTS_H
#define MEDIAHOST_EVENTS_H

#include "host.h"
#include "plugin.h"
#include "value.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MH_EXT_EVENTS "mh.events.draft/1"

/* Owned by the host, valid for the call. */
typedef struct mh_event_1 {
    uint32_t size;       /* sizeof(mh_event_1) */
    uint32_t flags;      /* 0 */
    uint64_t sequence;   /* counts from 1, no gaps, one count per boot id */
    uint64_t boot_id;    /* random per start of the host */
    mh_time monotonic;   /* when it happened */
    mh_time realtime;
    uint64_t cause;      /* sequence of the event this one follows from, or 0 */
    uint32_t depth;      /* length of that chain */
    uint32_t reserved;   /* 0 */
    mh_str_1 name;       /* "pipeline.state" */
    mh_str_1 source;     /* "host", a pipeline's or an instance's name */
    const mh_value_1 *payload; /* a map; never NULL */
} mh_event_1;

typedef struct mh_events_host_1 {
    /* Posts an event of the plugin's own; its name must start with the descriptor's id and a dot, or it is logged and not
     * delivered. Consumes the builder in every case; NULL is an empty map. Enqueues and returns. What is posted from `on_event` follows from the event
     * being told. MH_E_LIMIT, and nothing is posted: it would be the ninth of a chain in which each follows from the one
     * before, or the instance posts more than 2000 in a second (256 at once, and as many wait). MH_E_STATE during `init` and after the
     * end. [main, worker; ready or active] */
    mh_status (*post)(const mh_host_1 *host, mh_str_1 name, mh_builder_1 *payload);
} mh_events_host_1;

typedef struct mh_events_plugin_1 {
    /* NULL-terminated names; "pipeline.*" takes all that start with "pipeline.". Read once, after `init`;
     * lives as long as the instance. */
    const char *const *subscriptions;
    /* An event that one of them takes, its own ones, too. Required where there are
     * subscriptions. [main, active] */
    void (*on_event)(const mh_plugin_1 *plugin, const mh_event_1 *event);
} mh_events_plugin_1;

#ifdef __cplusplus
}
#endif
#endif
