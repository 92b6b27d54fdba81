#define _GNU_SOURCE
#include "lending.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

// Addresses, not memory: a page costs something only while it is lent. An address comes again after all others were used.
#define ARENA_BYTES (sizeof(void *) == 8 ? (size_t)1 << 30 : (size_t)1 << 26)
enum { MOST_PAGES = 1 << 18 };

static struct {
    // Constant: what it was lent as. Read by a signal handler.
    _Atomic(const char *) what;
    // Pages of this lending, at its first page; 0 where it has ended or never began.
    atomic_uint pages;
} table[MOST_PAGES];

static char *arena;
static size_t page_size, page_count, next_page;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int is_ours(const void *address) {
    return arena != NULL && (uintptr_t)address >= (uintptr_t)arena &&
           (uintptr_t)address < (uintptr_t)arena + page_count * page_size;
}

const char *mh_lent_as(const void *address) {
    if (!is_ours(address)) return NULL;
    const char *what = atomic_load(&table[((uintptr_t)address - (uintptr_t)arena) / page_size].what);
    return what != NULL ? what : "nothing";
}

int mh_lending_prepare(void) {
    page_size = (size_t)sysconf(_SC_PAGESIZE);
    page_count = ARENA_BYTES / page_size;
    if (page_count > MOST_PAGES) page_count = MOST_PAGES;
    void *memory = mmap(NULL, page_count * page_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return errno;
    arena = memory;
    return 0;
}

// The first of `count` pages in a row that are free, from `next_page` on. Called with the lock held.
static size_t find(size_t count) {
    size_t start = next_page, looked = 0;
    while (looked <= 2 * page_count) {
        if (start + count > page_count) {
            looked += page_count - start;
            start = 0;
        }
        size_t at = start;
        while (at < start + count && atomic_load(&table[at].pages) == 0) at++;
        if (at == start + count) return start;
        size_t skip = atomic_load(&table[at].pages);
        looked += at - start + skip;
        start = at + skip;
    }
    return SIZE_MAX;
}

void *mh_lend(size_t size, const char *what) {
    if (arena == NULL) return NULL;
    size_t count = size / page_size + 1;
    if (count > page_count) return NULL;
    pthread_mutex_lock(&lock);
    size_t first = find(count);
    void *lent = NULL;
    if (first != SIZE_MAX && mprotect(arena + first * page_size, count * page_size, PROT_READ | PROT_WRITE) == 0) {
        lent = arena + first * page_size;
        for (size_t index = first; index < first + count; index++) atomic_store(&table[index].what, what);
        atomic_store(&table[first].pages, (unsigned)count);
        next_page = first + count;
    }
    pthread_mutex_unlock(&lock);
    return lent;
}

void mh_lend_end(void *lent) {
    if (!is_ours(lent)) return;
    size_t first = ((uintptr_t)lent - (uintptr_t)arena) / page_size;
    pthread_mutex_lock(&lock);
    size_t count = atomic_load(&table[first].pages);
    // Zeroed when it is lent again.
    madvise(lent, count * page_size, MADV_DONTNEED);
    mprotect(lent, count * page_size, PROT_NONE);
    atomic_store(&table[first].pages, 0);
    pthread_mutex_unlock(&lock);
}

int mh_lent(const void *address, const char **what) {
    *what = NULL;
    if (!is_ours(address)) return MH_LENT_NOT;
    size_t page = ((uintptr_t)address - (uintptr_t)arena) / page_size;
    *what = atomic_load(&table[page].what);
    pthread_mutex_lock(&lock);
    // The lending that it lies in begins at it or before it.
    size_t first = page;
    while (first > 0 && atomic_load(&table[first].pages) == 0 && page - first < 1024) first--;
    size_t count = atomic_load(&table[first].pages);
    pthread_mutex_unlock(&lock);
    return page - first < count ? MH_LENT_NOW : MH_LENT_BEFORE;
}
