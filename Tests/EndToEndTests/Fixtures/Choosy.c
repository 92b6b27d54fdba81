/* A plugin that taps a pad the host cannot know beforehand, and fails where it is told to. */
#include "fixture.h"

#include <stdlib.h>

typedef struct choosy {
    mh_plugin_1 plugin;
    const mh_host_1 *host;
    const mh_tap_ext_1 *taps;
    mh_tap_client_1 client;
    char pad[128];
    int fails_to_begin;
} choosy;

static mh_status init(const mh_plugin_1 *plugin, const mh_value_1 *config) {
    choosy *self = plugin->plugin_data;
    const mh_value_ext_1 *values = self->host->get_extension(self->host, text(MH_EXT_VALUE));
    self->taps = self->host->get_extension(self->host, text(MH_EXT_TAP));
    if (!values || !self->taps)
        return MH_E_UNSUPPORTED;
    mh_str_1 pad = values->as_string(values->member(config, text("place")));
    mh_str_1 fails = values->as_string(values->member(config, text("fails")));
    if (pad.len >= sizeof self->pad || is(fails, "init"))
        return MH_E_INVALID;
    memcpy(self->pad, pad.ptr, pad.len);
    self->fails_to_begin = is(fails, "activate");
    return MH_OK;
}

static mh_status activate(const mh_plugin_1 *plugin) {
    choosy *self = plugin->plugin_data;
    mh_tap_1 *tap;
    if (self->fails_to_begin)
        return MH_E_FAILED;
    return self->taps->attach(self->host, text(self->pad), &self->client, &tap);
}
static void destroy(const mh_plugin_1 *plugin) { free(plugin->plugin_data); }

static const mh_descriptor_1 about = {
    .id = "org.example.choosy",
    .name = "Choosy",
    .vendor = "a test",
    .version = "1.0.0",
    .license = "MIT",
    .summary = "Taps what its config does not declare as a pad.",
    .config_schema = "{\"type\":\"object\",\"required\":[\"place\"],\"properties\":{"
                     "\"place\":{\"type\":\"string\"},"
                     "\"fails\":{\"type\":\"string\",\"enum\":[\"never\",\"init\",\"activate\"],"
                     "\"default\":\"never\"}}}",
};

static const mh_plugin_1 *create(const mh_host_1 *host, mh_str_1 id) {
    choosy *self = calloc(1, sizeof *self);
    (void)id;
    if (!self)
        return NULL;
    self->host = host;
    self->client = (mh_tap_client_1){self, no_epoch, no_format, no_buffer, no_gap, no_end, no_end};
    self->plugin = (mh_plugin_1){
        .plugin_data = self,
        .init = init,
        .activate = activate,
        .deactivate = nothing,
        .destroy = destroy,
        .on_main = nothing,
    };
    return &self->plugin;
}
