/*
 * mh.clock.draft/1 (host side): the host's clocks. Tests run on a virtual one, so a plugin asks only here.
 *
 * When somebody sets the wall clock, event `clock.set` (mh.events) tells how far: `step_ns`, positive where it was set
 * forward, and `realtime_ns`, what it shows now. A clock that is slewed to the right time is not set, and suspend is
 * no step: `realtime` and `boottime` go on alike in it.
 */
#ifndef MEDIAHOST_CLOCK_H
#define MEDIAHOST_CLOCK_H

#include "host.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MH_EXT_CLOCK "mh.clock.draft/1"

/* All of them neither wait nor fail. [any, from `init` on, in every state] */
typedef struct mh_clock_ext_1 {
    mh_time (*monotonic)(const mh_host_1 *host); /* stops in suspend */
    mh_time (*boottime)(const mh_host_1 *host);  /* does not */
    mh_time (*realtime)(const mh_host_1 *host);  /* since 1970; can be set at any time */
} mh_clock_ext_1;

#ifdef __cplusplus
}
#endif
#endif
