#define _GNU_SOURCE
#include "stack.h"

#include <errno.h>
#include <execinfo.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

enum { MOST = 64 };

// Written by the interrupted thread before it posts `taken`, read by the capturing one after it waited for that.
static void *addresses[MOST];
static atomic_int count;
static sem_t taken;

static int number(void) { return SIGRTMIN + 9; }

// In a signal handler: `backtrace` is no async-signal-safe function by POSIX, but once its library is loaded it neither
// allocates nor takes a lock (glibc 2.35 and later find unwind tables by _dl_find_object; before that it takes the
// loader's lock, which is recursive, so a thread that hangs in the loader gets through all the same).
static void take(int signal_number) {
    (void)signal_number;
    int saved = errno;
    atomic_store(&count, backtrace(addresses, MOST));
    sem_post(&taken);
    errno = saved;
}

int mh_stack_prepare(void) {
    void *frame;
    if (backtrace(&frame, 1) < 0 || sem_init(&taken, 0, 0) != 0) return errno;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = take;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    if (sigaction(number(), &action, NULL) != 0) return errno;
    // A parent may have left it blocked.
    sigset_t ours;
    sigemptyset(&ours);
    sigaddset(&ours, number());
    return pthread_sigmask(SIG_UNBLOCK, &ours, NULL);
}

int mh_stack_capture(pthread_t thread, void **frames, int most, int timeout_ms) {
    while (sem_trywait(&taken) == 0) {
    } // a late answer to an earlier question
    if (pthread_kill(thread, number()) != 0) return -1;
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += timeout_ms / 1000;
    end.tv_nsec += (long)(timeout_ms % 1000) * 1000000;
    if (end.tv_nsec >= 1000000000) {
        end.tv_sec += 1;
        end.tv_nsec -= 1000000000;
    }
    while (sem_timedwait(&taken, &end) != 0) {
        if (errno != EINTR) return -1;
    }
    int found = atomic_load(&count);
    if (found > most) found = most;
    memcpy(frames, addresses, (size_t)found * sizeof *frames);
    return found;
}

char **mh_stack_describe(void *const *frames, int frame_count) { return backtrace_symbols(frames, frame_count); }
