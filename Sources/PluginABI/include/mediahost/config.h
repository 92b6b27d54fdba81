/*
 * mh.config.draft/1 (both sides): another config for an instance that runs.
 *
 * Without it an instance whose config changes is replaced in a reload by a new one, and what it held in memory is gone. With it
 * the instance is asked first and told then:
 *
 *   validate(new)  in the check of the reload, before anything is touched; of all instances
 *   apply(new)     when all have agreed, in the order of the file
 *   apply(old)     where something else of the reload failed afterwards: all or nothing
 *
 * Both get the whole config, checked by the schema and with its defaults, as `init` did. Each may keep the control thread for
 * 1 s, as `init` may; whoever takes longer has failed, as with `fail`.
 */
#ifndef MEDIAHOST_CONFIG_H
#define MEDIAHOST_CONFIG_H

#include "host.h"
#include "plugin.h"
#include "value.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MH_EXT_CONFIG "mh.config.draft/1"

typedef struct mh_config_host_1 {
    /* One thing that is wrong. `key` is its path in the config: "window", "inner.gain", "list[2]"; empty for all of it. `text`
     * says what is wrong and how to mend it. The user sees both at the key's line. Several times for several things, 100 at
     * most; does nothing elsewhere. Both texts are copied. Calls nothing back. [main, in `validate` or `apply`] */
    void (*refuse)(const mh_host_1 *host, mh_str_1 key, mh_str_1 text);
} mh_config_host_1;

/* Both functions are required. `config` is the host's and valid for the call. Neither comes inside another call to the
 * instance, and in both the host may be called as at any time on [main]. */
typedef struct mh_config_plugin_1 {
    /* Whether this config is good, beyond what the schema says, and can be applied. Changes nothing. MH_OK: yes.
     * MH_E_UNSUPPORTED: it is good, but not without a new instance; the host replaces this one. Any other status: it is bad, and
     * the reload is refused. [main, active] */
    mh_status (*validate)(const mh_plugin_1 *plugin, const mh_value_1 *config);
    /* Takes it over, at once and whole: what `validate` has agreed to, or what was in force before. Any status but MH_OK is a
     * broken word: the reload is undone, and the host replaces the instance by one with the old config; its `policy` decides
     * where that does not begin. `refuse` says why. [main, active] */
    mh_status (*apply)(const mh_plugin_1 *plugin, const mh_value_1 *config);
} mh_config_plugin_1;

#ifdef __cplusplus
}
#endif
#endif
