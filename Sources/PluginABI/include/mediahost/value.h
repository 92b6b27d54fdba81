/*
 * mh.value.draft/1 (host side): read-only value trees in, built ones out.
 *
 * Config, command parameters, replies and event payloads are trees of null, bool, integer, double, string, list and
 * map. Units are already resolved by the host: a duration arrives as integer nanoseconds, a size as integer bytes.
 * A plugin therefore needs no JSON or YAML parser.
 */
#ifndef MEDIAHOST_VALUE_H
#define MEDIAHOST_VALUE_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MH_EXT_VALUE "mh.value.draft/1"

typedef int32_t mh_value_type;
enum {
    MH_VALUE_NULL = 0,
    MH_VALUE_BOOL = 1,
    MH_VALUE_INT = 2,
    MH_VALUE_DOUBLE = 3,
    MH_VALUE_STRING = 4,
    MH_VALUE_LIST = 5,
    MH_VALUE_MAP = 6
};

/* One node of a tree. Owned by the host; valid exactly as long as the call or handle that gave the root. */
typedef struct mh_value_1 mh_value_1;

/* A map under construction, the plugin's from `build` until the host call that consumes it. One thread at a time. */
typedef struct mh_builder_1 mh_builder_1;

typedef struct mh_value_ext_1 {
    /* All readers: [any, from `init` on], while the value is valid. A NULL or wrongly typed value reads as 0, 0.0, empty or NULL,
     * and so does what is past the end. What they return lives as long as the value. */
    mh_value_type (*type)(const mh_value_1 *value);
    int32_t (*as_bool)(const mh_value_1 *value);
    int64_t (*as_int)(const mh_value_1 *value);
    double (*as_double)(const mh_value_1 *value);    /* integers read as doubles too */
    mh_str_1 (*as_string)(const mh_value_1 *value);  /* terminated, too; lives as long as the value */
    size_t (*count)(const mh_value_1 *value);        /* of a list or a map */
    const mh_value_1 *(*item)(const mh_value_1 *value, size_t index);
    mh_str_1 (*key)(const mh_value_1 *value, size_t index);
    const mh_value_1 *(*member)(const mh_value_1 *value, mh_str_1 key); /* NULL where there is none */

    /* A new, empty map; never NULL. Ends in a call that consumes it, or in `discard`. [any, from `init` on] */
    mh_builder_1 *(*build)(void);
    void (*discard)(mh_builder_1 *builder); /* NULL: nothing. [any, from `init` on] */

    /* Writers add to the innermost open map or list, and copy; in a list `key` is ignored, in a map the last of a key counts.
     * They cannot fail: a NULL builder takes nothing, and what lies deeper than 64 is left out. [any, from `init` on] */
    void (*put_null)(mh_builder_1 *builder, mh_str_1 key);
    void (*put_bool)(mh_builder_1 *builder, mh_str_1 key, int32_t value);
    void (*put_int)(mh_builder_1 *builder, mh_str_1 key, int64_t value);
    void (*put_double)(mh_builder_1 *builder, mh_str_1 key, double value);
    void (*put_string)(mh_builder_1 *builder, mh_str_1 key, mh_str_1 value);
    void (*open_map)(mh_builder_1 *builder, mh_str_1 key);
    void (*open_list)(mh_builder_1 *builder, mh_str_1 key);
    void (*close)(mh_builder_1 *builder); /* the innermost one; the root closes when it is consumed */
} mh_value_ext_1;

#ifdef __cplusplus
}
#endif
#endif
