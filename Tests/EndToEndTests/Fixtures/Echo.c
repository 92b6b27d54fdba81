/* A plugin with one command, which posts an event with what it was given before it answers. */
#include "fixture.h"

static const mh_host_1 *host;

static void invoke(const mh_plugin_1 *plugin, mh_token token, mh_str_1 name, const mh_value_1 *parameters) {
    const mh_value_ext_1 *values = host->get_extension(host, text(MH_EXT_VALUE));
    const mh_events_host_1 *events = host->get_extension(host, text(MH_EXT_EVENTS));
    const mh_commands_host_1 *commands = host->get_extension(host, text(MH_EXT_COMMANDS));
    (void)plugin, (void)name;
    if (values == NULL || events == NULL || commands == NULL)
        return;
    mh_builder_1 *payload = values->build();
    values->put_string(payload, text("words"), values->as_string(values->member(parameters, text("words"))));
    events->post(host, text("org.example.echo.said"), payload);
    commands->reply(host, token, NULL);
}

static void cancel(const mh_plugin_1 *plugin, mh_token token) { (void)plugin, (void)token; }

static const void *get_extension(const mh_plugin_1 *plugin, mh_str_1 id) {
    static const mh_command_1 say = {
        .name = "say",
        .summary = "Posts org.example.echo.said.",
        .parameters = "{\"type\":\"object\",\"properties\":{\"words\":{\"type\":\"string\"},"
                      "\"times\":{\"type\":\"integer\",\"default\":1}},\"required\":[\"words\"]}",
    };
    static const mh_commands_plugin_1 commands = {.commands = &say, .count = 1, .invoke = invoke, .cancel = cancel};
    (void)plugin;
    return is(id, MH_EXT_COMMANDS) ? &commands : NULL;
}

static const mh_descriptor_1 about = {
    .id = "org.example.echo",
    .name = "Echo",
    .vendor = "a test",
    .version = "1.0.0",
    .license = "MIT",
    .summary = "Says what it is told to say.",
};

FIXTURE_CREATE(no_init, host)
