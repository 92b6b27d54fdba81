/*
 * mh.timer.draft/1 (both sides): calls at a time, on one of three clocks.
 *
 * The host has one wait per clock for all plugins together and sleeps while nothing is armed. A timer is never early. It may
 * be late by its slack, so that timers that lie close together are one wake-up, and by whatever the control thread does.
 *
 * A repeating timer keeps to `at` + n * `repeat`, however late a call was; times that were missed come as one call. All
 * timers of an instance end with its `deactivate`.
 */
#ifndef MEDIAHOST_TIMER_H
#define MEDIAHOST_TIMER_H

#include "host.h"
#include "plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MH_EXT_TIMER "mh.timer.draft/1"

/* The clocks of mh.clock, as Linux names them (timerfd_create(2)). Unknown values are refused with MH_E_INVALID. */
typedef int32_t mh_clock_id;
enum {
    MH_CLOCK_MONOTONIC = 0, /* stops in suspend, and so do its timers */
    MH_CLOCK_BOOTTIME = 1,  /* goes on in suspend: what became due meanwhile comes right after it; it wakes no machine */
    MH_CLOCK_REALTIME = 2,  /* since 1970. Set forward, what is due by then comes at once; set back, a single timer waits for
                             * its time, and a repeating one goes on with the next time of its row that is not before `at` */
    /* The same clocks, but a machine that sleeps is woken. MH_E_UNSUPPORTED: it has no clock that can (an RTC with an alarm),
     * or the host may not use it; the log says which. */
    MH_CLOCK_BOOTTIME_ALARM = 3,
    MH_CLOCK_REALTIME_ALARM = 4
};

/* What is to be armed. */
typedef struct mh_timer_1 {
    mh_clock_id clock;
    uint32_t reserved; /* 0 */
    mh_time at;        /* on that clock; what is past already comes at once */
    mh_time repeat;    /* from one time to the next, 1 ms at least; 0: once */
    mh_time slack;     /* how much later the host may call, to do more in one wake-up; 0 where the moment matters */
} mh_timer_1;

/* What a call stands for. Owned by the host, valid for the call. */
typedef struct mh_timer_expiry_1 {
    mh_token timer;
    uint64_t expirations; /* times that are over: 1, or more where a repeating timer missed some */
    mh_time due;          /* the first of them, on the timer's clock */
    mh_time late;         /* since the last of them; slack included */
} mh_timer_expiry_1;

typedef struct mh_timer_host_1 {
    /* Arms a timer; `*token` names it. MH_E_INVALID: unknown clock, no time, or a negative or too short span. MH_E_LIMIT: the
     * instance has 256 armed. MH_E_UNSUPPORTED: it offers no mh_timer_plugin_1, or see above. On failure `*token` is 0.
     * [main, active or in `activate`] */
    mh_status (*arm)(const mh_host_1 *host, const mh_timer_1 *timer, mh_token *token);
    /* Disarms it. From [main] no call follows; from elsewhere one may be on its way. MH_E_NOT_FOUND, on [main] only: it is
     * none of this instance, was cancelled, or was not repeating and has fired. [any, from `init` on] */
    mh_status (*cancel)(const mh_host_1 *host, mh_token token);
} mh_timer_host_1;

typedef struct mh_timer_plugin_1 {
    /* A timer that does not repeat is gone before the call, and may be armed anew in it. [main, active] */
    void (*on_timer)(const mh_plugin_1 *plugin, const mh_timer_expiry_1 *expiry);
} mh_timer_plugin_1;

#ifdef __cplusplus
}
#endif
#endif
