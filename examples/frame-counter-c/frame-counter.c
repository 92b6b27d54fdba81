/*
 * A mediahost plugin: it counts the buffers that pass a pad, answers `count`, posts an event after every hundred, and shows
 * the count as a metric.
 *
 * Threads, as the headers name them: [main] is the host's control thread, [stream] a GStreamer thread, where nothing may
 * wait, allocate or log.
 */
#include <mediahost.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define PLUGIN_ID "org.example.frame-counter"

typedef struct counter {
    mh_plugin_1 plugin; /* what the host holds; its plugin_data points back here */
    const mh_host_1 *host;
    const mh_log_ext_1 *log;
    const mh_value_ext_1 *value;
    const mh_tap_ext_1 *taps;
    const mh_commands_host_1 *commands;
    const mh_events_host_1 *events;
    const mh_metrics_ext_1 *metrics;

    char *pad;
    int64_t every;
    _Atomic int64_t buffers; /* written by [stream], read by [main] */
    mh_metric_cell_1 *passed; /* the host's, for any thread */
    mh_tap_client_1 client;
    mh_tap_1 *tap;
} counter;

static mh_str_1 str(const char *text) { return (mh_str_1){text, strlen(text)}; }

static bool str_is(mh_str_1 string, const char *text) {
    return string.len == strlen(text) && (string.len == 0 || memcmp(string.ptr, text, string.len) == 0);
}

static counter *counter_of(const mh_plugin_1 *plugin) { return plugin->plugin_data; }

/* ---- the tap: [stream] ---- */

static void tap_buffer(void *context, const mh_buffer_1 *buffer) {
    counter *self = context;
    (void)buffer;
    self->metrics->add(self->passed, 1);
    if ((atomic_fetch_add_explicit(&self->buffers, 1, memory_order_relaxed) + 1) % self->every == 0)
        self->host->request_main(self->host); /* on_main posts the event */
}

static void tap_epoch(void *context, const mh_epoch_1 *epoch) { (void)context, (void)epoch; }
static void tap_format(void *context, uint32_t id, mh_str_1 caps) { (void)context, (void)id, (void)caps; }
static void tap_gap(void *context, mh_time pts, mh_time duration) { (void)context, (void)pts, (void)duration; }
static void tap_eos(void *context) { (void)context; }
static void tap_detached(void *context) { ((counter *)context)->tap = NULL; } /* [main] */

/* ---- the command and the event: [main] ---- */

static const mh_command_1 command_table[] = {{
    .name = "count",
    .summary = "How many buffers have passed.",
    .result = "{\"type\":\"object\",\"properties\":{\"buffers\":{\"type\":\"integer\"}}}",
}};

static mh_builder_1 *buffers_so_far(counter *self) {
    mh_builder_1 *builder = self->value->build();
    self->value->put_int(builder, str("buffers"), atomic_load_explicit(&self->buffers, memory_order_relaxed));
    return builder;
}

/* Each command is answered exactly once; here at once, so there is never anything to cancel. */
static void commands_invoke(const mh_plugin_1 *plugin, mh_token token, mh_str_1 name, const mh_value_1 *parameters) {
    counter *self = counter_of(plugin);
    (void)parameters;
    if (str_is(name, "count"))
        self->commands->reply(self->host, token, buffers_so_far(self));
    else
        self->commands->reject(self->host, token, MH_E_NOT_FOUND, str("there is only the command count"));
}

static void commands_cancel(const mh_plugin_1 *plugin, mh_token token) { (void)plugin, (void)token; }

/* The answer to `request_main`. Several requests may have become one call. */
static void instance_on_main(const mh_plugin_1 *plugin) {
    counter *self = counter_of(plugin);
    if (self->events->post(self->host, str(PLUGIN_ID ".reached"), buffers_so_far(self)) != MH_OK)
        self->log->write(self->host, MH_LOG_WARNING, str("the host did not take the event"));
}

/* ---- the metric: [main] ---- */

static const mh_metric_1 passed_metric = {
    .name = "buffers", /* mediahost_plugin_buffers_total */
    .help = "Buffers that have passed the pad.",
    .kind = MH_METRIC_COUNTER,
};

/* ---- the instance: [main] ---- */

static const void *extension(const counter *self, const char *id) {
    return self->host->get_extension(self->host, str(id));
}

/* The host has checked the config against the schema and filled in the defaults. It is borrowed for this call. */
static mh_status instance_init(const mh_plugin_1 *plugin, const mh_value_1 *config) {
    counter *self = counter_of(plugin);
    self->log = extension(self, MH_EXT_LOG);
    self->value = extension(self, MH_EXT_VALUE);
    self->taps = extension(self, MH_EXT_TAP);
    self->commands = extension(self, MH_EXT_COMMANDS);
    self->events = extension(self, MH_EXT_EVENTS);
    self->metrics = extension(self, MH_EXT_METRICS);

    mh_str_1 pad = self->value->as_string(self->value->member(config, str("pad")));
    self->pad = malloc(pad.len + 1);
    if (self->pad == NULL)
        return MH_E_FAILED;
    if (pad.len > 0)
        memcpy(self->pad, pad.ptr, pad.len);
    self->pad[pad.len] = '\0';

    self->every = self->value->as_int(self->value->member(config, str("every")));
    if (self->every < 1)
        self->every = 100;
    return self->metrics->declare(self->host, &passed_metric, &self->passed); /* logs why if it cannot */
}

/* The host puts the tap back after every rebuild of the pipeline, and logs why if it cannot. */
static mh_status instance_activate(const mh_plugin_1 *plugin) {
    counter *self = counter_of(plugin);
    return self->taps->attach(self->host, str(self->pad), &self->client, &self->tap);
}

static void instance_deactivate(const mh_plugin_1 *plugin) {
    counter *self = counter_of(plugin);
    if (self->tap != NULL)
        self->taps->detach(self->host, self->tap);
}

static void instance_destroy(const mh_plugin_1 *plugin) {
    counter *self = counter_of(plugin);
    free(self->pad);
    free(self);
}

static const void *instance_extension(const mh_plugin_1 *plugin, mh_str_1 id) {
    static const mh_commands_plugin_1 commands = {
        .commands = command_table,
        .count = sizeof command_table / sizeof command_table[0],
        .invoke = commands_invoke,
        .cancel = commands_cancel,
    };
    (void)plugin;
    return str_is(id, MH_EXT_COMMANDS) ? &commands : NULL;
}

/* ---- the library ---- */

/* Where one of these is missing the host refuses the plugin and says why. */
static const char *const required[] = {
    MH_EXT_LOG, MH_EXT_VALUE, MH_EXT_TAP, MH_EXT_COMMANDS, MH_EXT_EVENTS, MH_EXT_METRICS, NULL,
};

static const mh_descriptor_1 descriptor = {
    .id = PLUGIN_ID,
    .name = "FrameCounter",
    .vendor = "",
    .version = "0.1.0",
    .license = "MIT",
    .summary = "Counts the buffers that pass a pad.",
    .requires_ext = required,
    .config_schema =
        "{\"type\":\"object\",\"required\":[\"pad\"],\"properties\":{"
        "\"pad\":{\"type\":\"string\",\"format\":\"pad\",\"description\":\"the pad to count at\"},"
        "\"every\":{\"type\":\"integer\",\"minimum\":1,\"default\":100,\"description\":\"buffers between two events\"}}}",
};

static uint32_t factory_count(void) { return 1; }
static const mh_descriptor_1 *factory_descriptor(uint32_t index) { return index == 0 ? &descriptor : NULL; }

/* `host` is kept here and first called in `init`. */
static const mh_plugin_1 *factory_create(const mh_host_1 *host, mh_str_1 id) {
    counter *self = str_is(id, PLUGIN_ID) ? calloc(1, sizeof *self) : NULL;
    if (self == NULL)
        return NULL;
    self->host = host;
    self->client = (mh_tap_client_1){
        .context = self,
        .epoch = tap_epoch,
        .format = tap_format,
        .buffer = tap_buffer,
        .gap = tap_gap,
        .eos = tap_eos,
        .detached = tap_detached,
    };
    self->plugin = (mh_plugin_1){
        .plugin_data = self,
        .init = instance_init,
        .activate = instance_activate,
        .deactivate = instance_deactivate,
        .destroy = instance_destroy,
        .on_main = instance_on_main,
        .get_extension = instance_extension,
    };
    return &self->plugin;
}

static mh_status entry_init(mh_str_1 library_path) {
    (void)library_path;
    return MH_OK;
}

static void entry_deinit(void) {}

static const void *entry_factory(mh_str_1 id) {
    static const mh_factory_1 factory = {factory_count, factory_descriptor, factory_create};
    return str_is(id, MH_FACTORY_PLUGIN) ? &factory : NULL;
}

/* The only exported symbol. */
const mh_entry_1 *mh_plugin_entry_1(void) {
    static const mh_entry_1 entry = {
        .magic = MH_ENTRY_MAGIC,
        .abi_major = MH_ABI_MAJOR,
        .abi_minor = MH_ABI_MINOR,
        .built_with = "cc",
        .init = entry_init,
        .deinit = entry_deinit,
        .get_factory = entry_factory,
    };
    return &entry;
}
