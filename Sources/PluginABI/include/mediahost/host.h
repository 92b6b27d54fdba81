/*
 * The host as one plugin instance sees it.
 *
 * One mh_host_1 is made per instance. It is owned by the host and valid from `create` until `destroy` has returned.
 */
#ifndef MEDIAHOST_HOST_H
#define MEDIAHOST_HOST_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mh_host_1 {
    void *host_data;      /* the host's own; never touch */
    const char *name;     /* "mediahost"; valid as long as the struct */
    const char *version;  /* "0.1.0"; valid as long as the struct */
    const char *instance; /* the name this instance has in the config; valid as long as the struct */
    uint16_t abi_major, abi_minor;
    uint32_t reserved; /* 0 */

    /* A host extension by id ("mh.log.draft/1"), or NULL where this host has none of that id. The table is owned by the
     * host, valid until `destroy` has returned. [main, from `init` on] */
    const void *(*get_extension)(const struct mh_host_1 *host, mh_str_1 id);

    /* This instance cannot go on: the host deactivates and destroys it; the process lives. Returns at once, the
     * host acts later on [main], by the instance's `policy`. The first call counts; `text` goes to the log. [any, from `init` on] */
    void (*fail)(const struct mh_host_1 *host, mh_status status, mh_str_1 text);

    /* Asks for one call of the instance's `on_main`. Calls before it happens are merged into one. [any, from
     * `init` on] */
    void (*request_main)(const struct mh_host_1 *host);
} mh_host_1;

#ifdef __cplusplus
}
#endif
#endif
