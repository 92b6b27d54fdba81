#define _GNU_SOURCE
/*
 * How long a plugin takes from its file to an instance: dlopen as the host does it, entry, init, factory, create. Each argument
 * is a file of its own, so that nothing is mapped already but what all of them need; the first is loaded before the clock runs.
 * Prints microseconds, one line each.
 */
#include <dlfcn.h>
#include <mediahost.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static const void *no_extension(const mh_host_1 *host, mh_str_1 id) {
    (void)host, (void)id;
    return NULL;
}
static void no_fail(const mh_host_1 *host, mh_status status, mh_str_1 text) { (void)host, (void)status, (void)text; }
static void no_main(const mh_host_1 *host) { (void)host; }

/* NULL, or what went wrong. */
static const char *load(const char *path) {
    static const mh_host_1 host = {
        .name = "bench", .version = "0", .instance = "it", .abi_major = MH_ABI_MAJOR, .abi_minor = MH_ABI_MINOR,
        .get_extension = no_extension, .fail = no_fail, .request_main = no_main};
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (library == NULL) return dlerror();
    const mh_entry_1 *(*entry_of)(void) = (const mh_entry_1 *(*)(void))dlsym(library, "mh_plugin_entry_1");
    const mh_entry_1 *entry = entry_of != NULL ? entry_of() : NULL;
    if (entry == NULL || entry->init((mh_str_1){path, strlen(path)}) != MH_OK) return "it has no entry, or its init failed";
    const mh_factory_1 *factory = entry->get_factory((mh_str_1){MH_FACTORY_PLUGIN, strlen(MH_FACTORY_PLUGIN)});
    if (factory == NULL || factory->count() < 1) return "it has no plugin";
    const char *id = factory->descriptor(0)->id;
    return factory->create(&host, (mh_str_1){id, strlen(id)}) != NULL ? NULL : "it made no instance";
}

int main(int count, char **arguments) {
    for (int index = 1; index < count; index++) {
        const double begin = now();
        const char *failure = load(arguments[index]);
        const double end = now();
        if (failure != NULL) {
            fprintf(stderr, "%s: %s\n", arguments[index], failure);
            return 1;
        }
        if (index > 1) printf("%.1f\n", end - begin);
    }
    return 0;
}
