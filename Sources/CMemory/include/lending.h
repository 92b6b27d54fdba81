// Memory that is lent for one call and gone afterwards: whoever reads it later is caught in the act and named.
#pragma once
#include <stddef.h>

enum { MH_LENT_NOT = 0, MH_LENT_NOW = 1, MH_LENT_BEFORE = 2 };

// Reserves the address space. Returns 0, or an errno. Thread: one, once.
int mh_lending_prepare(void);

// Whole pages, zeroed, to be written and read until `mh_lend_end`; NULL where none are left. `what` is constant for the life
// of the process ("the parameters of invoke"). Thread: any.
void *mh_lend(size_t size, const char *what);

// No access from now on. Thread: any.
void mh_lend_end(void *lent);

// Whether an address is lent, was, or is none of ours; where it is or was, what it is. Thread: any.
int mh_lent(const void *address, const char **what);

// What an address is or was lent as, constant; NULL where it is none of ours. Thread: any, a signal handler, too.
const char *mh_lent_as(const void *address);

// What malloc has given out and not got back, in bytes; 0 where malloc is not glibc's. Thread: any.
size_t mh_heap_in_use(void);
