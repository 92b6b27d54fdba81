#include "bench_tap.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    mh_plugin_1 plugin;
    mh_tap_client_1 client;
    const mh_host_1 *host;
    const mh_tap_ext_1 *taps;
    const mh_lifecycle_host_1 *lifecycle;
    mh_tap_1 *tap;
    char pad[128];
    uint64_t buffers, bytes;
} bench_tap;

static mh_str_1 str(const char *text) { return (mh_str_1){text, strlen(text)}; }

/* ---- the tap: [stream] -------------------------------------------------------------------------------------------- */

static void tap_epoch(void *context, const mh_epoch_1 *epoch) { (void)context, (void)epoch; }
static void tap_format(void *context, uint32_t id, mh_str_1 caps) { (void)context, (void)id, (void)caps; }
static void tap_gap(void *context, mh_time pts, mh_time duration) { (void)context, (void)pts, (void)duration; }
static void tap_eos(void *context) { (void)context; }
static void tap_detached(void *context) { ((bench_tap *)context)->tap = NULL; }

static void tap_buffer(void *context, const mh_buffer_1 *buffer) {
    bench_tap *self = context;
    self->buffers++;
    self->bytes += buffer->size;
}

/* ---- the instance: [main] ------------------------------------------------------------------------------------------ */

static mh_status instance_init(const mh_plugin_1 *plugin, const mh_value_1 *config) {
    bench_tap *self = plugin->plugin_data;
    const mh_value_ext_1 *value = self->host->get_extension(self->host, str(MH_EXT_VALUE));
    self->lifecycle = self->host->get_extension(self->host, str(MH_EXT_LIFECYCLE));
    self->taps = self->host->get_extension(self->host, str(MH_EXT_TAP));
    mh_str_1 pad = value->as_string(value->member(config, str("pad")));
    if (pad.len == 0 || pad.len >= sizeof self->pad)
        return MH_E_INVALID;
    memcpy(self->pad, pad.ptr, pad.len);
    return MH_OK;
}

static mh_status instance_activate(const mh_plugin_1 *plugin) {
    bench_tap *self = plugin->plugin_data;
    return self->taps->attach(self->host, str(self->pad), &self->client, &self->tap);
}

static void instance_deactivate(const mh_plugin_1 *plugin) {
    bench_tap *self = plugin->plugin_data;
    if (self->tap != NULL)
        self->taps->detach(self->host, self->tap);
}

static void instance_destroy(const mh_plugin_1 *plugin) { free(plugin->plugin_data); }
static void instance_on_main(const mh_plugin_1 *plugin) { (void)plugin; }

static void on_state(const mh_plugin_1 *plugin, mh_token token, mh_lifecycle_state state, mh_lifecycle_change change,
                     mh_time deadline) {
    bench_tap *self = plugin->plugin_data;
    (void)state, (void)change, (void)deadline;
    if (token != 0 && self->lifecycle != NULL)
        self->lifecycle->ack(self->host, token, MH_OK);
}

static const void *instance_extension(const mh_plugin_1 *plugin, mh_str_1 id) {
    static const mh_lifecycle_plugin_1 lifecycle = {.on_state = on_state, .ack_within = 0};
    const mh_str_1 known = str(MH_EXT_LIFECYCLE);
    (void)plugin;
    return id.len == known.len && memcmp(id.ptr, known.ptr, id.len) == 0 ? &lifecycle : NULL;
}

/* ---- the library -------------------------------------------------------------------------------------------------- */

static const char *const required[] = {MH_EXT_VALUE, MH_EXT_TAP, NULL};

static const mh_descriptor_1 descriptor = {
    .id = "org.mediahost.bench-tap",
    .name = "BenchTap",
    .vendor = "the mediahost authors",
    .version = "0.1.0",
    .license = "MIT",
    .summary = "Taps a pad and does next to nothing.",
    .requires_ext = required,
    .config_schema = "{\"type\":\"object\",\"properties\":{\"pad\":{\"type\":\"string\",\"format\":\"pad\"}},"
                     "\"required\":[\"pad\"],\"additionalProperties\":false}",
};

static uint32_t factory_count(void) { return 1; }
static const mh_descriptor_1 *factory_descriptor(uint32_t index) { return index == 0 ? &descriptor : NULL; }

static const mh_plugin_1 *factory_create(const mh_host_1 *host, mh_str_1 id) {
    (void)id; /* there is only one */
    bench_tap *self = calloc(1, sizeof *self);
    if (self == NULL)
        return NULL;
    self->host = host;
    self->client = (mh_tap_client_1){self, tap_epoch, tap_format, tap_buffer, tap_gap, tap_eos, tap_detached};
    self->plugin = (mh_plugin_1){
        self, instance_init, instance_activate, instance_deactivate, instance_destroy, instance_on_main,
        instance_extension,
    };
    return &self->plugin;
}

static mh_status entry_init(mh_str_1 path) {
    (void)path;
    return MH_OK;
}
static void entry_deinit(void) {}

static const void *entry_factory(mh_str_1 id) {
    static const mh_factory_1 factory = {factory_count, factory_descriptor, factory_create};
    const mh_str_1 known = str(MH_FACTORY_PLUGIN);
    return id.len == known.len && memcmp(id.ptr, known.ptr, id.len) == 0 ? &factory : NULL;
}

const mh_entry_1 *mh_plugin_entry_1(void) {
    static const mh_entry_1 entry = {
        MH_ENTRY_MAGIC, MH_ABI_MAJOR, MH_ABI_MINOR, "cc", entry_init, entry_deinit, entry_factory,
    };
    return &entry;
}
