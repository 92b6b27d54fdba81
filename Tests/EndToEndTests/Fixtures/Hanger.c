/* A plugin that keeps the control thread until somebody opens hang.fifo for writing, and reserves memory. */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <mediahost.h>
#include <string.h>
#include <unistd.h>

static const mh_host_1 *the_host;
static const mh_commands_host_1 *replies;
static const char schema[] = "{\"type\":\"object\",\"properties\":{\"memory\":"
                             "{\"type\":\"integer\",\"format\":\"size\",\"default\":\"1MiB\",\"x-reserves\":true}}}";

static mh_str_1 text(const char *words) { return (mh_str_1){words, strlen(words)}; }

static mh_status init(const mh_plugin_1 *plugin, const mh_value_1 *config) {
    (void)plugin, (void)config;
    replies = the_host->get_extension(the_host, text(MH_EXT_COMMANDS));
    return replies ? MH_OK : MH_E_UNSUPPORTED;
}
static mh_status activate(const mh_plugin_1 *plugin) {
    (void)plugin;
    return MH_OK;
}
static void nothing(const mh_plugin_1 *plugin) { (void)plugin; }

static void invoke(const mh_plugin_1 *plugin, mh_token token, mh_str_1 name, const mh_value_1 *parameters) {
    int file = open("hang.fifo", O_RDONLY | O_CLOEXEC);
    (void)plugin, (void)name, (void)parameters;
    if (file >= 0) close(file);
    replies->reply(the_host, token, NULL);
}
static void cancel(const mh_plugin_1 *plugin, mh_token token) { (void)plugin, (void)token; }

static const void *get_extension(const mh_plugin_1 *plugin, mh_str_1 id) {
    static const mh_command_1 hang = {.name = "hang", .summary = "Hangs."};
    static const mh_commands_plugin_1 commands = {.commands = &hang, .count = 1, .invoke = invoke, .cancel = cancel};
    (void)plugin;
    return id.len == strlen(MH_EXT_COMMANDS) && memcmp(id.ptr, MH_EXT_COMMANDS, id.len) == 0 ? &commands : NULL;
}

static uint32_t count(void) { return 1; }

static const mh_descriptor_1 *descriptor(uint32_t index) {
    static const mh_descriptor_1 hanger = {
        .id = "org.example.hanger",
        .name = "Hanger",
        .vendor = "a test",
        .version = "1.0.0",
        .license = "MIT",
        .summary = "Does not come back.",
        .config_schema = schema,
    };
    return index == 0 ? &hanger : NULL;
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
    (void)id;
    the_host = host;
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
