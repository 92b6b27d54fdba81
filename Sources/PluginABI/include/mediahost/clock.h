/* mh.clock.draft/1 (host side): the host's clocks. Tests run on a virtual one, so a plugin asks only here. */
#ifndef MEDIAHOST_CLOCK_H
#define MEDIAHOST_CLOCK_H

#include "host.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MH_EXT_CLOCK "mh.clock.draft/1"

typedef struct mh_clock_ext_1 {
    mh_time (*monotonic)(const mh_host_1 *host); /* stops in suspend [any] */
    mh_time (*boottime)(const mh_host_1 *host);  /* does not [any] */
    mh_time (*realtime)(const mh_host_1 *host);  /* since 1970; can be set at any time [any] */
} mh_clock_ext_1;

#ifdef __cplusplus
}
#endif
#endif
