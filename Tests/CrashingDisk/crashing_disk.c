#define _XOPEN_SOURCE 700

#include "crashing_disk.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    sqlite3_file base;
    sqlite3_file *real;
    /* Empty where it has no name: nobody finds it after a crash. */
    char path[512];
} crashing_file;

/* A change that no sync has followed: enough to take it back, and to do it again. */
typedef struct pending {
    struct pending *older, *newer;
    char path[512];
    sqlite3_int64 at;
    /* The file's size before and behind it. */
    sqlite3_int64 before, after;
    /* What was there, and what is: `kept` bytes and `size` bytes from `at` on. */
    int kept, size;
    unsigned char *old, *new;
    int is_lost;
} pending;

static sqlite3_vfs *real_vfs;
static sqlite3_vfs crashing_vfs;
static atomic_long changes;
static atomic_long last = -1;
static atomic_int is_torn;
static atomic_int lost_percent;
static atomic_uint random_state;
static pending *newest, *oldest;

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out);
static int delete_file(sqlite3_vfs *vfs, const char *name, int sync_directory);

int crashing_disk_register(void) {
    if (real_vfs) return 0;
    sqlite3_vfs *found = sqlite3_vfs_find(NULL);
    if (!found) return 1;
    real_vfs = found;
    crashing_vfs = *found;
    crashing_vfs.szOsFile = (int)sizeof(crashing_file) + found->szOsFile;
    crashing_vfs.pNext = NULL;
    crashing_vfs.zName = "crashing";
    crashing_vfs.xOpen = open_file;
    crashing_vfs.xDelete = delete_file;
    return sqlite3_vfs_register(&crashing_vfs, 0);
}

void crashing_disk_set(long number, int torn) {
    atomic_store(&changes, 0);
    atomic_store(&is_torn, torn);
    atomic_store(&lost_percent, 0);
    atomic_store(&last, number);
}

void crashing_disk_lose(int percent, unsigned seed) {
    atomic_store(&random_state, seed);
    atomic_store(&lost_percent, percent);
}

long crashing_disk_changes(void) { return atomic_load(&changes); }

static void forget(pending *change) {
    *(change->older ? &change->older->newer : &oldest) = change->newer;
    *(change->newer ? &change->newer->older : &newest) = change->older;
    free(change->old);
    free(change->new);
    free(change);
}

static void forget_file(const char *path) {
    for (pending *change = newest, *older; change; change = older) {
        older = change->older;
        if (strcmp(change->path, path) == 0) forget(change);
    }
}

/* As numerical recipes have it: good enough for a coin. */
static unsigned draw(void) {
    unsigned next = atomic_load(&random_state) * 1664525u + 1013904223u;
    atomic_store(&random_state, next);
    return next >> 16;
}

static void put(const char *path, const void *bytes, int size, sqlite3_int64 at, sqlite3_int64 length) {
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) return;
    if (size > 0 && pwrite(file, bytes, (size_t)size, at) != size) abort();
    if (length >= 0 && ftruncate(file, length) != 0) abort();
    close(file);
}

/* The power goes: back to what was synced, then what has reached the disk all the same. */
static void cut(void) {
    int percent = atomic_load(&lost_percent);
    if (percent <= 0) return;
    for (pending *change = newest; change; change = change->older) {
        change->is_lost = (int)(draw() % 100) < percent;
        put(change->path, change->old, change->kept, change->at, change->before);
    }
    while (oldest) {
        if (!oldest->is_lost) put(oldest->path, oldest->new, oldest->size, oldest->at, oldest->new ? -1 : oldest->after);
        forget(oldest);
    }
}

/* 0: goes on; 1: this is the one; 2: it is over. */
static int change(void) {
    long number = atomic_fetch_add(&changes, 1), end = atomic_load(&last);
    return end < 0 || number < end ? 0 : number == end ? 1 : 2;
}

/* The same, for all but writes, of which half may be done. */
static int is_done(void) {
    int place = change();
    if (place == 1) cut();
    return place == 0;
}

static sqlite3_file *real(sqlite3_file *file) { return ((crashing_file *)file)->real; }

static int close_file(sqlite3_file *file) { return real(file)->pMethods->xClose(real(file)); }

static int read_file(sqlite3_file *file, void *to, int size, sqlite3_int64 at) {
    return real(file)->pMethods->xRead(real(file), to, size, at);
}

/* Before it is done. `new` is NULL for a truncation. */
static int note(sqlite3_file *file, const void *new, int size, sqlite3_int64 at) {
    const char *path = ((crashing_file *)file)->path;
    if (!path[0]) return SQLITE_OK;
    sqlite3_int64 before = 0;
    int status = real(file)->pMethods->xFileSize(real(file), &before);
    if (status != SQLITE_OK) return status;
    pending *change = calloc(1, sizeof *change);
    if (!change) return SQLITE_NOMEM;
    strcpy(change->path, path);
    change->at = at;
    change->before = before;
    change->after = new ? (before > at + size ? before : at + size) : at;
    sqlite3_int64 end = new && at + size < before ? at + size : before;
    change->kept = end > at ? (int)(end - at) : 0;
    change->old = malloc((size_t)change->kept + 1);
    change->size = size;
    change->new = new ? malloc((size_t)size + 1) : NULL;
    if (!change->old || (new && !change->new)) abort();
    if (new) memcpy(change->new, new, (size_t)size);
    change->older = newest;
    *(newest ? &newest->newer : &oldest) = change;
    newest = change;
    return change->kept ? real(file)->pMethods->xRead(real(file), change->old, change->kept, at) : SQLITE_OK;
}

static int write_through(sqlite3_file *file, const void *from, int size, sqlite3_int64 at) {
    int status = note(file, from, size, at);
    return status == SQLITE_OK ? real(file)->pMethods->xWrite(real(file), from, size, at) : status;
}

static int write_file(sqlite3_file *file, const void *from, int size, sqlite3_int64 at) {
    int place = change();
    if (place == 0) return write_through(file, from, size, at);
    if (place == 1 && atomic_load(&is_torn) && size > 1) write_through(file, from, size / 2, at);
    if (place == 1) cut();
    return SQLITE_IOERR_WRITE;
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 size) {
    if (!is_done()) return SQLITE_IOERR_TRUNCATE;
    int status = note(file, NULL, 0, size);
    return status == SQLITE_OK ? real(file)->pMethods->xTruncate(real(file), size) : status;
}

static int sync_file(sqlite3_file *file, int flags) {
    if (!is_done()) return SQLITE_IOERR_FSYNC;
    int status = real(file)->pMethods->xSync(real(file), flags);
    if (status == SQLITE_OK) forget_file(((crashing_file *)file)->path);
    return status;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
    return real(file)->pMethods->xFileSize(real(file), size);
}

static int lock_file(sqlite3_file *file, int level) { return real(file)->pMethods->xLock(real(file), level); }

static int unlock_file(sqlite3_file *file, int level) { return real(file)->pMethods->xUnlock(real(file), level); }

static int check_lock(sqlite3_file *file, int *result) {
    return real(file)->pMethods->xCheckReservedLock(real(file), result);
}

static int control_file(sqlite3_file *file, int what, void *argument) {
    return real(file)->pMethods->xFileControl(real(file), what, argument);
}

static int sector_size(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }

static int characteristics(sqlite3_file *file) { return real(file)->pMethods->xDeviceCharacteristics(real(file)); }

/* Version 1: no shared memory, so the WAL is open to one process only, as the store has it anyway. */
static const sqlite3_io_methods methods = {
    .iVersion = 1,
    .xClose = close_file,
    .xRead = read_file,
    .xWrite = write_file,
    .xTruncate = truncate_file,
    .xSync = sync_file,
    .xFileSize = file_size,
    .xLock = lock_file,
    .xUnlock = unlock_file,
    .xCheckReservedLock = check_lock,
    .xFileControl = control_file,
    .xSectorSize = sector_size,
    .xDeviceCharacteristics = characteristics,
};

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out) {
    (void)vfs;
    crashing_file *own = (crashing_file *)file;
    own->base.pMethods = NULL;
    own->path[0] = 0;
    if (name && strlen(name) < sizeof own->path && !(flags & SQLITE_OPEN_DELETEONCLOSE)) strcpy(own->path, name);
    own->real = (sqlite3_file *)(own + 1);
    memset(own->real, 0, (size_t)real_vfs->szOsFile);
    int status = real_vfs->xOpen(real_vfs, name, own->real, flags, out);
    if (own->real->pMethods) own->base.pMethods = &methods;
    return status;
}

static int delete_file(sqlite3_vfs *vfs, const char *name, int sync_directory) {
    (void)vfs;
    if (!is_done()) return SQLITE_IOERR_DELETE;
    int status = real_vfs->xDelete(real_vfs, name, sync_directory);
    if (status == SQLITE_OK) forget_file(name);
    return status;
}
