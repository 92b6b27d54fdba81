/*
 * What a plugin library exports, and the life of an instance.
 *
 * A library exports one symbol, mh_plugin_entry_1. The host reads the entry, checks magic and ABI, calls `init` once,
 * asks for the factory and reads the descriptors, all before any instance exists. Libraries are never unmapped.
 *
 *                 create           init(config)         activate
 *      (nothing) ───────▶ created ─────────────▶ ready ◀──────────▶ active
 *                            │  init fails         │    deactivate
 *                            ▼                     ▼
 *                         destroy ◀────────────────┘
 */
#ifndef MEDIAHOST_PLUGIN_H
#define MEDIAHOST_PLUGIN_H

#include "host.h"
#include "types.h"
#include "value.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MH_ENTRY_MAGIC 0x4d485031u /* "MHP1" */
#define MH_ABI_MAJOR 0
#define MH_ABI_MINOR 1
#define MH_FACTORY_PLUGIN "mh.plugin-factory.draft/1"

#if defined(__GNUC__)
#define MH_EXPORT __attribute__((visibility("default")))
#else
#define MH_EXPORT
#endif

/* Owned by the plugin, immortal and constant. Terminated strings; `id`, `name`, `version` and `summary` are not NULL. */
typedef struct mh_descriptor_1 {
    const char *id; /* reverse-DNS */
    const char *name;
    const char *vendor;
    const char *version;
    const char *license; /* SPDX */
    const char *summary; /* one sentence */
    /* NULL-terminated lists of host extension ids, or NULL. The host refuses before `create` if a required one is missing. */
    const char *const *requires_ext;
    const char *const *optional_ext;
    const char *config_schema; /* JSON Schema text (docs/plugin-abi.md names the subset), or NULL: takes no keys */
    uint64_t flags;            /* 0 */
} mh_descriptor_1;

/* One instance. Owned by the plugin, valid from `create` until `destroy`. All functions but get_extension are required. */
typedef struct mh_plugin_1 {
    void *plugin_data; /* the plugin's own */

    /* First call, and the first place where the host may be called. `config` is borrowed. On failure the plugin
     * writes a reason to `log` and the host calls `destroy`. [main, created] */
    mh_status (*init)(const struct mh_plugin_1 *plugin, const mh_value_1 *config);

    /* Attach taps here: at the host's start pipelines exist but do not run yet; an instance that comes later, by a reload or a
     * restart, finds them running. On failure the plugin writes a reason to `log`, and the host calls `deactivate` and
     * `destroy`. [main, ready] */
    mh_status (*activate)(const struct mh_plugin_1 *plugin);

    /* The counterpart, also where `activate` failed. Cannot fail. Ends the plugin's own threads; taps still attached are
     * detached by the host afterwards, and work that runs is waited for. [main, active] */
    void (*deactivate)(const struct mh_plugin_1 *plugin);

    /* Frees the instance. Cannot fail. No call is running and none follows; the host takes no request any more.
     * [main, created or ready] */
    void (*destroy)(const struct mh_plugin_1 *plugin);

    /* The answer to request_main. [main, ready or active] */
    void (*on_main)(const struct mh_plugin_1 *plugin);

    /* A plugin extension by id, or NULL, as for every id that the plugin does not know. The table is the plugin's and lives as
     * long as the instance. [main, ready or active] */
    const void *(*get_extension)(const struct mh_plugin_1 *plugin, mh_str_1 id);
} mh_plugin_1;

/* Owned by the plugin, immortal. All functions are required, and called after `init` of the entry. [main] */
typedef struct mh_factory_1 {
    uint32_t (*count)(void); /* 1 to 64, always the same */
    const mh_descriptor_1 *(*descriptor)(uint32_t index); /* NULL past the end */
    /* A new instance, the plugin's until the host calls its `destroy`; NULL where there is no memory or no such id. `host` may be
     * kept but not called before `init`. */
    const mh_plugin_1 *(*create)(const mh_host_1 *host, mh_str_1 id);
} mh_factory_1;

/* Owned by the plugin, immortal. [main] */
typedef struct mh_entry_1 {
    uint32_t magic; /* MH_ENTRY_MAGIC */
    uint16_t abi_major, abi_minor; /* the headers it was compiled with */
    const char *built_with;        /* for error texts: "swift 6.3", "cc" */
    mh_status (*init)(mh_str_1 library_path); /* cheap: no thread, no I/O; called once per process. Any status but MH_OK
                                               * refuses the library */
    void (*deinit)(void);                     /* at the end of a process that ends in order; may be NULL. Not called by this
                                               * host: the kernel takes back what a process held */
    const void *(*get_factory)(mh_str_1 factory_id); /* an mh_factory_1 for MH_FACTORY_PLUGIN; NULL for an unknown id */
} mh_entry_1;

/* The only exported symbol; called before everything else, and never NULL. [main] */
MH_EXPORT const mh_entry_1 *mh_plugin_entry_1(void);

#ifdef __cplusplus
}
#endif
#endif
