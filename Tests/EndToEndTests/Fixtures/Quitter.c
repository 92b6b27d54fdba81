/* A plugin that gives up from the streaming thread while it has a tap and work that goes on. */
#define _POSIX_C_SOURCE 200809L
#include "fixture.h"

#include <semaphore.h>
#include <stdio.h>

static const mh_host_1 *the_host;
static const mh_tap_ext_1 *taps;
static const mh_worker_ext_1 *workers;
static int buffers;
static sem_t is_detached;

static void say(const char *words) { fprintf(stderr, "quitter: notice: %s\n", words); }

/* Outlives the failure and the tap, and uses the host after them. */
static void work(void *context) {
    char words[64];
    (void)context;
    while (sem_wait(&is_detached) != 0) continue; /* EINTR */
    snprintf(words, sizeof words, "work of %s done", the_host->instance);
    say(words);
}

static void buffer(void *context, const mh_buffer_1 *buffer) {
    (void)context, (void)buffer;
    if (++buffers == 3) the_host->fail(the_host, MH_E_FAILED, text("had enough"));
}
static void detached(void *context) {
    (void)context;
    say("detached");
    sem_post(&is_detached);
}

static mh_status init(const mh_plugin_1 *plugin, const mh_value_1 *config) {
    (void)plugin, (void)config;
    taps = the_host->get_extension(the_host, text(MH_EXT_TAP));
    workers = the_host->get_extension(the_host, text(MH_EXT_WORKER));
    return taps && workers && sem_init(&is_detached, 0, 0) == 0 ? MH_OK : MH_E_UNSUPPORTED;
}
static mh_status activate(const mh_plugin_1 *plugin) {
    static const mh_tap_client_1 client = {NULL, no_epoch, no_format, buffer, no_gap, no_end, detached};
    mh_tap_1 *tap;
    mh_status status = workers->submit(the_host, work, NULL);
    (void)plugin;
    return status != MH_OK ? status : taps->attach(the_host, text("camera/v.src"), &client, &tap);
}
static void destroy(const mh_plugin_1 *plugin) {
    (void)plugin;
    say("destroyed");
}

static const mh_descriptor_1 about = {
    .id = "org.example.quitter",
    .name = "Quitter",
    .vendor = "a test",
    .version = "1.0.0",
    .license = "MIT",
    .summary = "Gives up.",
};

static const mh_plugin_1 *create(const mh_host_1 *host, mh_str_1 id) {
    static const mh_plugin_1 plugin = {
        .init = init,
        .activate = activate,
        .deactivate = nothing,
        .destroy = destroy,
        .on_main = nothing,
    };
    (void)id;
    the_host = host;
    return &plugin;
}
