/* A plugin with one fault, chosen by -DFAULT. Each is met before an instance exists, but for NULL_INSTANCE. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mediahost.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum {
    NONE,
    NULL_ENTRY,
    WRONG_MAGIC,
    NEWER_ABI,
    UNDEFINED_SYMBOL,
    NULL_ENTRY_INIT,
    NULL_FACTORY,
    NULL_FACTORY_FUNCTION,
    NULL_DESCRIPTOR,
    NULL_INSTANCE,
    NO_PLUGINS,
    NO_SUMMARY,
    BAD_ID,
    BAD_UTF8,
    CONTROL_CHARACTERS,
    LONG_NAME,
    BROKEN_SCHEMA,
    UNKNOWN_EXTENSION,
    INIT_ERROR,
    CRASH_IN_CONSTRUCTOR,
    CRASH_IN_ENTRY,
    ABORT_IN_INIT,
    CRASH_IN_INIT,
    CRASH_IN_FACTORY,
    CRASH_IN_DESCRIPTORS,
    EXIT_IN_INIT,
    HANG_IN_INIT,
    HANG_DEAF,
    FORK_IN_INIT,
    FORK_AND_CRASH,
    FLOOD,
};

static int is(int fault) { return FAULT == fault; }

static void crash(void) { raise(SIGSEGV); }
static void hang(void) {
    for (;;) pause();
}

#if FAULT == 4
extern int nobody_has_this(void);
#endif

/* Counts the processes that map it, in a file. */
__attribute__((constructor)) static void constructed(void) {
    const char *path = getenv("FAULTY_TRACE");
    if (path) {
        int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        if (file >= 0) {
            if (write(file, "x", 1) != 1) abort();
            close(file);
        }
    }
    if (is(CRASH_IN_CONSTRUCTOR)) crash();
}

static mh_status entry_init(mh_str_1 library_path) {
    static char noise[1 << 16];
    (void)library_path, (void)noise;
    switch (FAULT) {
    case INIT_ERROR: return MH_E_FAILED;
    case ABORT_IN_INIT:
        fprintf(stderr, "a warning\nassertion failed: world is round\n");
        abort();
    case CRASH_IN_INIT: crash(); break;
    case EXIT_IN_INIT: exit(0);
    case HANG_DEAF:
        /* Ends by nothing but SIGKILL. */
        for (int number = 1; number < 32; number++) signal(number, SIG_IGN);
        hang();
        break;
    case HANG_IN_INIT: hang(); break;
    case FORK_IN_INIT:
        if (fork() == 0) hang();
        break;
    case FORK_AND_CRASH:
        /* The other one keeps every pipe open. */
        if (fork() == 0) hang();
        crash();
        break;
    case FLOOD:
        memset(noise, '\n', sizeof noise);
        while (write(3, noise, sizeof noise) >= 0) continue;
        hang();
        break;
    default: break;
    }
#if FAULT == 4
    return nobody_has_this();
#else
    return MH_OK;
#endif
}

static uint32_t count(void) { return is(NO_PLUGINS) ? 0 : 1; }

static const mh_descriptor_1 *descriptor(uint32_t index) {
    static const char *const needed[] = {"mh.telepathy/3", NULL};
    static char long_name[5000];
    static mh_descriptor_1 faulty = {
        .id = "org.example.faulty",
        .name = "Faulty",
        .vendor = "a test",
        .version = "1.0.0",
        .license = "MIT",
        .summary = "Has one fault.",
    };
    memset(long_name, 'n', sizeof long_name - 1);
    switch (FAULT) {
    case NULL_DESCRIPTOR: return NULL;
    case NO_SUMMARY: faulty.summary = NULL; break;
    case BAD_ID: faulty.id = "not an id"; break;
    case BAD_UTF8: faulty.vendor = "M\xfcller"; break;
    case CONTROL_CHARACTERS: faulty.name = "\x1b[31mred"; break;
    case LONG_NAME: faulty.name = long_name; break;
    case BROKEN_SCHEMA: faulty.config_schema = "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"colour\"}}}"; break;
    case UNKNOWN_EXTENSION: faulty.requires_ext = needed; break;
    case CRASH_IN_DESCRIPTORS: faulty.name = (const char *)16; break;
    default: break;
    }
    return index == 0 ? &faulty : NULL;
}

static mh_status init(const mh_plugin_1 *plugin, const mh_value_1 *config) {
    (void)plugin, (void)config;
    return MH_OK;
}
static mh_status activate(const mh_plugin_1 *plugin) {
    (void)plugin;
    return MH_OK;
}
static void nothing(const mh_plugin_1 *plugin) { (void)plugin; }

static const mh_plugin_1 *create(const mh_host_1 *host, mh_str_1 id) {
    static mh_plugin_1 plugin = {
        .init = init,
        .activate = activate,
        .deactivate = nothing,
        .destroy = nothing,
        .on_main = nothing,
    };
    (void)host, (void)id;
    if (is(NULL_INSTANCE)) plugin.on_main = NULL;
    return &plugin;
}

static const void *get_factory(mh_str_1 factory_id) {
    static const mh_factory_1 factory = {
        .count = count, .descriptor = FAULT == NULL_FACTORY_FUNCTION ? NULL : descriptor, .create = create};
    (void)factory_id;
    if (is(CRASH_IN_FACTORY)) crash();
    return is(NULL_FACTORY) ? NULL : &factory;
}

const mh_entry_1 *mh_plugin_entry_1(void) {
    static const mh_entry_1 entry = {
        .magic = FAULT == WRONG_MAGIC ? 0x12345678 : MH_ENTRY_MAGIC,
        .abi_major = FAULT == NEWER_ABI ? MH_ABI_MAJOR + 1 : MH_ABI_MAJOR,
        .abi_minor = MH_ABI_MINOR,
        .built_with = "cc",
        .init = FAULT == NULL_ENTRY_INIT ? NULL : entry_init,
        .get_factory = get_factory,
    };
    if (is(CRASH_IN_ENTRY)) crash();
    return is(NULL_ENTRY) ? NULL : &entry;
}
