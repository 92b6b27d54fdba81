/*
 * mediahost plugin ABI: the types every other header uses.
 *
 * Rules that hold everywhere:
 *   Layout     No struct ever changes under its name. Growth is a new struct with a new number.
 *   Thread     Every function names its role: [main] the host's control thread, [stream] a GStreamer thread
 *              (no allocation, no waiting, no state change, no logging per buffer), [worker] the host's pool,
 *              [any] all of them. After the role stands the state it may be called in.
 *   Budget     A [main] call returns within 50 ms, `create`, `init`, `activate`, `validate` and `apply` within 1 s: nothing
 *              else happens meanwhile. The host names whoever takes longer, and counts.
 *   Re-entrancy  Calls of one instance on [main] never overlap. A host function calls nothing back before it returns, but for
 *              `detach` (mh.tap); from inside a plugin's function every host function of that role and state may be called.
 *   Ownership  What goes in is borrowed for the call: copy what you keep. What comes back belongs to the side
 *              that returned it, until the time its comment names. Nobody frees what the other side allocated.
 *   Errors     A host function that returns mh_status says MH_E_STATE in a state that its comment does not name, and on
 *              another thread where that names [main] alone; MH_E_INVALID where a pointer is NULL that must not be.
 *              What is followed later, on [main], says MH_E_LIMIT while 256 such calls of the instance wait.
 *              Others do nothing then, or return 0 or NULL. Only what goes beyond that is in the comments.
 *   Strings    UTF-8, not necessarily terminated, always with a length. What is no UTF-8 is repaired, not refused.
 *   Time       Signed nanoseconds; MH_TIME_NONE where there is none.
 */
#ifndef MEDIAHOST_TYPES_H
#define MEDIAHOST_TYPES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The outcome of a call: MH_OK or a negative MH_E_ constant. Unknown negative values are legal: treat them as failure. */
typedef int32_t mh_status;
enum {
    MH_OK = 0,
    MH_E_FAILED = -1,      /* it was tried and did not work; the text says why */
    MH_E_INVALID = -2,     /* an argument is wrong */
    MH_E_STATE = -3,       /* not allowed in this state or on this thread */
    MH_E_NOT_FOUND = -4,   /* no such thing */
    MH_E_UNSUPPORTED = -5, /* this side cannot do it */
    MH_E_BUSY = -6,        /* not now; trying again may work */
    MH_E_CANCELLED = -7,   /* given up on request */
    MH_E_TIMEOUT = -8,     /* a deadline passed */
    MH_E_LIMIT = -9        /* a configured bound would be exceeded */
};

/* Nanoseconds, signed. */
typedef int64_t mh_time;
#define MH_TIME_NONE INT64_MIN

/* Borrowed UTF-8. {NULL, 0} is the empty string. */
typedef struct mh_str_1 {
    const char *ptr;
    size_t len;
} mh_str_1;

/* What identifies one request of the host until it is answered. Never 0. */
typedef uint64_t mh_token;

#ifdef __cplusplus
}
#endif
#endif
