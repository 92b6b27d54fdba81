/* A plugin that is asked before a pause and never answers. */
#include <mediahost.h>
#include <string.h>

static mh_status init(const mh_plugin_1 *plugin, const mh_value_1 *config) {
    (void)plugin, (void)config;
    return MH_OK;
}
static mh_status activate(const mh_plugin_1 *plugin) {
    (void)plugin;
    return MH_OK;
}
static void nothing(const mh_plugin_1 *plugin) { (void)plugin; }

static void on_state(const mh_plugin_1 *plugin, mh_token token, mh_lifecycle_state state, mh_lifecycle_change change,
                     mh_time deadline) {
    (void)plugin, (void)token, (void)state, (void)change, (void)deadline;
}

static const void *get_extension(const mh_plugin_1 *plugin, mh_str_1 id) {
    static const mh_lifecycle_plugin_1 lifecycle = {.on_state = on_state, .ack_within = 200000000}; /* 200 ms */
    (void)plugin;
    return id.len == strlen(MH_EXT_LIFECYCLE) && memcmp(id.ptr, MH_EXT_LIFECYCLE, id.len) == 0 ? &lifecycle : NULL;
}

static uint32_t count(void) { return 1; }

static const mh_descriptor_1 *descriptor(uint32_t index) {
    static const mh_descriptor_1 silent = {
        .id = "org.example.silent",
        .name = "Silent",
        .vendor = "a test",
        .version = "1.0.0",
        .license = "MIT",
        .summary = "Never answers.",
    };
    return index == 0 ? &silent : NULL;
}

static const mh_plugin_1 *create(const mh_host_1 *host, mh_str_1 id) {
    static const mh_plugin_1 plugin = {
        .init = init,
        .activate = activate,
        .deactivate = nothing,
        .destroy = nothing,
        .on_main = nothing,
        .get_extension = get_extension,
    };
    (void)host, (void)id;
    return &plugin;
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
