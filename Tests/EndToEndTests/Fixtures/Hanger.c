/* A plugin that keeps the control thread until somebody has opened hang.fifo for writing and closed it, and reserves memory. */
#define _POSIX_C_SOURCE 200809L
#include "fixture.h"

#include <fcntl.h>
#include <unistd.h>

static const mh_host_1 *the_host;
static const mh_commands_host_1 *replies;
static const char schema[] = "{\"type\":\"object\",\"properties\":{\"memory\":"
                             "{\"type\":\"integer\",\"format\":\"size\",\"default\":\"1MiB\",\"x-reserves\":true}}}";

static mh_status init(const mh_plugin_1 *plugin, const mh_value_1 *config) {
    (void)plugin, (void)config;
    replies = the_host->get_extension(the_host, text(MH_EXT_COMMANDS));
    return replies ? MH_OK : MH_E_UNSUPPORTED;
}

static void invoke(const mh_plugin_1 *plugin, mh_token token, mh_str_1 name, const mh_value_1 *parameters) {
    int file = open("hang.fifo", O_RDONLY | O_CLOEXEC);
    char byte;
    (void)plugin, (void)name, (void)parameters;
    while (file >= 0 && read(file, &byte, 1) > 0) {}
    if (file >= 0) close(file);
    replies->reply(the_host, token, NULL);
}
static void cancel(const mh_plugin_1 *plugin, mh_token token) { (void)plugin, (void)token; }

static const void *get_extension(const mh_plugin_1 *plugin, mh_str_1 id) {
    static const mh_command_1 hang = {.name = "hang", .summary = "Hangs."};
    static const mh_commands_plugin_1 commands = {.commands = &hang, .count = 1, .invoke = invoke, .cancel = cancel};
    (void)plugin;
    return is(id, MH_EXT_COMMANDS) ? &commands : NULL;
}

static const mh_descriptor_1 about = {
    .id = "org.example.hanger",
    .name = "Hanger",
    .vendor = "a test",
    .version = "1.0.0",
    .license = "MIT",
    .summary = "Does not come back.",
    .config_schema = schema,
};

FIXTURE_CREATE(init, the_host)
