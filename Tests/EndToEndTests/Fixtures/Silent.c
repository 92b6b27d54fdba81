/* A plugin that is asked before a pause and never answers. */
#include "fixture.h"

static void on_state(const mh_plugin_1 *plugin, mh_token token, mh_lifecycle_state state, mh_lifecycle_change change,
                     mh_time deadline) {
    (void)plugin, (void)token, (void)state, (void)change, (void)deadline;
}

static const void *get_extension(const mh_plugin_1 *plugin, mh_str_1 id) {
    static const mh_lifecycle_plugin_1 lifecycle = {.on_state = on_state, .ack_within = 200000000}; /* 200 ms */
    (void)plugin;
    return is(id, MH_EXT_LIFECYCLE) ? &lifecycle : NULL;
}

static const mh_descriptor_1 about = {
    .id = "org.example.silent",
    .name = "Silent",
    .vendor = "a test",
    .version = "1.0.0",
    .license = "MIT",
    .summary = "Never answers.",
};

static const mh_plugin_1 *create(const mh_host_1 *host, mh_str_1 id) {
    static const mh_plugin_1 plugin = {
        .init = no_init,
        .activate = no_activate,
        .deactivate = nothing,
        .destroy = nothing,
        .on_main = nothing,
        .get_extension = get_extension,
    };
    (void)host, (void)id;
    return &plugin;
}
