/* A plugin that writes down what it is told of keys and of audio outputs. */
#include "fixture.h"

#include <stdio.h>

static const mh_host_1 *host;

static void on_event(const mh_plugin_1 *plugin, const mh_event_1 *event) {
    const mh_value_ext_1 *values = host->get_extension(host, text(MH_EXT_VALUE));
    const mh_log_ext_1 *log = host->get_extension(host, text(MH_EXT_LOG));
    char line[256];
    (void)plugin;
    if (values == NULL || log == NULL)
        return;
    if (is(event->name, "input.key")) {
        mh_str_1 input = values->as_string(values->member(event->payload, text("input")));
        mh_str_1 key = values->as_string(values->member(event->payload, text("key")));
        mh_str_1 press = values->as_string(values->member(event->payload, text("press")));
        int code = (int)values->as_int(values->member(event->payload, text("code")));
        snprintf(line, sizeof line, "heard %.*s %.*s (%d) %.*s", (int)input.len, input.ptr, (int)key.len, key.ptr, code,
                 (int)press.len, press.ptr);
    } else {
        mh_str_1 name = values->as_string(values->member(event->payload, text("name")));
        snprintf(line, sizeof line, "heard %.*s %.*s", (int)event->name.len, event->name.ptr, (int)name.len, name.ptr);
    }
    log->write(host, MH_LOG_NOTICE, text(line));
}

static const void *get_extension(const mh_plugin_1 *plugin, mh_str_1 id) {
    static const char *const names[] = {"input.key", "output.*", NULL};
    static const mh_events_plugin_1 events = {.subscriptions = names, .on_event = on_event};
    (void)plugin;
    return is(id, MH_EXT_EVENTS) ? &events : NULL;
}

static const mh_descriptor_1 about = {
    .id = "org.example.key-listener",
    .name = "KeyListener",
    .vendor = "a test",
    .version = "1.0.0",
    .license = "MIT",
    .summary = "Listens for keys and outputs.",
};

FIXTURE_CREATE(no_init, host)
