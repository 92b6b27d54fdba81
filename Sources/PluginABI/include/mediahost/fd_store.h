/* mh.fd-store.draft/1 (host side): files without a name that an instance finds again after the process was killed. */
#ifndef MEDIAHOST_FD_STORE_H
#define MEDIAHOST_FD_STORE_H

#include "host.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MH_EXT_FD_STORE "mh.fd-store.draft/1"

/*
 * A service manager holds them (systemd's file descriptor store, docs/systemd.md), else a keeper process: until the machine
 * goes down, the service is stopped, or nobody wants them any more. What the file is, is the instance's affair: a memfd keeps memory.
 * Names are 1 to 64 characters of a-z, 0-9 and `-`, and each instance's own. The host lets go of what instances kept
 * that its config does not have any more. Not in another process. [main, worker; from `init` on, in every state]
 */
typedef struct mh_fd_store_ext_1 {
    /*
     * Keeps a duplicate of `file`, whose owner the plugin stays; what was kept under that name goes. The host cannot see
     * whether there is room: a manager that has none says so in its own log.
     * MH_E_UNSUPPORTED: nobody is there who would hold it. MH_E_INVALID: no such name, or no descriptor. MH_E_FAILED: it
     * was not taken; the reason is logged.
     */
    mh_status (*keep)(const mh_host_1 *host, mh_str_1 name, int32_t file);
    /*
     * A new descriptor (close-on-exec), owned by the plugin, for what was kept under that name, by this process or one
     * before; it stays kept. On failure `*file` is -1. MH_E_NOT_FOUND: nothing was. MH_E_UNSUPPORTED: as above.
     */
    mh_status (*take)(const mh_host_1 *host, mh_str_1 name, int32_t *file);
    /* Lets go of it. MH_E_NOT_FOUND: nothing was kept. MH_E_UNSUPPORTED: as above. */
    mh_status (*drop)(const mh_host_1 *host, mh_str_1 name);
} mh_fd_store_ext_1;

#ifdef __cplusplus
}
#endif
#endif
