/* mh.log.draft/1 (host side): one line into the host's log, under the instance's name. */
#ifndef MEDIAHOST_LOG_H
#define MEDIAHOST_LOG_H

#include "host.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MH_EXT_LOG "mh.log.draft/1"

typedef int32_t mh_log_level;
enum {
    MH_LOG_ERROR = 0,   /* needs the user */
    MH_LOG_WARNING = 1, /* goes on, but not as asked */
    MH_LOG_NOTICE = 2,  /* a change of state worth a line */
    MH_LOG_DEBUG = 3    /* the rest */
};

typedef struct mh_log_ext_1 {
    /* Never per buffer: a [stream] function sets a flag and calls request_main instead. An unknown level reads as
     * MH_LOG_DEBUG. [main, worker; from `init` on, in every state] */
    void (*write)(const mh_host_1 *host, mh_log_level level, mh_str_1 text);
} mh_log_ext_1;

#ifdef __cplusplus
}
#endif
#endif
