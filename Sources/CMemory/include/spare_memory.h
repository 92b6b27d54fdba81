// Memory that the process has and does not need.
#pragma once
#include <stddef.h>

// What the dynamic loader read of each library to bind its symbols: symbol and string tables, relocations. Takes these pages out
// of the process. They are read-only and unchanged: who needs one again (dlopen, dlsym, the first call of a function that is
// bound late) gets it back from the page cache. Returns the bytes looked at. Thread: any.
size_t mh_loader_tables_release(void);

// Whole free pages in all of malloc's arenas; nothing where malloc is not glibc's. Each arena is locked meanwhile. Thread: any.
void mh_heap_release(void);
