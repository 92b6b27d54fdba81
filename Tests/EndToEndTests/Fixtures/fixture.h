/* What the plugins here have in common: a library with one plugin. Each defines `about` and `create`. */
#ifndef FIXTURE_H
#define FIXTURE_H

#include <mediahost.h>
#include <string.h>

static const mh_descriptor_1 about;
static const mh_plugin_1 *create(const mh_host_1 *host, mh_str_1 id);

static inline mh_str_1 text(const char *words) { return (mh_str_1){words, strlen(words)}; }
static inline int is(mh_str_1 value, const char *words) {
    return value.len == strlen(words) && memcmp(value.ptr, words, value.len) == 0;
}

/* For the members of the tables that have nothing to do. */
static inline mh_status no_init(const mh_plugin_1 *plugin, const mh_value_1 *config) {
    (void)plugin, (void)config;
    return MH_OK;
}
static inline mh_status no_activate(const mh_plugin_1 *plugin) {
    (void)plugin;
    return MH_OK;
}
static inline void nothing(const mh_plugin_1 *plugin) { (void)plugin; }
static inline void no_epoch(void *context, const mh_epoch_1 *epoch) { (void)context, (void)epoch; }
static inline void no_format(void *context, uint32_t id, mh_str_1 caps) { (void)context, (void)id, (void)caps; }
static inline void no_buffer(void *context, const mh_buffer_1 *buffer) { (void)context, (void)buffer; }
static inline void no_gap(void *context, mh_time pts, mh_time duration) { (void)context, (void)pts, (void)duration; }
static inline void no_end(void *context) { (void)context; }

/* `create` of one that only answers its `get_extension`: `first` is its init, and its host is kept in `place`. */
#define FIXTURE_CREATE(first, place)                                                                                   \
    static const mh_plugin_1 *create(const mh_host_1 *fixture_host, mh_str_1 id) {                                     \
        static const mh_plugin_1 plugin = {                                                                            \
            .init = first,                                                                                             \
            .activate = no_activate,                                                                                   \
            .deactivate = nothing,                                                                                     \
            .destroy = nothing,                                                                                        \
            .on_main = nothing,                                                                                        \
            .get_extension = get_extension,                                                                            \
        };                                                                                                             \
        (void)id;                                                                                                      \
        place = fixture_host;                                                                                          \
        return &plugin;                                                                                                \
    }

/* `get_extension` and `needs` of one that is shown each build of a pipeline, and told before it goes. */
#define FIXTURE_SEES_PIPELINES(when_built, when_released)                                                              \
    static const void *get_extension(const mh_plugin_1 *plugin, mh_str_1 id) {                                         \
        static const mh_gst_plugin_1 table = {.built = when_built, .released = when_released};                         \
        (void)plugin;                                                                                                  \
        return is(id, MH_EXT_GST) ? &table : NULL;                                                                     \
    }                                                                                                                  \
    static const char *const needs[] = {MH_EXT_GST, NULL};

/* One that has another answer defines it first. */
#ifndef FIXTURE_HAS
#define FIXTURE_HAS(index) ((index) == 0)
#endif
static uint32_t fixture_count(void) { return 1; }
static const mh_descriptor_1 *fixture_descriptor(uint32_t index) {
    (void)index;
    return FIXTURE_HAS(index) ? &about : NULL;
}
static mh_status fixture_init(mh_str_1 library_path) {
    (void)library_path;
    return MH_OK;
}
static void fixture_deinit(void) {}
static const void *fixture_factory(mh_str_1 factory_id) {
    static const mh_factory_1 factory = {.count = fixture_count, .descriptor = fixture_descriptor, .create = create};
    return is(factory_id, MH_FACTORY_PLUGIN) ? &factory : NULL;
}

const mh_entry_1 *mh_plugin_entry_1(void) {
    static const mh_entry_1 entry = {
        .magic = MH_ENTRY_MAGIC,
        .abi_major = MH_ABI_MAJOR,
        .abi_minor = MH_ABI_MINOR,
        .built_with = "cc",
        .init = fixture_init,
        .deinit = fixture_deinit,
        .get_factory = fixture_factory,
    };
    return &entry;
}

#endif
