#include "lending.h"
#include "spare_memory.h"

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

void mh_heap_release(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

// Of a sanitizer's run time: its allocator takes the place of libc's.
extern size_t __sanitizer_get_current_allocated_bytes(void) __attribute__((weak));

size_t mh_heap_in_use(void) {
    if (__sanitizer_get_current_allocated_bytes != NULL) return __sanitizer_get_current_allocated_bytes();
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    struct mallinfo2 heap = mallinfo2();
    return heap.uordblks + heap.hblkhd;
#else
    return 0;
#endif
}
