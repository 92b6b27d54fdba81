/* A plugin with a command that takes as many steps as it is told to, says after each how far it is, and stops when nobody waits. */
#include "fixture.h"

#include <stdio.h>

static const mh_host_1 *host;
static const mh_commands_host_1 *commands;
static const mh_timer_host_1 *timers;
static mh_token walk, timer;
static int64_t steps, taken;

static void end(mh_status status) {
    mh_token token = walk;
    char words[64];
    walk = 0;
    timers->cancel(host, timer);
    if (status != MH_OK) {
        snprintf(words, sizeof words, "stopped after %lld steps", (long long)taken);
        commands->reject(host, token, status, text(words));
        return;
    }
    const mh_value_ext_1 *values = host->get_extension(host, text(MH_EXT_VALUE));
    mh_builder_1 *answer = values->build();
    values->put_int(answer, text("steps"), taken);
    commands->reply(host, token, answer);
}

static void on_timer(const mh_plugin_1 *plugin, const mh_timer_expiry_1 *expiry) {
    char words[64];
    (void)plugin, (void)expiry;
    if (walk == 0)
        return;
    snprintf(words, sizeof words, "step %lld", (long long)++taken);
    commands->progress(host, walk, (double)taken / (double)steps, text(words));
    if (taken == steps)
        end(MH_OK);
}

static void invoke(const mh_plugin_1 *plugin, mh_token token, mh_str_1 name, const mh_value_1 *parameters) {
    const mh_value_ext_1 *values = host->get_extension(host, text(MH_EXT_VALUE));
    const mh_clock_ext_1 *clock = host->get_extension(host, text(MH_EXT_CLOCK));
    mh_time every = values->as_int(values->member(parameters, text("every")));
    mh_timer_1 wish = {.clock = MH_CLOCK_MONOTONIC, .at = clock->monotonic(host) + every, .repeat = every};
    (void)plugin, (void)name;
    if (walk != 0) {
        commands->reject(host, token, MH_E_BUSY, text("one walk at a time"));
        return;
    }
    steps = values->as_int(values->member(parameters, text("steps")));
    taken = 0;
    mh_status status = timers->arm(host, &wish, &timer);
    if (status != MH_OK) {
        commands->reject(host, token, status, text("no timer"));
        return;
    }
    walk = token;
}

static void cancel(const mh_plugin_1 *plugin, mh_token token) {
    (void)plugin;
    if (token == walk)
        end(MH_E_CANCELLED);
}

static mh_status init(const mh_plugin_1 *plugin, const mh_value_1 *config) {
    (void)plugin, (void)config;
    commands = host->get_extension(host, text(MH_EXT_COMMANDS));
    timers = host->get_extension(host, text(MH_EXT_TIMER));
    return commands && timers && host->get_extension(host, text(MH_EXT_VALUE)) && host->get_extension(host, text(MH_EXT_CLOCK))
               ? MH_OK
               : MH_E_UNSUPPORTED;
}

static const void *get_extension(const mh_plugin_1 *plugin, mh_str_1 id) {
    static const mh_command_1 table = {
        .name = "walk",
        .summary = "Takes steps.",
        .parameters = "{\"type\":\"object\",\"properties\":{\"steps\":{\"type\":\"integer\",\"minimum\":1,\"default\":5},"
                      "\"every\":{\"type\":\"integer\",\"format\":\"duration\",\"default\":\"20ms\"}}}",
        .result = "{\"type\":\"object\",\"properties\":{\"steps\":{\"type\":\"integer\"}}}",
    };
    static const mh_commands_plugin_1 offered = {.commands = &table, .count = 1, .invoke = invoke, .cancel = cancel};
    static const mh_timer_plugin_1 timed = {on_timer};
    (void)plugin;
    return is(id, MH_EXT_COMMANDS) ? (const void *)&offered : is(id, MH_EXT_TIMER) ? (const void *)&timed : NULL;
}

static const mh_descriptor_1 about = {
    .id = "org.example.walker",
    .name = "Walker",
    .vendor = "a test",
    .version = "1.0.0",
    .license = "MIT",
    .summary = "Walks.",
};

FIXTURE_CREATE(init, host)
