/* A plugin that taps a pad the host cannot know beforehand, and fails where it is told to. */
#include <mediahost.h>
#include <stdlib.h>
#include <string.h>

typedef struct choosy {
    mh_plugin_1 plugin;
    const mh_host_1 *host;
    const mh_tap_ext_1 *taps;
    mh_tap_client_1 client;
    char pad[128];
    int fails_to_begin;
} choosy;

static mh_str_1 text(const char *words) { return (mh_str_1){words, strlen(words)}; }
static int is(mh_str_1 value, const char *words) {
    return value.len == strlen(words) && memcmp(value.ptr, words, value.len) == 0;
}

static void epoch(void *context, const mh_epoch_1 *epoch) { (void)context, (void)epoch; }
static void format(void *context, uint32_t id, mh_str_1 caps) { (void)context, (void)id, (void)caps; }
static void buffer(void *context, const mh_buffer_1 *buffer) { (void)context, (void)buffer; }
static void gap(void *context, mh_time pts, mh_time duration) { (void)context, (void)pts, (void)duration; }
static void nothing_more(void *context) { (void)context; }

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
static void nothing(const mh_plugin_1 *plugin) { (void)plugin; }
static void destroy(const mh_plugin_1 *plugin) { free(plugin->plugin_data); }
static const void *get_extension(const mh_plugin_1 *plugin, mh_str_1 id) {
    (void)plugin, (void)id;
    return NULL;
}

static uint32_t count(void) { return 1; }

static const mh_descriptor_1 *descriptor(uint32_t index) {
    static const mh_descriptor_1 choosy = {
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
    return index == 0 ? &choosy : NULL;
}

static const mh_plugin_1 *create(const mh_host_1 *host, mh_str_1 id) {
    choosy *self = calloc(1, sizeof *self);
    (void)id;
    if (!self)
        return NULL;
    self->host = host;
    self->client = (mh_tap_client_1){self, epoch, format, buffer, gap, nothing_more, nothing_more};
    self->plugin = (mh_plugin_1){
        .plugin_data = self,
        .init = init,
        .activate = activate,
        .deactivate = nothing,
        .destroy = destroy,
        .on_main = nothing,
        .get_extension = get_extension,
    };
    return &self->plugin;
}

static mh_status entry_init(mh_str_1 library_path) {
    (void)library_path;
    return MH_OK;
}
static void entry_deinit(void) {}

static const void *get_factory(mh_str_1 factory_id) {
    static const mh_factory_1 factory = {.count = count, .descriptor = descriptor, .create = create};
    (void)factory_id;
    return &factory;
}

const mh_entry_1 *mh_plugin_entry_1(void) {
    static const mh_entry_1 entry = {
        .magic = MH_ENTRY_MAGIC,
        .abi_major = MH_ABI_MAJOR,
        .abi_minor = MH_ABI_MINOR,
        .built_with = "cc",
        .init = entry_init,
        .deinit = entry_deinit,
        .get_factory = get_factory,
    };
    return &entry;
}
