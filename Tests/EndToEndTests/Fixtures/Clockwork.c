/* A plugin that lives by a timer and a file descriptor, and takes over other configs, or not, as its greeting says. */
#define _POSIX_C_SOURCE 200809L
#include "fixture.h"

#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

typedef struct clockwork {
    mh_plugin_1 plugin;
    const mh_host_1 *host;
    const mh_value_ext_1 *values;
    const mh_clock_ext_1 *clock;
    const mh_timer_host_1 *timers;
    const mh_fd_host_1 *files;
    const mh_config_host_1 *configs;
    const mh_commands_host_1 *commands;
    const mh_tap_ext_1 *taps;
    mh_tap_client_1 client;
    mh_tap_1 *tap;
    char place[64];
    mh_time every;
    char greeting[32];
    mh_token timer;
    int bell;
    int64_t ticks, rings, number;
} clockwork;

static int64_t made; /* instances of this process */
static int onces;    /* those that may not come a second time */

static void copy(char *to, size_t size, mh_str_1 from) {
    memset(to, 0, size);
    memcpy(to, from.ptr, from.len < size ? from.len : size - 1);
}
static mh_str_1 greeting_of(clockwork *self, const mh_value_1 *config) {
    return self->values->as_string(self->values->member(config, text("greeting")));
}
static void take(clockwork *self, const mh_value_1 *config) {
    self->every = self->values->as_int(self->values->member(config, text("every")));
    copy(self->greeting, sizeof self->greeting, greeting_of(self, config));
    copy(self->place, sizeof self->place, self->values->as_string(self->values->member(config, text("place"))));
}

static mh_status init(const mh_plugin_1 *plugin, const mh_value_1 *config) {
    clockwork *self = plugin->plugin_data;
    const mh_host_1 *host = self->host;
    self->values = host->get_extension(host, text(MH_EXT_VALUE));
    self->clock = host->get_extension(host, text(MH_EXT_CLOCK));
    self->timers = host->get_extension(host, text(MH_EXT_TIMER));
    self->files = host->get_extension(host, text(MH_EXT_FD));
    self->configs = host->get_extension(host, text(MH_EXT_CONFIG));
    self->commands = host->get_extension(host, text(MH_EXT_COMMANDS));
    self->taps = host->get_extension(host, text(MH_EXT_TAP));
    if (!self->taps || !self->values || !self->clock || !self->timers || !self->files || !self->configs || !self->commands)
        return MH_E_UNSUPPORTED;
    self->number = ++made;
    self->bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    take(self, config);
    if (strcmp(self->greeting, "once") == 0 && onces++ > 0)
        return MH_E_FAILED;
    return self->bell < 0 ? MH_E_FAILED : MH_OK;
}

static mh_status arm(clockwork *self) {
    mh_timer_1 timer = {.clock = MH_CLOCK_BOOTTIME,
                        .at = self->clock->boottime(self->host) + self->every,
                        .repeat = self->every,
                        .slack = 1000000};
    return self->timers->arm(self->host, &timer, &self->timer);
}
/* Listens where its config says, which may be nowhere. */
static mh_status listen(clockwork *self) {
    if (self->tap)
        self->taps->detach(self->host, self->tap);
    self->tap = NULL;
    return *self->place ? self->taps->attach(self->host, text(self->place), &self->client, &self->tap) : MH_OK;
}
static mh_status activate(const mh_plugin_1 *plugin) {
    clockwork *self = plugin->plugin_data;
    mh_status status = self->files->watch(self->host, self->bell, MH_FD_READABLE);
    if (status == MH_OK)
        status = listen(self);
    return status == MH_OK ? arm(self) : status;
}
static void destroy(const mh_plugin_1 *plugin) {
    clockwork *self = plugin->plugin_data;
    if (self->bell >= 0)
        close(self->bell);
    free(self);
}

static void on_timer(const mh_plugin_1 *plugin, const mh_timer_expiry_1 *expiry) {
    clockwork *self = plugin->plugin_data;
    uint64_t one = 1;
    if (expiry->timer != self->timer || expiry->late < 0)
        self->host->fail(self->host, MH_E_FAILED, text("a timer that is not mine, or too early"));
    self->ticks += (int64_t)expiry->expirations;
    if (write(self->bell, &one, sizeof one) < 0)
        self->host->fail(self->host, MH_E_FAILED, text("the bell does not ring"));
}
static void on_fd(const mh_plugin_1 *plugin, int32_t fd, mh_fd_events events) {
    clockwork *self = plugin->plugin_data;
    uint64_t rung = 0;
    if (fd == self->bell && events == MH_FD_READABLE && read(fd, &rung, sizeof rung) == sizeof rung)
        self->rings += (int64_t)rung;
}

static mh_status validate(const mh_plugin_1 *plugin, const mh_value_1 *config) {
    clockwork *self = plugin->plugin_data;
    mh_str_1 greeting = greeting_of(self, config);
    if (is(greeting, "rude")) {
        self->configs->refuse(self->host, text("greeting"), text("be polite"));
        self->configs->refuse(self->host, text("every"), text("and patient"));
        return MH_E_INVALID;
    }
    return is(greeting, "reborn") ? MH_E_UNSUPPORTED : MH_OK;
}
static mh_status apply(const mh_plugin_1 *plugin, const mh_value_1 *config) {
    clockwork *self = plugin->plugin_data;
    if (is(greeting_of(self, config), "fickle")) {
        self->configs->refuse(self->host, text("greeting"), text("not now"));
        return MH_E_FAILED;
    }
    if (strcmp(self->greeting, "sticky") == 0)
        return MH_E_STATE;
    take(self, config);
    self->timers->cancel(self->host, self->timer);
    mh_status status = listen(self);
    return status == MH_OK ? arm(self) : status;
}

static void invoke(const mh_plugin_1 *plugin, mh_token token, mh_str_1 name, const mh_value_1 *parameters) {
    clockwork *self = plugin->plugin_data;
    mh_builder_1 *answer = self->values->build();
    (void)name, (void)parameters;
    self->values->put_int(answer, text("ticks"), self->ticks);
    self->values->put_int(answer, text("rings"), self->rings);
    self->values->put_int(answer, text("instance"), self->number);
    self->values->put_int(answer, text("every_ns"), self->every);
    self->values->put_string(answer, text("greeting"), text(self->greeting));
    self->commands->reply(self->host, token, answer);
}
static void cancel(const mh_plugin_1 *plugin, mh_token token) { (void)plugin, (void)token; }

static const void *extension(const mh_plugin_1 *plugin, mh_str_1 id) {
    static const mh_timer_plugin_1 timers = {on_timer};
    static const mh_fd_plugin_1 files = {on_fd};
    static const mh_config_plugin_1 configs = {validate, apply};
    static const mh_command_1 state = {"state", "Says how it is.", NULL, NULL};
    static const mh_commands_plugin_1 commands = {&state, 1, invoke, cancel};
    (void)plugin;
    return is(id, MH_EXT_TIMER)      ? (const void *)&timers
           : is(id, MH_EXT_FD)       ? (const void *)&files
           : is(id, MH_EXT_CONFIG)   ? (const void *)&configs
           : is(id, MH_EXT_COMMANDS) ? (const void *)&commands
                                     : NULL;
}

static const mh_descriptor_1 about = {
    .id = "org.example.clockwork",
    .name = "Clockwork",
    .vendor = "a test",
    .version = "1.0.0",
    .license = "MIT",
    .summary = "Ticks.",
    .config_schema = "{\"type\":\"object\",\"properties\":{"
                     "\"every\":{\"type\":\"integer\",\"format\":\"duration\",\"default\":\"20ms\"},"
                     "\"place\":{\"type\":\"string\",\"default\":\"\"},"
                     "\"greeting\":{\"type\":\"string\",\"default\":\"hello\"}}}",
};

static const mh_plugin_1 *create(const mh_host_1 *host, mh_str_1 id) {
    clockwork *self = calloc(1, sizeof *self);
    (void)id;
    if (!self)
        return NULL;
    self->host = host;
    self->bell = -1;
    self->client = (mh_tap_client_1){self, no_epoch, no_format, no_buffer, no_gap, no_end, no_end};
    self->plugin = (mh_plugin_1){
        .plugin_data = self,
        .init = init,
        .activate = activate,
        .deactivate = nothing,
        .destroy = destroy,
        .on_main = nothing,
        .get_extension = extension,
    };
    return &self->plugin;
}
