/* A plugin that serves over HTTP: a page, an echo from a worker, and a request that it leaves open. */
#include "fixture.h"

#include <stdlib.h>

static const mh_host_1 *host;
static const mh_routes_host_1 *routes;

typedef struct echo {
    mh_token token;
    char type[64];
    size_t type_size, size;
    unsigned char body[];
} echo;

static void answer(void *argument) {
    echo *work = argument;
    mh_response_1 response = {.status = 200, .content_type = {work->type, work->type_size}, .body = work->body, .body_size = work->size};
    routes->respond(host, work->token, &response);
    free(work);
}

static void request(const mh_plugin_1 *plugin, mh_token token, const mh_request_1 *asked) {
    (void)plugin;
    static const char page[] = "<!doctype html><title>Gallery</title>";
    if (asked->route == 0) {
        mh_response_1 response = {
            .status = 200, .content_type = text("text/html; charset=utf-8"), .body = page, .body_size = sizeof page - 1};
        routes->respond(host, token, &response);
    } else if (asked->route == 1) {
        const mh_worker_ext_1 *worker = host->get_extension(host, text(MH_EXT_WORKER));
        echo *work = malloc(sizeof *work + asked->body_size);
        if (work == NULL || worker == NULL || asked->content_type.len > sizeof work->type) {
            free(work);
            routes->reject(host, token, MH_E_LIMIT, text("there is no room for it"));
            return;
        }
        *work = (echo){.token = token, .type_size = asked->content_type.len, .size = asked->body_size};
        memcpy(work->type, asked->content_type.ptr, work->type_size);
        if (work->size > 0) memcpy(work->body, asked->body, work->size);
        worker->submit(host, answer, work);
    } else { /* The client waits until it goes, or this instance does. */
        const mh_log_ext_1 *log = host->get_extension(host, text(MH_EXT_LOG));
        if (log != NULL) log->write(host, MH_LOG_NOTICE, text("somebody waits"));
    }
}

static const void *get_extension(const mh_plugin_1 *plugin, mh_str_1 id) {
    static const mh_route_1 rows[] = {
        {"GET", "/", "The page."}, {"POST", "/echo", "Gives back what it gets."}, {"GET", "/open/{id}", "Never answers."}};
    static const mh_routes_plugin_1 table = {.routes = rows, .count = 3, .request = request};
    (void)plugin;
    return is(id, MH_EXT_ROUTES) ? &table : NULL;
}

static const char *const needs[] = {MH_EXT_ROUTES, MH_EXT_WORKER, NULL};

static const mh_descriptor_1 about = {
    .id = "org.example.gallery",
    .name = "Gallery",
    .vendor = "a test",
    .version = "1.0.0",
    .license = "MIT",
    .summary = "Serves a page.",
    .requires_ext = needs,
};

static mh_status init(const mh_plugin_1 *plugin, const mh_value_1 *config) {
    (void)plugin, (void)config;
    routes = host->get_extension(host, text(MH_EXT_ROUTES));
    return routes != NULL ? MH_OK : MH_E_UNSUPPORTED;
}

static const mh_plugin_1 *create(const mh_host_1 *given, mh_str_1 id) {
    static const mh_plugin_1 plugin = {
        .init = init,
        .activate = no_activate,
        .deactivate = nothing,
        .destroy = nothing,
        .on_main = nothing,
        .get_extension = get_extension,
    };
    (void)id;
    host = given;
    return &plugin;
}
