#define _GNU_SOURCE
#include "guillotine.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FORBIDDEN = 120 };

static int threads(void) {
    int count = 0;
    DIR *tasks = opendir("/proc/self/task");
    for (struct dirent *entry; tasks && (entry = readdir(tasks));) count += entry->d_name[0] != '.';
    if (tasks) closedir(tasks);
    return count;
}

static int await(pid_t child, int *status) {
    pid_t found;
    while ((found = waitpid(child, status, __WALL)) < 0 && errno == EINTR) {}
    return found == child ? 0 : errno;
}

/* Goes from stop to stop: each call is two of them. */
static int follow(pid_t child, long number, guillotine_end *end) {
    int signal = 0, is_inside = 0, status = 0;
    while (1) {
        if (ptrace(PTRACE_SYSCALL, child, NULL, (void *)(long)signal) != 0) return errno;
        int error = await(child, &status);
        if (error) return error;
        if (WIFEXITED(status)) return WEXITSTATUS(status) == 0 ? 0 : ECHILD;
        if (WIFSIGNALED(status)) return ECHILD;
        signal = WSTOPSIG(status) == (SIGTRAP | 0x80) ? 0 : WSTOPSIG(status);
        if (signal) continue;
        is_inside = !is_inside;
        if (!is_inside) continue;
        if (end->calls == number) {
            struct __ptrace_syscall_info info = {0};
            ptrace(PTRACE_GET_SYSCALL_INFO, child, (void *)sizeof info, &info);
            end->killed_in = (long)info.entry.nr;
            kill(child, SIGKILL);
            while (await(child, &status) == 0 && !WIFSIGNALED(status)) {}
            return 0;
        }
        end->calls++;
    }
}

int guillotine_run(void (*body)(void *context), void *context, long number, guillotine_end *end) {
    *end = (guillotine_end){.calls = 0, .killed_in = -1};
    if (threads() != 1) return EBUSY;
    pid_t child = fork();
    if (child < 0) return errno;
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) _exit(FORBIDDEN);
        raise(SIGSTOP);
        body(context);
        _exit(0);
    }
    int status = 0, error = await(child, &status);
    if (error) return error;
    if (WIFEXITED(status) && WEXITSTATUS(status) == FORBIDDEN) return EPERM;
    if (!WIFSTOPPED(status)) return ECHILD;
    long options = PTRACE_O_EXITKILL | PTRACE_O_TRACESYSGOOD;
    error = ptrace(PTRACE_SETOPTIONS, child, NULL, (void *)options) == 0 ? follow(child, number, end) : errno;
    if (error) {
        kill(child, SIGKILL);
        await(child, &status);
    }
    return error;
}
