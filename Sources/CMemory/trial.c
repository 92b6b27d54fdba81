#define _GNU_SOURCE
#include "trial.h"

#include "lending.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const int numbers[] = {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGTRAP};
enum { SIGNALS = sizeof numbers / sizeof *numbers };
static struct sigaction before[SIGNALS];
static int report_file = -1;
static pid_t own;

static _Thread_local int thread_role;

int mh_thread_role(void) { return thread_role; }
void mh_set_thread_role(int role) { thread_role = role; }

static void tell(const char *word, const char *rest) {
    char line[256] = "";
    strncat(line, word, 16);
    strncat(line, rest, sizeof line - 32);
    size_t length = strlen(line);
    line[length++] = '\n';
    // Nobody is left to hear that it could not be written.
    if (write(report_file, line, length) < 0) errno = 0;
}

static void crashed(int number, siginfo_t *info, void *context) {
    static atomic_flag is_begun = ATOMIC_FLAG_INIT;
    static atomic_bool is_told;
    if (getpid() == own && !atomic_flag_test_and_set(&is_begun)) {
        const char *what = number == SIGSEGV && info->si_code > 0 ? mh_lent_as(info->si_addr) : NULL;
        if (what != NULL) tell("lent ", what);
        const char role[] = {(char)('0' + thread_role), '\0'};
        tell("thread ", role);
        atomic_store(&is_told, true);
    } else if (getpid() == own) {
        // Another thread was first. It gets a second to say so before this one ends the process.
        const struct timespec millisecond = {.tv_nsec = 1000000};
        for (int round = 0; round < 1000 && !atomic_load(&is_told); round++) nanosleep(&millisecond, NULL);
    }
    int index = 0;
    while (index < SIGNALS - 1 && numbers[index] != number) index++;
    if (before[index].sa_flags & SA_SIGINFO) {
        before[index].sa_sigaction(number, info, context);
        return;
    }
    sigaction(number, &before[index], NULL);
    raise(number);
}

int mh_trial_prepare(int report) {
    report_file = report;
    own = getpid();
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = crashed;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (int index = 0; index < SIGNALS; index++) {
        if (sigaction(numbers[index], &action, &before[index]) != 0) return errno;
    }
    return 0;
}
