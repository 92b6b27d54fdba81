/*
 * Preloaded in front of libfaketime, which moves the wall clock:
 *
 * - libfaketime shifts the due time of every timerfd as if it were one of the wall clock; those of the other clocks go to the
 *   kernel as they are
 * - the kernel's word on whether a time service has set the clock is the test's: nobody has. systemd-timesyncd says so by a file, which a test may make
 * - libfaketime adds a variable to the environment, which moves it off the stack before Swift's run time looks for the program's
 *   arguments beside it; it finds none then. The variable is for children alone, and they do without
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

enum { FILES = 4096 };

/* By descriptor: whether it is a timer of the wall clock. */
static atomic_bool is_wall[FILES];

int timerfd_create(clockid_t clock, int flags) {
    int file = (int)syscall(SYS_timerfd_create, clock, flags);
    if (file >= 0 && file < FILES) is_wall[file] = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_ALARM;
    return file;
}

int timerfd_settime(int file, int flags, const struct itimerspec *new, struct itimerspec *old) {
    if (file < 0 || file >= FILES || !is_wall[file]) return (int)syscall(SYS_timerfd_settime, file, flags, new, old);
    int (*next)(int, int, const struct itimerspec *, struct itimerspec *) = dlsym(RTLD_NEXT, "timerfd_settime");
    return next(file, flags, new, old);
}

int setenv(const char *name, const char *value, int replaces) {
    if (strcmp(name, "FAKETIME_SHARED") == 0) return 0;
    int (*next)(const char *, const char *, int) = dlsym(RTLD_NEXT, "setenv");
    return next(name, value, replaces);
}

int adjtimex(struct timex *state) {
    if (state->modes) {
        errno = EPERM;
        return -1;
    }
    state->status = STA_UNSYNC;
    return TIME_ERROR;
}
