/* mh.state-directory.draft/1 (host side): a place for what an instance must find again after a restart. */
#ifndef MEDIAHOST_STATE_DIRECTORY_H
#define MEDIAHOST_STATE_DIRECTORY_H

#include "host.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MH_EXT_STATE_DIRECTORY "mh.state-directory.draft/1"

typedef struct mh_state_directory_ext_1 {
    /*
     * The absolute path of a directory of this instance's own, terminated, too; mode 0700, made by the first call that
     * needs it. An instance of the same name finds the same directory after a restart; nothing in it is ever removed by
     * the host. `*path` is owned by the host and valid as long as the mh_host_1; on failure it is empty.
     * MH_E_UNSUPPORTED: the host has no state directory (docs/plugins.md). MH_E_FAILED: it cannot be made; the reason
     * is logged, and the next call tries again. May be called from anywhere, also inside other calls; it does file work,
     * so a [worker] is the better place where the disk is slow. [main, worker; from `init` on, in every state]
     */
    mh_status (*path)(const mh_host_1 *host, mh_str_1 *path);
} mh_state_directory_ext_1;

#ifdef __cplusplus
}
#endif
#endif
