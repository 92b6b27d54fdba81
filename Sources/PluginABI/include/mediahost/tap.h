/*
 * mh.tap.draft/1 (host side): the buffers that pass a named pad, with media time.
 *
 * A tap is attached by `pipeline/element.pad`. It stays attached over every stop, start and rebuild of the pipeline;
 * the host puts it back each time. What the plugin sees is a view; no GStreamer type crosses.
 *
 * Media time is one line per pipeline that never jumps: over a pause the reference stream (the first video, else the
 * first audio) steps exactly one frame. `running_time` is GStreamer's own and begins anew with every epoch.
 *
 * Order on the streaming thread: epoch, format, then buffers and gaps; a new epoch after every start from stopped.
 * Calls of one tap never overlap.
 */
#ifndef MEDIAHOST_TAP_H
#define MEDIAHOST_TAP_H

#include "host.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MH_EXT_TAP "mh.tap.draft/1"

enum {
    MH_BUFFER_DELTA = 1,   /* needs earlier buffers to be decoded; without it: a key frame */
    MH_BUFFER_HEADER = 2,  /* carries a codec header; a picture may follow in the same buffer */
    MH_BUFFER_DISCONT = 4, /* does not follow from the buffer before */
    MH_BUFFER_DROPPABLE = 8
};

/* One buffer. Owned by the host, valid for the call, or until `release` where it came from `retain`. */
typedef struct mh_buffer_1 {
    const uint8_t *data;
    size_t size;
    mh_time pts;          /* media time of presentation, or MH_TIME_NONE */
    mh_time dts;          /* media time of decoding, or MH_TIME_NONE; may precede the first pts */
    mh_time running_time; /* of the pts, or MH_TIME_NONE */
    mh_time duration;     /* or MH_TIME_NONE */
    uint32_t flags;       /* MH_BUFFER_ bits; unknown ones are legal */
    uint32_t caps_id;     /* of the last `format` */
    uint32_t epoch;       /* of the last `epoch` */
    uint32_t stream;      /* counts the streams of a pipeline from 0, in the order their taps were attached */
    void *host_data;      /* the host's own */
} mh_buffer_1;

/* One run of a pipeline, from a start to the next. */
typedef struct mh_epoch_1 {
    uint32_t epoch; /* counts from 1 */
    uint32_t reserved;
    mh_time offset;    /* media time = running time + offset */
    mh_time monotonic; /* the clocks when the first buffer passed */
    mh_time boottime;
    mh_time realtime;
} mh_epoch_1;

typedef struct mh_tap_1 mh_tap_1;

/* Owned by the plugin, valid until `detached` was called. All functions are required. */
typedef struct mh_tap_client_1 {
    void *context; /* handed to every function */
    void (*epoch)(void *context, const mh_epoch_1 *epoch);                   /* [stream] */
    void (*format)(void *context, uint32_t caps_id, mh_str_1 caps);          /* [stream] caps as GStreamer writes them */
    void (*buffer)(void *context, const mh_buffer_1 *buffer);                /* [stream] only what can be read */
    void (*gap)(void *context, mh_time pts, mh_time duration);               /* [stream] nothing will come for this time */
    void (*eos)(void *context);                                              /* [stream] */
    void (*detached)(void *context);                                         /* [main] the last call of all */
} mh_tap_client_1;

typedef struct mh_tap_ext_1 {
    /* Attaches to `pipeline/element.pad`. `*tap` is owned by the host, valid until `detached` was called. Where the pipeline
     * runs, [stream] calls may come before this returns. On failure the reason is logged, `*tap` is NULL, and the client is
     * not called. MH_E_NOT_FOUND: no such pipeline, element or pad. MH_E_INVALID: the client lacks functions. Where the
     * pipeline is not built now, pads are looked for when it is; a build that lacks one makes the instance fail. [main, active or in `activate`] */
    mh_status (*attach)(const mh_host_1 *host, mh_str_1 pad, const mh_tap_client_1 *client, mh_tap_1 **tap);
    /* Asks for the end; `detached` follows when no [stream] call is running and none can come: a turn of the control thread later, or
     * inside this call where the pipeline is not built. NULL and twice are harmless. [main, from `activate` on] */
    void (*detach)(const mh_host_1 *host, mh_tap_1 *tap);
    /* Keeps a buffer beyond the call, or NULL where it cannot be kept, or is kept already. The plugin's until `release`. Holds the
     * producer's memory: few and briefly. Copies are cheaper for all that stays (docs/benchmarks.md). [stream, in `buffer`] */
    const mh_buffer_1 *(*retain)(const mh_buffer_1 *buffer);
    /* Once for each that `retain` gave; what it did not give, and NULL, are left alone. [any, from `activate` on, also after
     * `detached`] */
    void (*release)(const mh_buffer_1 *buffer);
} mh_tap_ext_1;

#ifdef __cplusplus
}
#endif
#endif
