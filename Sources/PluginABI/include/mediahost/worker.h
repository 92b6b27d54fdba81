/* mh.worker.draft/1 (host side): file and device work off the control thread. */
#ifndef MEDIAHOST_WORKER_H
#define MEDIAHOST_WORKER_H

#include "host.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MH_EXT_WORKER "mh.worker.draft/1"

typedef struct mh_worker_ext_1 {
    /* Runs `work(context)` once on a [worker] thread, possibly before this returns; two works may overlap. Always runs it if
     * it returns MH_OK, and never else. `context` stays the plugin's. The host waits for it before it calls `destroy`.
     * MH_E_STATE during `init` and after the end. MH_E_INVALID: `work` is NULL. [main, worker; ready or active] */
    mh_status (*submit)(const mh_host_1 *host, void (*work)(void *context), void *context);
} mh_worker_ext_1;

#ifdef __cplusplus
}
#endif
#endif
