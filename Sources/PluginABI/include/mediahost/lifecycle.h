/*
 * mh.lifecycle.draft/1 (both sides): the host's desired state, told by level and acknowledged.
 *
 * Before pipelines are paused or resumed every plugin is told the new state and answers. The host waits until all have
 * answered or their deadline has passed; late ones are named in the log and counted.
 */
#ifndef MEDIAHOST_LIFECYCLE_H
#define MEDIAHOST_LIFECYCLE_H

#include "host.h"
#include "plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MH_EXT_LIFECYCLE "mh.lifecycle.draft/1"

/* Bits of the desired state: what holds of the host's surroundings now. 0: run. Unknown bits are legal. */
typedef uint64_t mh_lifecycle_state;
enum {
    /* these make the host quiet */
    MH_LIFECYCLE_PAUSED = 1 << 0,        /* somebody asked for it */
    MH_LIFECYCLE_SHUTTING_DOWN = 1 << 1, /* the host is about to end */
    MH_LIFECYCLE_SUSPENDED = 1 << 3,     /* the machine is about to sleep */
    MH_LIFECYCLE_INTERRUPTED = 1 << 4,   /* something more important has the output */
    MH_LIFECYCLE_WAITING = 1 << 5,       /* an interruption has ended, and the user is waited for */
    /* these do not */
    MH_LIFECYCLE_LOCKED = 1 << 2,        /* the session is locked; who captures may go on */
    MH_LIFECYCLE_OUTPUT_LOST = 1 << 6,   /* no audio output is there */
    MH_LIFECYCLE_LOW_POWER = 1 << 7      /* energy is to be saved */
};

typedef int32_t mh_lifecycle_change;
enum {
    MH_LIFECYCLE_WILL_PAUSE = 0,  /* pipelines still run; they follow their background mode after the acknowledgements */
    MH_LIFECYCLE_DID_PAUSE = 1,   /* they have; no acknowledgement is expected */
    MH_LIFECYCLE_WILL_RESUME = 2, /* pipelines are about to start again */
    MH_LIFECYCLE_DID_RESUME = 3,  /* they were started; `pipeline.first-buffer` follows for each that had stopped or paused; no acknowledgement */
    MH_LIFECYCLE_CHANGED = 4      /* bits have changed without a pause or a resume; no acknowledgement */
};

typedef struct mh_lifecycle_host_1 {
    /* Answers a WILL_ change. Anything but MH_OK is logged as the plugin's refusal; the change happens all the same.
     * A second answer, one after the deadline and one to a token that was never given are counted and ignored. Returns at
     * once; the host acts later on [main]. [any, active] */
    void (*ack)(const mh_host_1 *host, mh_token token, mh_status status);
} mh_lifecycle_host_1;

typedef struct mh_lifecycle_plugin_1 {
    /* Returns at once; what takes longer is acknowledged when it is done. `state` is the whole new state, never a bare edge.
     * Each WILL_ is followed by its DID_, and a resume only follows a pause; CHANGED comes between the pairs. `token` is 0 where
     * no acknowledgement is expected (also of a WILL_PAUSE, for one that was activated when the pause was under way), and
     * `deadline` (mh.clock monotonic) is MH_TIME_NONE then. [main, active] */
    void (*on_state)(const mh_plugin_1 *plugin, mh_token token, mh_lifecycle_state state,
                     mh_lifecycle_change change, mh_time deadline);
    /* The longest an acknowledgement may take; 0: 500 ms. The host refuses a config whose instances together ask for
     * more than 4 s. */
    mh_time ack_within;
} mh_lifecycle_plugin_1;

#ifdef __cplusplus
}
#endif
#endif
