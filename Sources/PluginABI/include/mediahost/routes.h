/*
 * mh.routes.draft/2 (both sides): pages, pictures and data that an instance serves over the host's HTTP, below
 * /plugins/INSTANCE.
 *
 * The table is read once. Each request names its row and is answered by token, exactly once, as a command is: without
 * answer for 120 s it is given up, and what is answered then is dropped. What a person or a script would call by name is a
 * command; routes are for what a browser or a player loads.
 */
#ifndef MEDIAHOST_ROUTES_H
#define MEDIAHOST_ROUTES_H

#include "host.h"
#include "plugin.h"
#include "value.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MH_EXT_ROUTES "mh.routes.draft/2"

/* Owned by the plugin, constant, lives as long as the instance. Terminated strings. */
typedef struct mh_route_1 {
    const char *method;  /* "GET", "POST", "PUT", "PATCH" or "DELETE"; the host answers HEAD by GET */
    const char *path;    /* "/snapshot.jpg", "/clips/{id}"; "/" is /plugins/INSTANCE itself. A segment "{id}" stands for any
                          * one segment and is a parameter of that name. Where two match, the first is taken. */
    const char *summary; /* one sentence */
} mh_route_1;

/* One request. Owned by the host, valid for the call. */
typedef struct mh_request_1 {
    size_t route;                 /* the row of the table */
    const mh_value_1 *parameters; /* map of texts, decoded: never empty, never "." or "..", without "/" and NUL */
    const mh_value_1 *query;      /* map of texts, decoded; no key twice */
    mh_str_1 content_type;        /* as the client sent it; empty where it sent none */
    const void *body;             /* NULL where there is none */
    size_t body_size;             /* 1 MiB at most */
} mh_request_1;

/* One answer. Borrowed for `respond`. */
typedef struct mh_response_1 {
    int32_t status;        /* of HTTP: 200 to 599 */
    uint32_t reserved;     /* 0 */
    mh_str_1 content_type; /* "image/jpeg", printable ASCII; may be empty without a body */
    const void *body;      /* copied; NULL where there is none */
    size_t body_size;      /* 16 MiB at most */
} mh_response_1;

/* One answer whose body is read from a descriptor: for what is large, or is made while it is sent. Borrowed for
 * `respond_file`. */
typedef struct mh_file_response_1 {
    int32_t status;        /* of HTTP: 200 to 599 */
    int32_t file;          /* open for reading */
    mh_str_1 content_type; /* "video/mp4", printable ASCII; never empty */
} mh_file_response_1;

typedef struct mh_routes_host_1 {
    /* The answer. MH_E_INVALID or MH_E_LIMIT: not as mh_response_1 says; the request waits on. MH_E_STATE: the token is
     * unknown, answered already or given up by the host. [any, active] */
    mh_status (*respond)(const mh_host_1 *host, mh_token token, const mh_response_1 *response);
    /* The answer as JSON, with status 200. Consumes the builder in every case; NULL is an empty map. MH_E_STATE as above.
     * [any, active] */
    mh_status (*respond_value)(const mh_host_1 *host, mh_token token, mh_builder_1 *value);
    /* The error that goes with `status`, MH_E_NOT_FOUND as 404 and so on, as the host tells its own. MH_E_STATE as above.
     * [any, active] */
    mh_status (*reject)(const mh_host_1 *host, mh_token token, mh_status status, mh_str_1 text);
    /* The answer from a descriptor, which is the host's in every case from here on, and closed by it. Of a regular file all
     * of it is sent, from its first byte to the length that it has now, or with status 200 the range that the client asks for.
     * Of anything else, a pipe or a socket, what comes is sent until its end: whoever writes waits while the client is slow,
     * and gets EPIPE when it has gone. MH_E_INVALID: not as mh_file_response_1 says; the request waits on. MH_E_STATE as
     * above. [any, active] */
    mh_status (*respond_file)(const mh_host_1 *host, mh_token token, const mh_file_response_1 *response);
} mh_routes_host_1;

typedef struct mh_routes_plugin_1 {
    /* The table, read once after `init`. */
    const mh_route_1 *routes;
    size_t count; /* 256 at most */
    /* Somebody asks. Returns at once; slow work goes to a worker. [main, active] */
    void (*request)(const mh_plugin_1 *plugin, mh_token token, const mh_request_1 *request);
    /* The client has gone. The plugin still answers, or rejects with MH_E_CANCELLED. [main, active] */
    void (*cancel)(const mh_plugin_1 *plugin, mh_token token);
} mh_routes_plugin_1;

#ifdef __cplusplus
}
#endif
#endif
