/*
 * Counts allocations per thread, for the tests that prove that a streaming thread makes none:
 *   cc -shared -fPIC -O1 -o counting-malloc.so Tests/Support/counting-malloc.c
 *   LD_PRELOAD=$PWD/counting-malloc.so swift test --filter StreamCostTests
 * glibc only: it calls through to the allocator by its inner names.
 */
#include <stddef.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static __thread long allocations;

long mh_test_mallocs(void) { return allocations; }

void *malloc(size_t size) {
    allocations++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    allocations++;
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
    allocations++;
    return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    allocations++;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    allocations++;
    *memory = __libc_memalign(alignment, size);
    return *memory ? 0 : 12;
}
