/*
 * The smallest useful mediahost plugin in C: it taps one pad and counts what passes.
 *
 * It is meant to be copied. It shows each thing once:
 *   - config               `pad: camera/encoded.src`, checked by the host against our schema
 *   - a tap                 buffers on a streaming thread, counted without a lock
 *   - stream -> main        a flag and `request_main`, never a log line or an allocation per buffer
 *   - commands              `count` and `reset`, answered with a value tree
 *   - events                a subscription to `pipeline.*`
 *   - lifecycle             acknowledged at once, because nothing has to be put away first
 *
 * Threads, as the headers name them: [main] is the host's control thread, [stream] a GStreamer thread.
 */
#include <mediahost/commands.h>
#include <mediahost/events.h>
#include <mediahost/lifecycle.h>
#include <mediahost/log.h>
#include <mediahost/plugin.h>
#include <mediahost/tap.h>
#include <mediahost/value.h>

#include <assert.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLUGIN_ID "org.mediahost.examples.minimal"

/* How many epochs `count` lists; older ones remain in the totals only. */
#define EPOCHS 64

/* The streaming thread may not wait, so the counters must not hide a lock. */
static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "this machine has no lock-free 64-bit atomics");

/* ---- strings ---------------------------------------------------------------------------------------------------- */

static mh_str_1 str(const char *text) { return (mh_str_1){text, strlen(text)}; }

/* Strings of the host are not necessarily terminated: compare by length. */
static bool str_is(mh_str_1 string, const char *text) {
    return string.len == strlen(text) && (string.len == 0 || memcmp(string.ptr, text, string.len) == 0);
}

/* ---- state ------------------------------------------------------------------------------------------------------ */

/* Numbers at one instant. Plain values; never shared between threads. */
typedef struct counts {
    uint64_t buffers, key_frames, bytes;
} counts;

/* The same, counted by [stream] and read by [main]. Only one thread writes: calls of one tap never overlap. */
typedef struct live_counts {
    _Atomic uint64_t buffers, key_frames, bytes;
} live_counts;

/* One epoch's counters. `epoch` is 0 while the slot changes hands, so a reader can tell that it looked at a mixture. */
typedef struct epoch_slot {
    _Atomic uint32_t epoch;
    live_counts live;
} epoch_slot;

/* What a slot or the totals stood at when `reset` was called. [main] only. */
typedef struct baseline {
    uint32_t epoch;
    counts at;
} baseline;

typedef struct minimal {
    mh_plugin_1 plugin; /* what the host holds; its plugin_data points back here */
    const mh_host_1 *host;

    /* Host extensions, looked up once in `init`. Required ones are never NULL there: the host checked. */
    const mh_log_ext_1 *log;
    const mh_value_ext_1 *value;
    const mh_tap_ext_1 *taps;
    const mh_commands_host_1 *commands;
    const mh_lifecycle_host_1 *lifecycle;

    /* [main] */
    char *pad;
    mh_tap_1 *tap; /* NULL when not attached */
    mh_tap_client_1 tap_client;
    uint64_t events;
    counts total_baseline;
    baseline epoch_baselines[EPOCHS];

    /* Written by [stream], read by [main]. */
    live_counts total;
    epoch_slot epochs[EPOCHS]; /* epoch n lives in slot n % EPOCHS */
    _Atomic int64_t last_pts;
    _Atomic uint32_t current_epoch;
} minimal;

static minimal *self_of(const mh_plugin_1 *plugin) { return plugin->plugin_data; }

static void log_line(const minimal *self, mh_log_level level, const char *text) {
    self->log->write(self->host, level, str(text));
}

/* ---- counting: [stream] writes, [main] reads ---------------------------------------------------------------------- */

static void live_add(live_counts *live, bool key_frame, size_t bytes) {
    /* Relaxed: each number is right by itself; nothing is published through it. */
    atomic_fetch_add_explicit(&live->buffers, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&live->key_frames, key_frame ? 1 : 0, memory_order_relaxed);
    atomic_fetch_add_explicit(&live->bytes, bytes, memory_order_relaxed);
}

static void live_clear(live_counts *live) {
    atomic_store_explicit(&live->buffers, 0, memory_order_relaxed);
    atomic_store_explicit(&live->key_frames, 0, memory_order_relaxed);
    atomic_store_explicit(&live->bytes, 0, memory_order_relaxed);
}

static counts live_read(const live_counts *live) {
    return (counts){
        .buffers = atomic_load_explicit(&live->buffers, memory_order_relaxed),
        .key_frames = atomic_load_explicit(&live->key_frames, memory_order_relaxed),
        .bytes = atomic_load_explicit(&live->bytes, memory_order_relaxed),
    };
}

/* Gives the slot to a new epoch. [stream] */
static void slot_begin(epoch_slot *slot, uint32_t epoch) {
    if (atomic_load_explicit(&slot->epoch, memory_order_relaxed) == epoch)
        return; /* attached again within an epoch: go on counting */
    atomic_store_explicit(&slot->epoch, 0, memory_order_relaxed);
    atomic_thread_fence(memory_order_release); /* the 0 is seen before the cleared counters */
    live_clear(&slot->live);
    atomic_store_explicit(&slot->epoch, epoch, memory_order_release); /* and the new number after them */
}

/* Reads one slot; false if it is empty or just changes hands. [main] */
static bool slot_read(const epoch_slot *slot, uint32_t *epoch, counts *out) {
    uint32_t before = atomic_load_explicit(&slot->epoch, memory_order_acquire);
    *out = live_read(&slot->live);
    atomic_thread_fence(memory_order_acquire);
    *epoch = before;
    return before != 0 && before == atomic_load_explicit(&slot->epoch, memory_order_relaxed);
}

static counts since(counts now, counts then) {
    return (counts){now.buffers - then.buffers, now.key_frames - then.key_frames, now.bytes - then.bytes};
}

/* ---- the tap: [stream], so no allocation, no waiting, no logging --------------------------------------------------- */

static void tap_epoch(void *context, const mh_epoch_1 *epoch) {
    minimal *self = context;
    slot_begin(&self->epochs[epoch->epoch % EPOCHS], epoch->epoch);
    atomic_store_explicit(&self->current_epoch, epoch->epoch, memory_order_relaxed);
    self->host->request_main(self->host); /* `on_main` writes the log line */
}

static void tap_format(void *context, uint32_t caps_id, mh_str_1 caps) {
    (void)context, (void)caps_id, (void)caps;
}

static void tap_buffer(void *context, const mh_buffer_1 *buffer) {
    minimal *self = context;
    bool key_frame = (buffer->flags & (MH_BUFFER_DELTA | MH_BUFFER_HEADER)) == 0;
    live_add(&self->total, key_frame, buffer->size);
    live_add(&self->epochs[buffer->epoch % EPOCHS].live, key_frame, buffer->size);
    if (buffer->pts != MH_TIME_NONE)
        atomic_store_explicit(&self->last_pts, buffer->pts, memory_order_relaxed);
}

static void tap_gap(void *context, mh_time pts, mh_time duration) { (void)context, (void)pts, (void)duration; }

static void tap_eos(void *context) { (void)context; }

/* The last call of all; [main]. */
static void tap_detached(void *context) {
    minimal *self = context;
    self->tap = NULL;
}

/* ---- commands ----------------------------------------------------------------------------------------------------- */

static const mh_command_1 command_table[] = {
    {
        .name = "count",
        .summary = "What has passed since the start or the last reset, in all and for each of the last 64 epochs.",
        .parameters = NULL,
        .result = "{\"type\":\"object\",\"properties\":{"
                  "\"buffers\":{\"type\":\"integer\"},"
                  "\"key-frames\":{\"type\":\"integer\"},"
                  "\"bytes\":{\"type\":\"integer\"},"
                  "\"last-pts\":{\"type\":[\"integer\",\"null\"],\"description\":\"media time, nanoseconds\"},"
                  "\"events\":{\"type\":\"integer\",\"description\":\"pipeline events seen\"},"
                  "\"epochs\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{"
                  "\"epoch\":{\"type\":\"integer\"},"
                  "\"buffers\":{\"type\":\"integer\"},"
                  "\"key-frames\":{\"type\":\"integer\"},"
                  "\"bytes\":{\"type\":\"integer\"}}}}}}",
    },
    {
        .name = "reset",
        .summary = "Starts all counts at zero.",
        .parameters = NULL,
        .result = NULL,
    },
};

static void put_counts(const minimal *self, mh_builder_1 *builder, counts value) {
    self->value->put_int(builder, str("buffers"), (int64_t)value.buffers);
    self->value->put_int(builder, str("key-frames"), (int64_t)value.key_frames);
    self->value->put_int(builder, str("bytes"), (int64_t)value.bytes);
}

static void put_epoch(const minimal *self, mh_builder_1 *builder, uint32_t number) {
    uint32_t epoch = 0;
    counts now;
    if (!slot_read(&self->epochs[number % EPOCHS], &epoch, &now) || epoch != number)
        return;
    const baseline *base = &self->epoch_baselines[number % EPOCHS];
    if (base->epoch == number) {
        now = since(now, base->at);
        if (now.buffers == 0)
            return; /* nothing since the reset */
    }
    self->value->open_map(builder, str(""));
    self->value->put_int(builder, str("epoch"), epoch);
    put_counts(self, builder, now);
    self->value->close(builder);
}

static mh_builder_1 *count_result(const minimal *self) {
    mh_builder_1 *builder = self->value->build();
    counts total = since(live_read(&self->total), self->total_baseline);
    put_counts(self, builder, total);

    mh_time last_pts = atomic_load_explicit(&self->last_pts, memory_order_relaxed);
    if (total.buffers == 0 || last_pts == MH_TIME_NONE)
        self->value->put_null(builder, str("last-pts"));
    else
        self->value->put_int(builder, str("last-pts"), last_pts);
    self->value->put_int(builder, str("events"), (int64_t)self->events);

    self->value->open_list(builder, str("epochs"));
    uint32_t newest = atomic_load_explicit(&self->current_epoch, memory_order_relaxed);
    uint32_t oldest = newest >= EPOCHS ? newest - EPOCHS + 1 : 1;
    for (uint32_t number = oldest; newest != 0 && number <= newest; number++)
        put_epoch(self, builder, number);
    self->value->close(builder);
    return builder; /* the root map closes when the reply consumes it */
}

/* The counters belong to [stream] and are never cleared from here: `reset` only remembers where they stood. */
static void reset(minimal *self) {
    self->total_baseline = live_read(&self->total);
    for (size_t slot = 0; slot < EPOCHS; slot++) {
        baseline *base = &self->epoch_baselines[slot];
        if (!slot_read(&self->epochs[slot], &base->epoch, &base->at))
            base->epoch = 0;
    }
    self->events = 0;
}

/* [main, active] */
static void commands_invoke(const mh_plugin_1 *plugin, mh_token token, mh_str_1 name, const mh_value_1 *parameters) {
    minimal *self = self_of(plugin);
    (void)parameters; /* neither command takes any; the host has checked that none were given */
    if (str_is(name, "count")) {
        self->commands->reply(self->host, token, count_result(self));
    } else if (str_is(name, "reset")) {
        reset(self);
        self->commands->reply(self->host, token, NULL);
    } else {
        /* The host asks only for what is in the table; answer all the same, exactly once. */
        self->commands->reject(self->host, token, MH_E_NOT_FOUND, str("no such command; there are count and reset"));
    }
}

/* Both commands are answered before `invoke` returns, so there is never anything to cancel. */
static void commands_cancel(const mh_plugin_1 *plugin, mh_token token) { (void)plugin, (void)token; }

/* ---- events and lifecycle ----------------------------------------------------------------------------------------- */

static const char *const subscriptions[] = {"pipeline.*", NULL};

/* [main, ready or active] */
static void events_on_event(const mh_plugin_1 *plugin, const mh_event_1 *event) {
    minimal *self = self_of(plugin);
    char line[160];
    self->events++;
    snprintf(line, sizeof line, "event %.*s from %.*s", (int)event->name.len, event->name.ptr, (int)event->source.len,
             event->source.ptr);
    log_line(self, MH_LOG_DEBUG, line);
}

/* [main, active] */
static void lifecycle_on_state(const mh_plugin_1 *plugin, mh_token token, mh_lifecycle_state state,
                               mh_lifecycle_change change, mh_time deadline) {
    minimal *self = self_of(plugin);
    (void)state, (void)change, (void)deadline;
    if (token != 0) /* 0: only told, no answer expected */
        self->lifecycle->ack(self->host, token, MH_OK);
}

/* ---- the instance: [main] ------------------------------------------------------------------------------------------ */

static const void *host_extension(const minimal *self, const char *id) {
    return self->host->get_extension(self->host, str(id));
}

static mh_status instance_init(const mh_plugin_1 *plugin, const mh_value_1 *config) {
    minimal *self = self_of(plugin);
    self->log = host_extension(self, MH_EXT_LOG);
    self->value = host_extension(self, MH_EXT_VALUE);
    self->taps = host_extension(self, MH_EXT_TAP);
    self->commands = host_extension(self, MH_EXT_COMMANDS);
    self->lifecycle = host_extension(self, MH_EXT_LIFECYCLE);

    /* `config` is borrowed for this call: copy what stays. */
    mh_str_1 pad = self->value->as_string(self->value->member(config, str("pad")));
    if (pad.len == 0) {
        log_line(self, MH_LOG_ERROR, "`pad` is missing: give the pad to count as pipeline/element.pad");
        return MH_E_INVALID;
    }
    self->pad = malloc(pad.len + 1);
    if (self->pad == NULL) {
        log_line(self, MH_LOG_ERROR, "no memory for the name of the pad");
        return MH_E_FAILED;
    }
    memcpy(self->pad, pad.ptr, pad.len);
    self->pad[pad.len] = '\0';

    char line[256];
    snprintf(line, sizeof line, "counts what passes %s", self->pad);
    log_line(self, MH_LOG_NOTICE, line);
    return MH_OK;
}

static mh_status instance_activate(const mh_plugin_1 *plugin) {
    minimal *self = self_of(plugin);
    /* The host puts the tap back after every rebuild of the pipeline: once is enough. It logs why if it cannot. */
    return self->taps->attach(self->host, str(self->pad), &self->tap_client, &self->tap);
}

static void instance_deactivate(const mh_plugin_1 *plugin) {
    minimal *self = self_of(plugin);
    if (self->tap != NULL)
        self->taps->detach(self->host, self->tap); /* `tap_detached` follows */
}

static void instance_destroy(const mh_plugin_1 *plugin) {
    minimal *self = self_of(plugin);
    free(self->pad);
    free(self);
}

/* The answer to `request_main` in `tap_epoch`. */
static void instance_on_main(const mh_plugin_1 *plugin) {
    minimal *self = self_of(plugin);
    char line[64];
    snprintf(line, sizeof line, "epoch %" PRIu32 " has begun",
             atomic_load_explicit(&self->current_epoch, memory_order_relaxed));
    log_line(self, MH_LOG_DEBUG, line);
}

static const void *instance_extension(const mh_plugin_1 *plugin, mh_str_1 id) {
    static const mh_commands_plugin_1 commands = {
        .commands = command_table,
        .count = sizeof command_table / sizeof command_table[0],
        .invoke = commands_invoke,
        .cancel = commands_cancel,
    };
    static const mh_events_plugin_1 events = {.subscriptions = subscriptions, .on_event = events_on_event};
    static const mh_lifecycle_plugin_1 lifecycle = {.on_state = lifecycle_on_state, .ack_within = 0};
    (void)plugin;
    if (str_is(id, MH_EXT_COMMANDS))
        return &commands;
    if (str_is(id, MH_EXT_EVENTS))
        return &events;
    if (str_is(id, MH_EXT_LIFECYCLE))
        return &lifecycle;
    return NULL; /* what is not known is not offered */
}

/* ---- the library -------------------------------------------------------------------------------------------------- */

/* The host refuses, with a text that says why, before an instance exists if one of these is missing. */
static const char *const required_extensions[] = {
    MH_EXT_LOG, MH_EXT_VALUE, MH_EXT_TAP, MH_EXT_COMMANDS, MH_EXT_LIFECYCLE, NULL,
};

static const mh_descriptor_1 descriptor = {
    .id = PLUGIN_ID,
    .name = "Minimal",
    .vendor = "the mediahost authors",
    .version = "0.1.0",
    .license = "MIT",
    .summary = "Counts the buffers, key frames and bytes that pass a pad.",
    .requires_ext = required_extensions,
    .optional_ext = NULL,
    .config_schema = "{\"type\":\"object\",\"properties\":{"
                     "\"pad\":{\"type\":\"string\",\"format\":\"pad\",\"description\":\"the pad to count\"}},"
                     "\"required\":[\"pad\"],\"additionalProperties\":false}",
    .flags = 0,
};

static uint32_t factory_count(void) { return 1; }

static const mh_descriptor_1 *factory_descriptor(uint32_t index) { return index == 0 ? &descriptor : NULL; }

/* `host` is kept here and first called in `init`. */
static const mh_plugin_1 *factory_create(const mh_host_1 *host, mh_str_1 id) {
    if (!str_is(id, PLUGIN_ID))
        return NULL;
    minimal *self = calloc(1, sizeof *self); /* all counts start at zero */
    if (self == NULL)
        return NULL;
    self->host = host;
    atomic_init(&self->last_pts, MH_TIME_NONE);
    self->tap_client = (mh_tap_client_1){
        .context = self,
        .epoch = tap_epoch,
        .format = tap_format,
        .buffer = tap_buffer,
        .gap = tap_gap,
        .eos = tap_eos,
        .detached = tap_detached,
    };
    self->plugin = (mh_plugin_1){
        .plugin_data = self,
        .init = instance_init,
        .activate = instance_activate,
        .deactivate = instance_deactivate,
        .destroy = instance_destroy,
        .on_main = instance_on_main,
        .get_extension = instance_extension,
    };
    return &self->plugin;
}

static mh_status entry_init(mh_str_1 library_path) {
    (void)library_path;
    return MH_OK;
}

static void entry_deinit(void) {}

static const void *entry_factory(mh_str_1 factory_id) {
    static const mh_factory_1 factory = {
        .count = factory_count,
        .descriptor = factory_descriptor,
        .create = factory_create,
    };
    return str_is(factory_id, MH_FACTORY_PLUGIN) ? &factory : NULL;
}

/* The only exported symbol: the library is compiled with hidden visibility, and MH_EXPORT in the header lifts it here. */
const mh_entry_1 *mh_plugin_entry_1(void) {
    static const mh_entry_1 entry = {
        .magic = MH_ENTRY_MAGIC,
        .abi_major = MH_ABI_MAJOR,
        .abi_minor = MH_ABI_MINOR,
        .built_with = "cc",
        .init = entry_init,
        .deinit = entry_deinit,
        .get_factory = entry_factory,
    };
    return &entry;
}
