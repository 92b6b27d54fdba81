// Memory that is lent for one call and gone afterwards: whoever reads it later is caught in the act and named.
#pragma once
#include <stddef.h>

enum { MH_LENT_NOT = 0, MH_LENT_NOW = 1, MH_LENT_BEFORE = 2 };

// Reserves the address space, and follows the signals of a crash: the first writes `thread ROLE` on a line to `report`, of the
// thread that it is in, after `lent WHAT` for a fault in what was lent; then whoever handled the signal before handles it.
// Returns 0, or an errno. Thread: one, once.
int mh_lending_prepare(int report);

// Whole pages, zeroed, to be written and read until `mh_lend_end`; NULL where none are left. `what` is constant for the life
// of the process ("the parameters of invoke"). Thread: any.
void *mh_lend(size_t size, const char *what);

// No access from now on. Thread: any.
void mh_lend_end(void *lent);

// Whether an address is lent, was, or is none of ours; where it is or was, what it is. Thread: any.
int mh_lent(const void *address, const char **what);

// What the calling thread is to a plugin: a digit that its caller gives a meaning; 0 at first. Thread: any, its own.
int mh_thread_role(void);
void mh_set_thread_role(int role);

// What malloc has given out and not got back, in bytes; 0 where malloc is not glibc's. Thread: any.
size_t mh_heap_in_use(void);
