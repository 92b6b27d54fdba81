#pragma once
#include <sys/timex.h>

/* Whether the kernel's clock follows a time service: STA_UNSYNC is clear. */
static inline int mh_clock_is_synchronised(void) {
    struct timex state = {.modes = 0};
    int answer = adjtimex(&state);
    return answer >= 0 && answer != TIME_ERROR && (state.status & STA_UNSYNC) == 0;
}
