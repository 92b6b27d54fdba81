/* A plugin that serves over HTTP: a page, an echo from a worker, a request that it leaves open, a file, and what is made while it
 * is sent. */
#define _GNU_SOURCE
#include "fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

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
    /* A type that is none, and a body without one, cannot be given back. */
    if (routes->respond(host, work->token, &response) != MH_OK)
        routes->reject(host, work->token, MH_E_INVALID, text("this has no type that could be given back"));
    free(work);
}

enum { FILE_BYTES = 20 << 20, LINES = 100000 };

/* 20 MiB, more than an answer of bytes may have: the number of each 8 bytes. */
static int make_file(void) {
    int file = memfd_create("clip", MFD_CLOEXEC);
    for (int part = 0; file >= 0 && part < FILE_BYTES / 4096; part++) {
        char page[4096 + 1];
        for (int word = 0; word < 4096 / 8; word++)
            snprintf(page + word * 8, 9, "%07d\n", part * (4096 / 8) + word);
        if (write(file, page, 4096) != 4096)
            return -1;
    }
    return file;
}

/* A line for each number, until nobody reads; then it says so. */
static void tell(void *argument) {
    int file = (int)(intptr_t)argument - 1, number = 0;
    char line[16];
    while (number < LINES && write(file, line, (size_t)snprintf(line, sizeof line, "%d\n", number)) > 0)
        number++;
    const mh_log_ext_1 *log = host->get_extension(host, text(MH_EXT_LOG));
    if (log != NULL && number < LINES)
        log->write(host, MH_LOG_NOTICE, text(errno == EPIPE ? "nobody reads any more" : "it cannot be written"));
    close(file);
}

static void serve_file(mh_token token, mh_str_1 kind) {
    const mh_worker_ext_1 *worker = host->get_extension(host, text(MH_EXT_WORKER));
    int ends[2] = {-1, -1};
    mh_file_response_1 response = {.status = 200, .file = -1, .content_type = text("text/plain")};
    if (is(kind, "clip")) {
        response.file = make_file();
    } else if (worker != NULL && pipe2(ends, O_CLOEXEC) == 0) {
        response.file = ends[0];
        worker->submit(host, tell, (void *)(intptr_t)(ends[1] + 1));
    }
    if (is(kind, "untyped"))
        response.content_type = text("");
    if (routes->respond_file(host, token, &response) == MH_E_INVALID)
        routes->reject(host, token, MH_E_FAILED, text("that was no answer"));
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
    } else if (asked->route == 3) {
        const mh_value_ext_1 *values = host->get_extension(host, text(MH_EXT_VALUE));
        serve_file(token, values->as_string(values->member(asked->parameters, text("kind"))));
    } else { /* The client waits until it goes, or this instance does. */
        const mh_log_ext_1 *log = host->get_extension(host, text(MH_EXT_LOG));
        if (log != NULL) log->write(host, MH_LOG_NOTICE, text("somebody waits"));
    }
}

static const void *get_extension(const mh_plugin_1 *plugin, mh_str_1 id) {
    static const mh_route_1 rows[] = {
        {"GET", "/", "The page."}, {"POST", "/echo", "Gives back what it gets."}, {"GET", "/open/{id}", "Never answers."},
        {"GET", "/files/{kind}", "A clip, or lines that are made while they are sent."}};
    static const mh_routes_plugin_1 table = {.routes = rows, .count = 4, .request = request};
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

FIXTURE_CREATE(init, host)
