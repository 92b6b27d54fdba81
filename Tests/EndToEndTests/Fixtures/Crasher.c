/* A plugin that dies on command: in its own code, in a library's that it calls, or by a jump to nowhere. */
#define _POSIX_C_SOURCE 200809L
#include "fixture.h"

#include <pthread.h>
#include <stdlib.h>

static const mh_host_1 *the_host;

static void (*volatile nowhere)(void);

static pthread_barrier_t start;

static void *crash(void *argument) {
    pthread_barrier_wait(&start);
    *(volatile int *)16 = 1;
    return argument;
}

/* Two threads at the same time. */
static void crash_together(void) {
    pthread_t other;
    if (pthread_barrier_init(&start, NULL, 2) == 0 && pthread_create(&other, NULL, crash, NULL) == 0) crash(NULL);
}

static void invoke(const mh_plugin_1 *plugin, mh_token token, mh_str_1 name, const mh_value_1 *parameters) {
    (void)plugin, (void)token, (void)parameters;
    if (is(name, "segv")) *(volatile int *)16 = 1;
    if (is(name, "trap")) __builtin_trap();
#if defined(__x86_64__) || defined(__i386__)
    if (is(name, "breakpoint")) __asm__ volatile("int3");
#elif defined(__aarch64__)
    if (is(name, "breakpoint")) __asm__ volatile("brk #0");
#else
    if (is(name, "breakpoint")) __builtin_trap();
#endif
    if (is(name, "abort")) abort();
    if (is(name, "jump")) nowhere();
    if (is(name, "together")) crash_together();
}
static void cancel(const mh_plugin_1 *plugin, mh_token token) { (void)plugin, (void)token; }

static const void *get_extension(const mh_plugin_1 *plugin, mh_str_1 id) {
    static const mh_command_1 table[] = {
        {.name = "segv", .summary = "Writes to address 16."},
        {.name = "trap", .summary = "Runs an instruction that is none."},
        {.name = "breakpoint", .summary = "Runs into a breakpoint."},
        {.name = "abort", .summary = "Calls abort."},
        {.name = "jump", .summary = "Jumps to NULL."},
        {.name = "together", .summary = "Two threads write to address 16."},
    };
    static const mh_commands_plugin_1 commands = {.commands = table, .count = sizeof table / sizeof *table, .invoke = invoke, .cancel = cancel};
    (void)plugin, (void)the_host;
    return is(id, MH_EXT_COMMANDS) ? &commands : NULL;
}

static const mh_descriptor_1 about = {
    .id = "org.example.crasher",
    .name = "Crasher",
    .vendor = "a test",
    .version = "1.0.0",
    .license = "MIT",
    .summary = "Dies.",
};

FIXTURE_CREATE(no_init, the_host)
