/* malloc and its family, counted per thread. In force where this library is preloaded; elsewhere nobody calls these. */
#include "bench_probe.h"

#include <errno.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

#define EXPORT __attribute__((visibility("default")))

/* Initial-exec: the access itself must not allocate. */
static __thread unsigned long allocations __attribute__((tls_model("initial-exec")));

EXPORT void *malloc(size_t size) {
    allocations++;
    return __libc_malloc(size);
}

EXPORT void *calloc(size_t count, size_t size) {
    allocations++;
    return __libc_calloc(count, size);
}

EXPORT void *realloc(void *old, size_t size) {
    allocations++;
    return __libc_realloc(old, size);
}

EXPORT void *memalign(size_t alignment, size_t size) {
    allocations++;
    return __libc_memalign(alignment, size);
}

EXPORT void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

EXPORT int posix_memalign(void **result, size_t alignment, size_t size) {
    void *block = memalign(alignment, size);
    if (block == NULL)
        return ENOMEM;
    *result = block;
    return 0;
}

unsigned long bench_allocations(void) { return allocations; }

gboolean bench_counts_allocations(void) {
    unsigned long before = allocations;
    g_free(g_malloc(1)); /* GLib's own call, which the compiler cannot take away */
    return allocations != before;
}
