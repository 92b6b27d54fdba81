#include "crashing_disk.h"

#include <sqlite3.h>
#include <stdatomic.h>
#include <string.h>

typedef struct {
    sqlite3_file base;
    sqlite3_file *real;
} crashing_file;

static sqlite3_vfs *real_vfs;
static sqlite3_vfs crashing_vfs;
static atomic_long changes;
static atomic_long last = -1;
static atomic_int is_torn;

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
    atomic_store(&last, number);
}

long crashing_disk_changes(void) { return atomic_load(&changes); }

/* 0: goes on; 1: this is the one; 2: it is over. */
static int change(void) {
    long number = atomic_fetch_add(&changes, 1), end = atomic_load(&last);
    return end < 0 || number < end ? 0 : number == end ? 1 : 2;
}

static sqlite3_file *real(sqlite3_file *file) { return ((crashing_file *)file)->real; }

static int close_file(sqlite3_file *file) { return real(file)->pMethods->xClose(real(file)); }

static int read_file(sqlite3_file *file, void *to, int size, sqlite3_int64 at) {
    return real(file)->pMethods->xRead(real(file), to, size, at);
}

static int write_file(sqlite3_file *file, const void *from, int size, sqlite3_int64 at) {
    int place = change();
    if (place == 0) return real(file)->pMethods->xWrite(real(file), from, size, at);
    if (place == 1 && atomic_load(&is_torn) && size > 1) real(file)->pMethods->xWrite(real(file), from, size / 2, at);
    return SQLITE_IOERR_WRITE;
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 size) {
    return change() == 0 ? real(file)->pMethods->xTruncate(real(file), size) : SQLITE_IOERR_TRUNCATE;
}

static int sync_file(sqlite3_file *file, int flags) {
    return change() == 0 ? real(file)->pMethods->xSync(real(file), flags) : SQLITE_IOERR_FSYNC;
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
    own->real = (sqlite3_file *)(own + 1);
    memset(own->real, 0, (size_t)real_vfs->szOsFile);
    int status = real_vfs->xOpen(real_vfs, name, own->real, flags, out);
    if (own->real->pMethods) own->base.pMethods = &methods;
    return status;
}

static int delete_file(sqlite3_vfs *vfs, const char *name, int sync_directory) {
    (void)vfs;
    return change() == 0 ? real_vfs->xDelete(real_vfs, name, sync_directory) : SQLITE_IOERR_DELETE;
}
