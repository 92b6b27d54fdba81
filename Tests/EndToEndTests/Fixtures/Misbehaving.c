/* A plugin that loads, and has one fault, chosen by -DFAULT: what `mediahost plugin check` is for. */
#define _GNU_SOURCE
/* By number: the preprocessor does not know the enumeration. */
#if FAULT == 41
#define FIXTURE_HAS(index) 1
#endif
#include "fixture.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum {
    GOOD,
    LEAK_MEMORY,
    LEAK_FILE,
    LEAK_THREAD,
    ANSWER_TWICE,
    NEVER_ANSWER,
    NEVER_ACKNOWLEDGE,
    ACKNOWLEDGE_TWICE,
    HANG_IN_EVENT,
    EXIT_IN_EVENT,
    CRASH_IN_DEACTIVATE,
    KEEP_STRING,
    KEEP_VALUE,
    KEEP_BUFFER,
    MAIN_FROM_THREAD,
    POST_FROM_STREAM,
    REPLY_AFTER_DESTROY,
    READ_HOST_AFTER_DESTROY,
    CRASH_ON_TEXT,
    REFUSE_SILENTLY,
    EXTRA_SYMBOLS,
    FORGET_BUILDER,
    CALL_BEFORE_INIT,
    POST_IN_INIT,
    ANY_ID,
    PEEK_AT_HOST,
    NO_ACTIVATE_TWICE,
    KEEP_EXPIRY,
    ARM_FROM_THREAD,
    ARM_UNCLEAN,
    FOREIGN_CELL,
    KEEP_RETAINED,
    EVENT_LOOP,
    GIVE_UP,
    ANY_EXTENSION,
    BAD_TEXT,
    HANG_IN_BUFFER,
    CRASH_IN_BUFFER,
    NO_CANCEL,
    REFUSE_ALL,
    /* By how it is linked. */
    EXECUTABLE_STACK,
    PAST_THE_END,
    KEEP_REQUEST,
    RESPOND_TWICE,
    NEVER_RESPOND,
    KEEP_NAME,
    SLOW_INIT,
    FLOOD_EVENTS,
    WATCH_FROM_THREAD,
    HANG_IN_FILE,
    BREAK_WORD,
    REFUSE_LIVE_SILENTLY,
    KEEP_LIVE_CONFIG,
};

#if FAULT == 20
MH_EXPORT int misbehaving_helper(void);
int misbehaving_helper(void) { return 1; }
#endif

typedef struct {
    mh_plugin_1 plugin;
    mh_tap_client_1 client;
    const mh_host_1 *host;
    const mh_log_ext_1 *log;
    const mh_value_ext_1 *value;
    const mh_events_host_1 *events;
    const mh_commands_host_1 *commands;
    const mh_lifecycle_host_1 *lifecycle;
    const mh_metrics_ext_1 *metrics;
    const mh_fd_host_1 *files;
    const mh_routes_host_1 *routes;
    const mh_timer_host_1 *timers;
    const mh_tap_ext_1 *taps;
    mh_tap_1 *tap;
    mh_metric_cell_1 *buffers;
    char pad[128];
    mh_str_1 kept_text;
    mh_str_1 kept_name;
    const mh_value_1 *kept_value;
    const uint8_t *kept_bytes;
    const mh_buffer_1 *kept_buffer;
    const mh_timer_expiry_1 *kept_expiry;
    const mh_request_1 *kept_request;
    const mh_value_1 *kept_config;
    mh_token open_token;
    int ends[2];
    int activations;
    atomic_int bytes;
} instance;

static instance *of(const mh_plugin_1 *plugin) { return plugin->plugin_data; }
static void nap(long milliseconds) { nanosleep(&(struct timespec){0, milliseconds * 1000000}, NULL); }

static void start(void *(*body)(void *), void *context) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, body, context) == 0) pthread_detach(thread);
}

/* ---- threads of its own */

static void *wait_for_ever(void *context) {
    for (;;) pause();
    return context;
}
static void *extend(void *context) {
    instance *self = context;
    self->host->get_extension(self->host, text(MH_EXT_CLOCK));
    return NULL;
}

static void arm(instance *self) {
    const mh_timer_1 timer = {
        .clock = MH_CLOCK_MONOTONIC, .repeat = 20000000, .reserved = FAULT == ARM_UNCLEAN ? 7 : 0};
    mh_token token;
    self->timers->arm(self->host, &timer, &token);
}
static void *watch_aside(void *context) {
    instance *self = context;
    self->files->watch(self->host, 0, MH_FD_READABLE);
    return NULL;
}
static void *arm_aside(void *context) {
    arm(context);
    return NULL;
}

typedef struct {
    const mh_host_1 *host;
    const mh_commands_host_1 *commands;
    mh_token token;
} late;
static void *answer_late(void *context) {
    late *self = context;
    nap(150);
    self->commands->reply(self->host, self->token, NULL);
    free(self);
    return NULL;
}
static void *look_late(void *context) {
    const mh_host_1 *host = context;
    for (int round = 0; round < 200; round++) {
        nap(5);
        if (host->reserved != 0) return NULL;
    }
    return NULL;
}

/* ---- the tap */

static void on_buffer(void *context, const mh_buffer_1 *buffer) {
    instance *self = context;
    if (FAULT == POST_FROM_STREAM) self->events->post(self->host, text("org.example.misbehaving.buffer"), NULL);
    if (FAULT == KEEP_BUFFER) {
        if (self->kept_bytes != NULL) atomic_fetch_add(&self->bytes, self->kept_bytes[0]);
        self->kept_bytes = buffer->data;
    }
    self->metrics->add(self->buffers, 1);
    if (FAULT == KEEP_RETAINED && self->kept_buffer == NULL) self->kept_buffer = self->taps->retain(buffer);
    if (FAULT == HANG_IN_BUFFER) wait_for_ever(NULL);
    if (FAULT == CRASH_IN_BUFFER) abort();
}
static void detached(void *context) { ((instance *)context)->tap = NULL; }

/* ---- the instance */

static mh_status init(const mh_plugin_1 *plugin, const mh_value_1 *config) {
    instance *self = of(plugin);
    const mh_host_1 *host = self->host;
    self->log = host->get_extension(host, text(MH_EXT_LOG));
    self->value = host->get_extension(host, text(MH_EXT_VALUE));
    self->events = host->get_extension(host, text(MH_EXT_EVENTS));
    self->commands = host->get_extension(host, text(MH_EXT_COMMANDS));
    self->lifecycle = host->get_extension(host, text(MH_EXT_LIFECYCLE));
    self->metrics = host->get_extension(host, text(MH_EXT_METRICS));
    self->routes = host->get_extension(host, text(MH_EXT_ROUTES));
    self->files = host->get_extension(host, text(MH_EXT_FD));
    self->timers = host->get_extension(host, text(MH_EXT_TIMER));
    self->taps = host->get_extension(host, text(MH_EXT_TAP));
    if (FAULT == REFUSE_ALL) {
        self->log->write(host, MH_LOG_ERROR, text("there is no licence"));
        return MH_E_FAILED;
    }
    const mh_metric_1 metric = {.name = "seen", .unit = "buffers", .help = "What came.", .kind = MH_METRIC_COUNTER};
    if (self->metrics->declare(host, &metric, &self->buffers) != MH_OK) return MH_E_FAILED;
    mh_str_1 pad = self->value->as_string(self->value->member(config, text("pad")));
    if (pad.len == 0 || pad.len >= sizeof self->pad) {
        self->log->write(host, MH_LOG_ERROR, text("the name of the pad is too long"));
        return MH_E_INVALID;
    }
    memcpy(self->pad, pad.ptr, pad.len);
    mh_str_1 word = self->value->as_string(self->value->member(config, text("text")));
    if (FAULT == CRASH_ON_TEXT && word.len == 0) *(volatile int *)16 = 1;
    if (FAULT == REFUSE_SILENTLY && word.len == 0) return MH_E_INVALID;
    if (FAULT == KEEP_VALUE) self->kept_value = self->value->member(config, text("text"));
    if (FAULT == POST_IN_INIT) self->events->post(host, text("org.example.misbehaving.begun"), NULL);
    if (FAULT == PEEK_AT_HOST && *(volatile uintptr_t *)host->host_data == 1) return MH_E_FAILED;
    if (FAULT == LEAK_MEMORY) {
        /* The least there is, and nothing that a compiler sees through. */
        void *volatile lost = malloc(1);
        if (lost == NULL) return MH_E_FAILED;
    }
    if (FAULT == LEAK_FILE) self->pad[127] = open("/dev/null", O_RDONLY | O_CLOEXEC) < 0;
    if (FAULT == LEAK_THREAD) start(wait_for_ever, NULL);
    if (FAULT == SLOW_INIT) nap(600), nap(600);
    return MH_OK;
}

static mh_status activate(const mh_plugin_1 *plugin) {
    instance *self = of(plugin);
    if (FAULT == NO_ACTIVATE_TWICE && self->activations++ > 0) {
        self->log->write(self->host, MH_LOG_ERROR, text("is active already"));
        return MH_E_STATE;
    }
    if (FAULT == MAIN_FROM_THREAD) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, extend, self) == 0) pthread_join(thread, NULL);
    }
    if (FAULT == WATCH_FROM_THREAD) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, watch_aside, self) == 0) pthread_join(thread, NULL);
    }
    if (pipe2(self->ends, O_CLOEXEC) != 0 || self->files->watch(self->host, self->ends[0], MH_FD_READABLE) != MH_OK ||
        self->files->modify(self->host, self->ends[0], MH_FD_READABLE) != MH_OK || write(self->ends[1], "x", 1) != 1)
        return MH_E_FAILED;
    if (FAULT == BAD_TEXT) self->log->write(self->host, MH_LOG_ERROR, text("\xff\xfe"));
    if (FAULT == FOREIGN_CELL) self->metrics->add((mh_metric_cell_1 *)self, 1);
    if (FAULT == ARM_FROM_THREAD) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, arm_aside, self) == 0) pthread_join(thread, NULL);
    } else {
        arm(self);
    }
    return self->taps->attach(self->host, text(self->pad), &self->client, &self->tap);
}

static void deactivate(const mh_plugin_1 *plugin) {
    instance *self = of(plugin);
    if (FAULT == CRASH_IN_DEACTIVATE) *(volatile int *)16 = 1;
    if (FAULT == KEEP_STRING && self->kept_text.len > 0) atomic_fetch_add(&self->bytes, self->kept_text.ptr[0]);
    if (FAULT == KEEP_VALUE) atomic_fetch_add(&self->bytes, (int)self->value->as_string(self->kept_value).len);
    /* It may end at once, and was the last: the instance is still there until this has returned. */
    if (self->tap != NULL) self->taps->detach(self->host, self->tap);
    if (self->ends[1] == 0) return;
    self->files->unwatch(self->host, self->ends[0]);
    close(self->ends[0]);
    close(self->ends[1]);
    self->ends[1] = 0;
}

static void destroy(const mh_plugin_1 *plugin) {
    instance *self = of(plugin);
    if (FAULT == REPLY_AFTER_DESTROY && self->open_token != 0) {
        late *other = malloc(sizeof *other);
        if (other != NULL) {
            *other = (late){self->host, self->commands, self->open_token};
            start(answer_late, other);
        }
    }
    if (FAULT == READ_HOST_AFTER_DESTROY && self->commands != NULL) start(look_late, (void *)self->host);
    free(self);
}

static void on_event(const mh_plugin_1 *plugin, const mh_event_1 *event) {
    instance *self = of(plugin);
    if (FAULT == HANG_IN_EVENT) wait_for_ever(NULL);
    if (FAULT == EXIT_IN_EVENT) exit(0);
    if (FAULT == KEEP_STRING) self->kept_text = event->name;
    if (FAULT == EVENT_LOOP) self->events->post(self->host, text("org.example.misbehaving.loop"), NULL);
}

static void on_main(const mh_plugin_1 *plugin) {
    instance *self = of(plugin);
    if (FAULT == GIVE_UP) self->host->fail(self->host, MH_E_FAILED, text("the camera is gone"));
}

static void on_timer(const mh_plugin_1 *plugin, const mh_timer_expiry_1 *expiry) {
    instance *self = of(plugin);
    for (int post = 0; FAULT == FLOOD_EVENTS && post < 400; post++)
        self->events->post(self->host, text("org.example.misbehaving.drop"), NULL);
    if (FAULT != KEEP_EXPIRY) return;
    if (self->kept_expiry != NULL) atomic_fetch_add(&self->bytes, (int)self->kept_expiry->late);
    self->kept_expiry = expiry;
}

static void on_state(const mh_plugin_1 *plugin, mh_token token, mh_lifecycle_state state, mh_lifecycle_change change,
                     mh_time deadline) {
    instance *self = of(plugin);
    (void)state, (void)change, (void)deadline;
    if (token == 0 || FAULT == NEVER_ACKNOWLEDGE) return;
    self->lifecycle->ack(self->host, token, MH_OK);
    if (FAULT == ACKNOWLEDGE_TWICE) self->lifecycle->ack(self->host, token, MH_OK);
}

static void invoke(const mh_plugin_1 *plugin, mh_token token, mh_str_1 name, const mh_value_1 *parameters) {
    instance *self = of(plugin);
    (void)name, (void)parameters;
    if (FAULT == NEVER_ANSWER) return;
    if (FAULT == REPLY_AFTER_DESTROY) self->open_token = token;
    if (FAULT == FORGET_BUILDER) self->value->build();
    self->commands->reply(self->host, token, NULL);
    if (FAULT == ANSWER_TWICE) self->commands->reject(self->host, token, MH_E_FAILED, text("once more"));
}
static void on_file(const mh_plugin_1 *plugin, int32_t file, mh_fd_events events) {
    instance *self = of(plugin);
    char byte;
    if (FAULT == HANG_IN_FILE) wait_for_ever(NULL);
    if (file != self->ends[0] || events != MH_FD_READABLE || read(file, &byte, 1) != 1)
        self->host->fail(self->host, MH_E_FAILED, text("another file"));
}

static mh_status validate(const mh_plugin_1 *plugin, const mh_value_1 *config) {
    instance *self = of(plugin);
    if (FAULT == REFUSE_LIVE_SILENTLY) return MH_E_INVALID;
    if (FAULT == KEEP_LIVE_CONFIG && self->kept_config != NULL)
        atomic_fetch_add(&self->bytes, (int)self->value->as_string(self->kept_config).len);
    self->kept_config = config;
    const mh_config_host_1 *host = self->host->get_extension(self->host, text(MH_EXT_CONFIG));
    if (self->value->as_string(self->value->member(config, text("text"))).len > 0) return MH_OK;
    host->refuse(self->host, text("text"), text("is empty: give a word"));
    return MH_E_INVALID;
}
static mh_status apply(const mh_plugin_1 *plugin, const mh_value_1 *config) {
    (void)plugin, (void)config;
    return FAULT == BREAK_WORD ? MH_E_FAILED : MH_OK;
}

static void built(const mh_plugin_1 *plugin, mh_str_1 name, void *pipeline) {
    instance *self = of(plugin);
    const mh_gst_host_1 *gst = self->host->get_extension(self->host, text(MH_EXT_GST));
    void *element;
    if (gst->element(self->host, text("no/such"), &element) != MH_E_NOT_FOUND || element != NULL || pipeline == NULL)
        self->host->fail(self->host, MH_E_FAILED, text("there is such an element"));
    self->kept_name = name;
}
static void released(const mh_plugin_1 *plugin, mh_str_1 name, void *pipeline) {
    instance *self = of(plugin);
    (void)name, (void)pipeline;
    if (FAULT == KEEP_NAME) atomic_fetch_add(&self->bytes, self->kept_name.ptr[0]);
}

static void cancel(const mh_plugin_1 *plugin, mh_token token) { (void)plugin, (void)token; }

static void on_request(const mh_plugin_1 *plugin, mh_token token, const mh_request_1 *request) {
    instance *self = of(plugin);
    if (FAULT == NEVER_RESPOND) return;
    if (FAULT == KEEP_REQUEST) {
        if (self->kept_request != NULL) atomic_fetch_add(&self->bytes, (int)self->kept_request->body_size);
        self->kept_request = request;
    }
    const mh_response_1 page = {.status = 200, .content_type = text("text/plain"), .body = "here", .body_size = 4};
    /* No answer: the request waits for the next. */
    const mh_response_1 none = {.status = 99};
    if (request->route == 0) {
        self->routes->respond(self->host, token, &none);
        self->routes->respond(self->host, token, &page);
    } else {
        self->routes->respond_value(self->host, token, NULL);
    }
    if (FAULT == RESPOND_TWICE) self->routes->reject(self->host, token, MH_E_NOT_FOUND, text("once more"));
}

static const void *get_extension(const mh_plugin_1 *plugin, mh_str_1 id) {
    static const mh_command_1 table[] = {
        {.name = "do", .summary = "Does.", .parameters = "{\"type\":\"object\",\"properties\":{\"word\":{\"type\":\"string\"}}}"}};
    static const mh_commands_plugin_1 commands = {.commands = table, .count = 1, .invoke = invoke, .cancel = FAULT == NO_CANCEL ? NULL : cancel};
    static const char *const names[] = {"pipeline.*", "org.example.misbehaving.loop", NULL};
    static const mh_events_plugin_1 events = {.subscriptions = names, .on_event = on_event};
    static const mh_lifecycle_plugin_1 lifecycle = {.on_state = on_state};
    static const mh_timer_plugin_1 timer = {.on_timer = on_timer};
    static const mh_route_1 rows[] = {{"GET", "/page", "A page."}, {"POST", "/things/{id}", "Takes a thing."}};
    static const mh_routes_plugin_1 routes = {.routes = rows, .count = 2, .request = on_request, .cancel = cancel};
    (void)plugin;
    static const mh_gst_plugin_1 pipelines = {.built = built, .released = released};
    static const mh_fd_plugin_1 files = {.on_fd = on_file};
    static const mh_config_plugin_1 config = {.validate = validate, .apply = apply};
    if (is(id, MH_EXT_CONFIG)) return &config;
    if (is(id, MH_EXT_FD)) return &files;
    if (is(id, MH_EXT_GST)) return &pipelines;
    if (is(id, MH_EXT_TIMER)) return &timer;
    if (is(id, MH_EXT_ROUTES)) return &routes;
    if (FAULT == ANY_EXTENSION && id.len == 0) return &commands;
    if (is(id, MH_EXT_COMMANDS)) return &commands;
    if (is(id, MH_EXT_EVENTS)) return &events;
    if (is(id, MH_EXT_LIFECYCLE)) return &lifecycle;
    return NULL;
}

static const mh_descriptor_1 about = {
    .id = "org.example.misbehaving",
    .name = "Misbehaving",
    .vendor = "a test",
    .version = "1.0.0",
    .license = "MIT",
    .summary = "Has one fault.",
    .config_schema = "{\"type\":\"object\",\"required\":[\"pad\"],\"properties\":{"
                     "\"pad\":{\"type\":\"string\",\"format\":\"pad\"},"
                     "\"text\":{\"type\":\"string\",\"default\":\"a word\"}}}",
};

static const mh_plugin_1 *create(const mh_host_1 *host, mh_str_1 id) {
    if (FAULT != ANY_ID && !is(id, about.id)) return NULL;
    instance *self = calloc(1, sizeof *self);
    if (self == NULL) return NULL;
    if (FAULT == CALL_BEFORE_INIT) host->get_extension(host, text(MH_EXT_LOG));
    self->host = host;
    self->client = (mh_tap_client_1){self, no_epoch, no_format, on_buffer, no_gap, no_end, detached};
    self->plugin = (mh_plugin_1){self, init, activate, deactivate, destroy, on_main, get_extension};
    return &self->plugin;
}
