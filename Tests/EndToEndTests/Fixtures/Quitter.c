/* A plugin that gives up from the streaming thread while it has a tap and work that goes on. */
#define _POSIX_C_SOURCE 200809L
#include <mediahost.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const mh_host_1 *the_host;
static const mh_tap_ext_1 *taps;
static const mh_worker_ext_1 *workers;
static int buffers;

static mh_str_1 text(const char *words) { return (mh_str_1){words, strlen(words)}; }
static void say(const char *words) { fprintf(stderr, "quitter: notice: %s\n", words); }

/* Outlives the failure, and uses the host after it. */
static void work(void *context) {
    const struct timespec pause = {.tv_nsec = 300000000};
    char words[64];
    (void)context;
    nanosleep(&pause, NULL);
    snprintf(words, sizeof words, "work of %s done", the_host->instance);
    say(words);
}

static void epoch(void *context, const mh_epoch_1 *epoch) { (void)context, (void)epoch; }
static void format(void *context, uint32_t id, mh_str_1 caps) { (void)context, (void)id, (void)caps; }
static void buffer(void *context, const mh_buffer_1 *buffer) {
    (void)context, (void)buffer;
    if (++buffers == 3) the_host->fail(the_host, MH_E_FAILED, text("had enough"));
}
static void gap(void *context, mh_time pts, mh_time duration) { (void)context, (void)pts, (void)duration; }
static void eos(void *context) { (void)context; }
static void detached(void *context) {
    (void)context;
    say("detached");
}

static mh_status init(const mh_plugin_1 *plugin, const mh_value_1 *config) {
    (void)plugin, (void)config;
    taps = the_host->get_extension(the_host, text(MH_EXT_TAP));
    workers = the_host->get_extension(the_host, text(MH_EXT_WORKER));
    return taps && workers ? MH_OK : MH_E_UNSUPPORTED;
}
static mh_status activate(const mh_plugin_1 *plugin) {
    static const mh_tap_client_1 client = {NULL, epoch, format, buffer, gap, eos, detached};
    mh_tap_1 *tap;
    mh_status status = workers->submit(the_host, work, NULL);
    (void)plugin;
    return status != MH_OK ? status : taps->attach(the_host, text("camera/v.src"), &client, &tap);
}
static void destroy(const mh_plugin_1 *plugin) {
    (void)plugin;
    say("destroyed");
}
static void nothing(const mh_plugin_1 *plugin) { (void)plugin; }

static uint32_t count(void) { return 1; }

static const mh_descriptor_1 *descriptor(uint32_t index) {
    static const mh_descriptor_1 quitter = {
        .id = "org.example.quitter",
        .name = "Quitter",
        .vendor = "a test",
        .version = "1.0.0",
        .license = "MIT",
        .summary = "Gives up.",
    };
    return index == 0 ? &quitter : NULL;
}

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

static mh_status entry_init(mh_str_1 library_path) {
    (void)library_path;
    return MH_OK;
}
static void entry_deinit(void) {}

static const void *get_factory(mh_str_1 factory_id) {
    static const mh_factory_1 factory = {.count = count, .descriptor = descriptor, .create = create};
    (void)factory_id;
    return &factory;
}

const mh_entry_1 *mh_plugin_entry_1(void) {
    static const mh_entry_1 entry = {
        .magic = MH_ENTRY_MAGIC,
        .abi_major = MH_ABI_MAJOR,
        .abi_minor = MH_ABI_MINOR,
        .built_with = "cc",
        .init = entry_init,
        .deinit = entry_deinit,
        .get_factory = get_factory,
    };
    return &entry;
}
