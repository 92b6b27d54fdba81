#define _GNU_SOURCE
#include "bench_events.h"

#include <glib-object.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { most_events = 4000, burst = 20, every_ns = 50000000 };

typedef struct {
    mh_plugin_1 plugin;
    const mh_host_1 *host;
    const mh_value_ext_1 *value;
    const mh_events_host_1 *events;
    const mh_timer_host_1 *timers;
    int64_t index; /* 0 posts, and is told first */
    char report[256];
} bench_events;

/* All instances have one library, and are told one after the other on one thread: the first and the last look at the clock. */
static int64_t instances, events, done;
static double first_ns, spans[most_events];

static mh_str_1 str(const char *text) { return (mh_str_1){text, strlen(text)}; }

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int compare(const void *left, const void *right) {
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double median(double *values, size_t count) {
    qsort(values, count, sizeof *values, compare);
    return values[count / 2];
}

/* What each of them does. */
static void heard(int64_t index) {
    if (index == 0)
        first_ns = now();
    else if (index == instances - 1 && done < events)
        spans[done++] = (now() - first_ns) / (double)(instances - 1);
}

/* ---- the same with GObject: a signal, and as many handlers ---------------------------------------------------------- */

static void handler(GObject *object, const char *name, gpointer index) {
    (void)object, (void)name;
    heard(GPOINTER_TO_INT(index));
}

static double with_gobject(void) {
    GObject *object = g_object_new(G_TYPE_OBJECT, NULL);
    guint signal = g_signal_new(
        "bench-tick", G_TYPE_OBJECT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
    for (int index = 0; index < instances; index++)
        g_signal_connect(object, "bench-tick", G_CALLBACK(handler), GINT_TO_POINTER(index));
    done = 0;
    for (int event = 0; event < events; event++) g_signal_emit(object, signal, 0, "tick");
    g_object_unref(object);
    return median(spans, (size_t)done);
}

static void report(const bench_events *self) {
    const double host = median(spans, (size_t)done);
    const double gobject = with_gobject();
    char *text = g_strdup_printf("%.2f %.2f\n", host, gobject);
    g_file_set_contents(self->report, text, -1, NULL); /* appears whole, or not at all */
    g_free(text);
}

/* ---- the instance: [main] ------------------------------------------------------------------------------------------ */

static void on_event(const mh_plugin_1 *plugin, const mh_event_1 *event) {
    (void)event;
    heard(((bench_events *)plugin->plugin_data)->index);
}

static void on_timer(const mh_plugin_1 *plugin, const mh_timer_expiry_1 *expiry) {
    bench_events *self = plugin->plugin_data;
    if (done >= events) {
        self->timers->cancel(self->host, expiry->timer);
        report(self);
        return;
    }
    for (int post = 0; post < burst; post++) {
        mh_builder_1 *payload = self->value->build();
        self->value->put_int(payload, str("number"), post);
        self->events->post(self->host, str("org.mediahost.bench-events.tick"), payload);
    }
}

static mh_status instance_init(const mh_plugin_1 *plugin, const mh_value_1 *config) {
    bench_events *self = plugin->plugin_data;
    self->value = self->host->get_extension(self->host, str(MH_EXT_VALUE));
    self->events = self->host->get_extension(self->host, str(MH_EXT_EVENTS));
    self->timers = self->host->get_extension(self->host, str(MH_EXT_TIMER));
    self->index = self->value->as_int(self->value->member(config, str("index")));
    instances = self->index + 1 > instances ? self->index + 1 : instances;
    events = self->value->as_int(self->value->member(config, str("events")));
    mh_str_1 path = self->value->as_string(self->value->member(config, str("report")));
    if (events < 1 || events > most_events || path.len >= sizeof self->report) return MH_E_INVALID;
    memcpy(self->report, path.ptr, path.len);
    return MH_OK;
}

static mh_status instance_activate(const mh_plugin_1 *plugin) {
    bench_events *self = plugin->plugin_data;
    if (self->index > 0) return MH_OK;
    const mh_timer_1 timer = {.clock = MH_CLOCK_MONOTONIC, .repeat = every_ns};
    mh_token token;
    return self->timers->arm(self->host, &timer, &token);
}

static void instance_deactivate(const mh_plugin_1 *plugin) { (void)plugin; }
static void instance_destroy(const mh_plugin_1 *plugin) { free(plugin->plugin_data); }
static void instance_on_main(const mh_plugin_1 *plugin) { (void)plugin; }

static const void *instance_extension(const mh_plugin_1 *plugin, mh_str_1 id) {
    static const char *const subscriptions[] = {"org.mediahost.bench-events.tick", NULL};
    static const mh_events_plugin_1 listener = {subscriptions, on_event};
    static const mh_timer_plugin_1 timer = {on_timer};
    (void)plugin;
    if (id.len == strlen(MH_EXT_EVENTS) && memcmp(id.ptr, MH_EXT_EVENTS, id.len) == 0) return &listener;
    if (id.len == strlen(MH_EXT_TIMER) && memcmp(id.ptr, MH_EXT_TIMER, id.len) == 0) return &timer;
    return NULL;
}

/* ---- the library -------------------------------------------------------------------------------------------------- */

static const char *const required[] = {MH_EXT_VALUE, MH_EXT_EVENTS, MH_EXT_TIMER, NULL};

static const mh_descriptor_1 descriptor = {
    .id = "org.mediahost.bench-events",
    .name = "BenchEvents",
    .vendor = "the mediahost authors",
    .version = "0.1.0",
    .license = "MIT",
    .summary = "Posts events, and is told of them.",
    .requires_ext = required,
    .config_schema = "{\"type\":\"object\",\"properties\":{\"index\":{\"type\":\"integer\"},"
                     "\"events\":{\"type\":\"integer\"},\"report\":{\"type\":\"string\"}},"
                     "\"required\":[\"index\",\"events\",\"report\"]}",
};

static uint32_t factory_count(void) { return 1; }
static const mh_descriptor_1 *factory_descriptor(uint32_t index) { return index == 0 ? &descriptor : NULL; }

static const mh_plugin_1 *factory_create(const mh_host_1 *host, mh_str_1 id) {
    (void)id; /* there is only one */
    bench_events *self = calloc(1, sizeof *self);
    if (self == NULL) return NULL;
    self->host = host;
    self->plugin = (mh_plugin_1){
        self, instance_init, instance_activate, instance_deactivate, instance_destroy, instance_on_main,
        instance_extension,
    };
    return &self->plugin;
}

static mh_status entry_init(mh_str_1 path) {
    (void)path;
    return MH_OK;
}
static void entry_deinit(void) {}

static const void *entry_factory(mh_str_1 id) {
    static const mh_factory_1 factory = {factory_count, factory_descriptor, factory_create};
    const mh_str_1 known = str(MH_FACTORY_PLUGIN);
    return id.len == known.len && memcmp(id.ptr, known.ptr, id.len) == 0 ? &factory : NULL;
}

const mh_entry_1 *mh_plugin_entry_1(void) {
    static const mh_entry_1 entry = {
        MH_ENTRY_MAGIC, MH_ABI_MAJOR, MH_ABI_MINOR, "cc", entry_init, entry_deinit, entry_factory,
    };
    return &entry;
}
