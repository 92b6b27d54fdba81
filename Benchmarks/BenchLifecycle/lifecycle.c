#define _GNU_SOURCE
#include "bench_lifecycle.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The host refuses a config whose instances together ask for more than 4 s: 20 of these may be there. */
enum { within_ns = 200000000, most_waiting = 64 };

typedef struct {
    mh_plugin_1 plugin;
    const mh_host_1 *host;
    const mh_value_ext_1 *value;
    const mh_lifecycle_host_1 *lifecycle;
    int64_t index; /* 0 is told first */
    int64_t silent;
    int report;
} bench_lifecycle;

/* All instances have one library, and are told one after the other on one thread: the first and the last look at the clock. */
static int64_t instances;
static double asked_ns;

/* Answers come from another thread, as those of a plugin do that has something to put away. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static struct {
    const bench_lifecycle *self;
    mh_token token;
} waiting[most_waiting];
static int count, ending, has_thread;
static pthread_t thread;

static mh_str_1 str(const char *text) { return (mh_str_1){text, strlen(text)}; }

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void *answer(void *nothing) {
    pthread_mutex_lock(&lock);
    for (;;) {
        while (count == 0 && !ending) pthread_cond_wait(&filled, &lock);
        if (count == 0) break;
        const bench_lifecycle *self = waiting[0].self;
        const mh_token token = waiting[0].token;
        memmove(waiting, waiting + 1, (size_t)--count * sizeof waiting[0]);
        pthread_mutex_unlock(&lock);
        self->lifecycle->ack(self->host, token, MH_OK);
        pthread_mutex_lock(&lock);
    }
    pthread_mutex_unlock(&lock);
    return nothing;
}

/* ---- the instance: [main] ------------------------------------------------------------------------------------------ */

static void on_state(const mh_plugin_1 *plugin, mh_token token, mh_lifecycle_state state, mh_lifecycle_change change,
                     mh_time deadline) {
    bench_lifecycle *self = plugin->plugin_data;
    (void)state, (void)deadline;
    if (token != 0) {
        if (self->index == 0) asked_ns = now();
        if (self->silent) return;
        pthread_mutex_lock(&lock);
        if (count < most_waiting) {
            waiting[count].self = self;
            waiting[count++].token = token;
        }
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&lock);
    } else if (self->index == instances - 1 && self->report >= 0) {
        /* The last of all is told that it is over. */
        char line[96];
        const double end = now();
        const int length = snprintf(line, sizeof line, "%s %.0f %.0f\n",
                                    change == MH_LIFECYCLE_DID_PAUSE ? "pause" : "resume", asked_ns, end);
        if (write(self->report, line, (size_t)length) < 0) return;
    }
}

static mh_status instance_init(const mh_plugin_1 *plugin, const mh_value_1 *config) {
    bench_lifecycle *self = plugin->plugin_data;
    self->value = self->host->get_extension(self->host, str(MH_EXT_VALUE));
    self->lifecycle = self->host->get_extension(self->host, str(MH_EXT_LIFECYCLE));
    self->index = self->value->as_int(self->value->member(config, str("index")));
    self->silent = self->value->as_bool(self->value->member(config, str("silent")));
    instances = self->index + 1 > instances ? self->index + 1 : instances;
    char path[256];
    mh_str_1 text = self->value->as_string(self->value->member(config, str("report")));
    if (text.len >= sizeof path) return MH_E_INVALID;
    memcpy(path, text.ptr, text.len);
    path[text.len] = 0;
    self->report = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    return self->report < 0 ? MH_E_INVALID : MH_OK;
}

static mh_status instance_activate(const mh_plugin_1 *plugin) {
    (void)plugin;
    if (has_thread == 0) has_thread = pthread_create(&thread, NULL, answer, NULL) == 0 ? 1 : -1;
    return has_thread > 0 ? MH_OK : MH_E_STATE;
}

/* The first that goes takes the thread along: nothing is asked any more. */
static void instance_deactivate(const mh_plugin_1 *plugin) {
    (void)plugin;
    if (has_thread <= 0) return;
    pthread_mutex_lock(&lock);
    ending = 1;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    has_thread = 0;
}

static void instance_destroy(const mh_plugin_1 *plugin) {
    bench_lifecycle *self = plugin->plugin_data;
    if (self->report >= 0) close(self->report);
    free(self);
}

static void instance_on_main(const mh_plugin_1 *plugin) { (void)plugin; }

static const void *instance_extension(const mh_plugin_1 *plugin, mh_str_1 id) {
    static const mh_lifecycle_plugin_1 lifecycle = {on_state, within_ns};
    (void)plugin;
    return id.len == strlen(MH_EXT_LIFECYCLE) && memcmp(id.ptr, MH_EXT_LIFECYCLE, id.len) == 0 ? &lifecycle : NULL;
}

/* ---- the library -------------------------------------------------------------------------------------------------- */

static const char *const required[] = {MH_EXT_VALUE, MH_EXT_LIFECYCLE, NULL};

static const mh_descriptor_1 descriptor = {
    .id = "org.mediahost.bench-lifecycle",
    .name = "BenchLifecycle",
    .vendor = "the mediahost authors",
    .version = "0.1.0",
    .license = "MIT",
    .summary = "Acknowledges changes of the lifecycle.",
    .requires_ext = required,
    .config_schema = "{\"type\":\"object\",\"properties\":{\"index\":{\"type\":\"integer\"},"
                     "\"silent\":{\"type\":\"boolean\"},\"report\":{\"type\":\"string\"}},"
                     "\"required\":[\"index\",\"silent\",\"report\"]}",
};

static uint32_t factory_count(void) { return 1; }
static const mh_descriptor_1 *factory_descriptor(uint32_t index) { return index == 0 ? &descriptor : NULL; }

static const mh_plugin_1 *factory_create(const mh_host_1 *host, mh_str_1 id) {
    (void)id; /* there is only one */
    bench_lifecycle *self = calloc(1, sizeof *self);
    if (self == NULL) return NULL;
    self->host = host;
    self->report = -1;
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
