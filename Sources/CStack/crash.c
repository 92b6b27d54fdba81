#define _GNU_SOURCE
#include "crash.h"

#include <errno.h>
#include <execinfo.h>
#include <link.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

enum { MOST_LIBRARIES = 64, LONGEST_NAME = 128, LONGEST_PLUGINS = 256, MOST_FRAMES = 64 };

// Written by the control thread before `count` says that it is there. The handler reads, allocates nothing and takes no
// lock.
struct library {
    uintptr_t start;             // where it is loaded: addresses are told from here
    uintptr_t code, end_of_code; // what may be executed
    char name[LONGEST_NAME];
    // One is read while the other is written.
    char plugins[2][LONGEST_PLUGINS];
    atomic_int current;
};

static void (*_Atomic tell_first)(const void *address);

static struct library libraries[MOST_LIBRARIES];
static atomic_int count;

static const int numbers[] = {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGTRAP};
static const char *const names[] = {"SIGSEGV", "SIGBUS", "SIGABRT", "SIGILL", "SIGFPE", "SIGTRAP"};
enum { SIGNALS = sizeof numbers / sizeof *numbers };
static struct sigaction before[SIGNALS];

static const struct library *owner(uintptr_t address) {
    int known = atomic_load(&count);
    for (int index = 0; index < known; index++) {
        if (address >= libraries[index].code && address < libraries[index].end_of_code) return &libraries[index];
    }
    return NULL;
}

// Where the fault is, or 0 where this machine is not known.
static uintptr_t place(const void *context) {
    const ucontext_t *state = context;
#if defined(__x86_64__)
    return (uintptr_t)state->uc_mcontext.gregs[REG_RIP];
#elif defined(__i386__)
    return (uintptr_t)state->uc_mcontext.gregs[REG_EIP];
#elif defined(__aarch64__)
    return (uintptr_t)state->uc_mcontext.pc;
#elif defined(__arm__)
    return (uintptr_t)state->uc_mcontext.arm_pc;
#elif defined(__riscv)
    return (uintptr_t)state->uc_mcontext.__gregs[REG_PC];
#else
    (void)state;
    return 0;
#endif
}

// Who jumped to where the fault is, for a jump to where no code is: no unwinder knows the way back from there. 0 where
// this machine is not known.
static uintptr_t jumper(const void *context) {
    const ucontext_t *state = context;
#if defined(__x86_64__)
    return *(const uintptr_t *)state->uc_mcontext.gregs[REG_RSP];
#elif defined(__i386__)
    return *(const uintptr_t *)state->uc_mcontext.gregs[REG_ESP];
#elif defined(__aarch64__)
    return (uintptr_t)state->uc_mcontext.regs[30];
#elif defined(__arm__)
    return (uintptr_t)state->uc_mcontext.arm_lr;
#elif defined(__riscv)
    return (uintptr_t)state->uc_mcontext.__gregs[REG_RA];
#else
    (void)state;
    return 0;
#endif
}

struct line {
    char text[1024];
    size_t length;
};

static void put(struct line *line, const char *text) {
    while (*text != '\0' && line->length < sizeof line->text) line->text[line->length++] = *text++;
}

static void put_hex(struct line *line, uintptr_t value) {
    char digits[2 * sizeof value + 1];
    size_t at = sizeof digits - 1;
    digits[at] = '\0';
    do {
        digits[--at] = "0123456789abcdef"[value & 15];
        value >>= 4;
    } while (value != 0);
    put(line, "0x");
    put(line, digits + at);
}

static void tell(const char *what, const char *signal_name, const char *how, const struct library *library, uintptr_t address) {
    struct line line = {.length = 0};
    put(&line, "mediahost: ");
    put(&line, what);
    put(&line, signal_name);
    put(&line, how);
    put(&line, library->plugins[atomic_load(&library->current)]);
    put(&line, " (");
    put(&line, library->name);
    put(&line, "+");
    put_hex(&line, address - library->start);
    put(&line, ")\n");
    if (line.length == sizeof line.text) line.text[sizeof line.text - 1] = '\n';
    // Nobody is left to hear that it could not be written.
    if (write(STDERR_FILENO, line.text, line.length) < 0) return;
}

// The fault itself first: nothing but comparisons. Only where it is in no plugin, as after abort() or a jump to NULL, the
// stack is walked for the plugin that called; `backtrace` neither allocates nor locks once its library is loaded (see
// stack.c). A stack that is too broken for that ends the process there: the signal is blocked, so the kernel does.
static void report(const char *signal_name, const siginfo_t *info, const void *context) {
    // A watchdog, say: no fault of the code it met, but where it was is worth knowing.
    int was_sent = info->si_code == SI_USER && info->si_pid != getpid();
    const char *what = was_sent ? "was sent " : "crashed with ";
    uintptr_t fault = place(context);
    const struct library *library = owner(fault);
    if (library != NULL) {
        tell(what, signal_name, " in plugin ", library, fault);
        return;
    }
    // A jump to nowhere: who jumped is on the stack. The address of an instruction that is none is the fault, too.
    const int is_jump = strcmp(signal_name, "SIGSEGV") == 0 || strcmp(signal_name, "SIGBUS") == 0;
    if (is_jump && info->si_code > 0 && (uintptr_t)info->si_addr == fault) {
        uintptr_t from = jumper(context);
        library = owner(from);
        if (library != NULL) {
            tell(what, signal_name, ", called from plugin ", library, from);
            return;
        }
    }
    void *frames[MOST_FRAMES];
    int found = backtrace(frames, MOST_FRAMES);
    for (int index = 0; index < found; index++) {
        library = owner((uintptr_t)frames[index]);
        if (library == NULL) continue;
        tell(what, signal_name, ", called from plugin ", library, (uintptr_t)frames[index]);
        return;
    }
}

// An instruction that faulted faults again on return. A signal that was sent does not come back by itself, nor do a
// breakpoint, which has been passed, and a page that the hardware lost ahead of its use.
static int comes_back(int number, const siginfo_t *info) {
    if (info->si_code <= 0 || number == SIGTRAP) return 0;
    return !(number == SIGBUS && info->si_code == BUS_MCEERR_AO);
}

static void crashed(int number, siginfo_t *info, void *context) {
    static atomic_flag is_begun = ATOMIC_FLAG_INIT;
    static atomic_bool is_told;
    int index = 0;
    while (index < SIGNALS - 1 && numbers[index] != number) index++;
    if (!atomic_flag_test_and_set(&is_begun)) {
        void (*first)(const void *) = atomic_load(&tell_first);
        if (first != NULL) first(number == SIGSEGV && info->si_code > 0 ? info->si_addr : NULL);
        report(names[index], info, context);
        atomic_store(&is_told, true);
    } else {
        // Another thread was first. It gets a second to say so before this one ends the process.
        const struct timespec millisecond = {.tv_nsec = 1000000};
        for (int round = 0; round < 1000 && !atomic_load(&is_told); round++) nanosleep(&millisecond, NULL);
    }
    for (int other = 0; other < SIGNALS; other++) sigaction(numbers[other], &before[other], NULL);
    if (!comes_back(number, info)) raise(number);
}

void mh_crash_tell_first(void (*tell)(const void *address)) { atomic_store(&tell_first, tell); }

int mh_crash_prepare(void) {
    static char stack[64 * 1024];
    stack_t present;
    if (sigaltstack(NULL, &present) == 0 && (present.ss_flags & SS_DISABLE)) {
        stack_t own = {.ss_sp = stack, .ss_size = sizeof stack};
        if (sigaltstack(&own, NULL) != 0) return errno;
    }
    void *frame;
    if (backtrace(&frame, 1) < 0) return errno; // loads the unwinder
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

struct search {
    uintptr_t address;
    struct library *found;
};

static int look(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    struct search *search = context;
    uintptr_t start = UINTPTR_MAX;
    const ElfW(Phdr) *code = NULL;
    for (int index = 0; index < info->dlpi_phnum; index++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[index];
        if (header->p_type != PT_LOAD) continue;
        uintptr_t first = info->dlpi_addr + header->p_vaddr;
        if (first < start) start = first;
        if (search->address >= first && search->address - first < header->p_memsz) code = header;
    }
    if (code == NULL) return 0;
    const char *slash = strrchr(info->dlpi_name, '/');
    search->found->start = start;
    search->found->code = info->dlpi_addr + code->p_vaddr;
    search->found->end_of_code = search->found->code + code->p_memsz;
    strncpy(search->found->name, slash != NULL ? slash + 1 : info->dlpi_name, LONGEST_NAME - 1);
    return 1;
}

int mh_crash_note_library(const void *address, const char *plugins) {
    int known = atomic_load(&count);
    struct library *library = (struct library *)owner((uintptr_t)address);
    if (library == NULL) {
        if (known == MOST_LIBRARIES) return -1;
        library = &libraries[known];
        struct search search = {(uintptr_t)address, library};
        if (dl_iterate_phdr(look, &search) == 0) return -1;
        known++;
    }
    int next = 1 - atomic_load(&library->current);
    memset(library->plugins[next], 0, LONGEST_PLUGINS);
    strncpy(library->plugins[next], plugins, LONGEST_PLUGINS - 1);
    atomic_store(&library->current, next);
    atomic_store(&count, known);
    return 0;
}
