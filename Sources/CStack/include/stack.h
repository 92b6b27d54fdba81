// The call stack of another thread, for saying where it hangs.
#pragma once
#include <pthread.h>

// Installs the handler that takes a stack, and loads the unwinder: neither can be done once the process hangs.
// Returns 0, or an errno. Thread: the one whose stack will be wanted, once.
int mh_stack_prepare(void);

// Interrupts `thread` and copies its return addresses, innermost first. Returns how many, or -1 where it did not answer
// within `timeout_ms`: then it is inside the kernel, or blocks signals. Thread: any but `thread`, one caller at a time.
int mh_stack_capture(pthread_t thread, void **frames, int most, int timeout_ms);

// "libc.so.6(nanosleep+0x17) [0x7f..]" for each address; one block, to be freed by the caller. NULL without memory.
char **mh_stack_describe(void *const *frames, int count);
