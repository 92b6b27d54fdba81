/*
 * mh.commands.draft/1 (both sides), mh.commands.draft/2 (host side): what a user can ask an instance to do.
 *
 * One table feeds the command line (`mediahost call INSTANCE.COMMAND key=value`), HTTP and the docs. Parameters are
 * checked against their schema before the plugin sees them. The answer is asynchronous, by token, exactly once. A command
 * without answer or progress for 120 s is cancelled, and its caller told so; what is answered then is dropped. A second
 * answer is counted as a fault.
 *
 * The host's side of draft/2 is that of draft/1 with a rejection that names a parameter. A plugin offers draft/1 for either; it
 * may use both tables of the host.
 */
#ifndef MEDIAHOST_COMMANDS_H
#define MEDIAHOST_COMMANDS_H

#include "host.h"
#include "plugin.h"
#include "value.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MH_EXT_COMMANDS "mh.commands.draft/1"
#define MH_EXT_COMMANDS_2 "mh.commands.draft/2"

/* Owned by the plugin, constant, lives as long as the instance. */
typedef struct mh_command_1 {
    const char *name;          /* "save" */
    const char *summary;       /* one sentence */
    const char *parameters;    /* JSON Schema text of a map, or NULL: takes none */
    const char *result;        /* JSON Schema text of a map, or NULL: returns an empty one */
} mh_command_1;

typedef struct mh_commands_host_1 {
    /* The answer. Consumes the builder in every case; NULL is an empty map. MH_E_STATE for a token that is unknown,
     * answered already or given up by the host. [any, active] */
    mh_status (*reply)(const mh_host_1 *host, mh_token token, mh_builder_1 *result);
    /* The other answer. `text` says what was attempted, what went wrong and what to do. MH_E_STATE as above. [any, active] */
    mh_status (*reject)(const mh_host_1 *host, mh_token token, mh_status status, mh_str_1 text);
    /* How far it is, 0 to 1; a sign of life, too. Ignored where nobody waits. [main, worker; active] */
    void (*progress)(const mh_host_1 *host, mh_token token, double fraction, mh_str_1 text);
} mh_commands_host_1;

typedef struct mh_commands_host_2 {
    /* As in mh_commands_host_1. */
    mh_status (*reply)(const mh_host_1 *host, mh_token token, mh_builder_1 *result);
    /* As in mh_commands_host_1. `parameter` is the one that is wrong, "to", "inner.gain" or "list[2]", so that a page or a script
     * knows where; empty where it is none, or several. [any, active] */
    mh_status (*reject)(const mh_host_1 *host, mh_token token, mh_status status, mh_str_1 parameter, mh_str_1 text);
    /* As in mh_commands_host_1. */
    void (*progress)(const mh_host_1 *host, mh_token token, double fraction, mh_str_1 text);
} mh_commands_host_2;

typedef struct mh_commands_plugin_1 {
    /* The table, read once after `init`. */
    const mh_command_1 *commands;
    size_t count; /* 1024 at most */
    /* Starts a command. `parameters` is borrowed for the call. Returns at once; slow work goes to a worker. [main, active] */
    void (*invoke)(const mh_plugin_1 *plugin, mh_token token, mh_str_1 name, const mh_value_1 *parameters);
    /* Nobody waits any longer. The plugin still answers, MH_E_CANCELLED if it gave up. [main, active] */
    void (*cancel)(const mh_plugin_1 *plugin, mh_token token);
} mh_commands_plugin_1;

#ifdef __cplusplus
}
#endif
#endif
