/*
 * A way to the disk for SQLite (a VFS named "crashing"), that stops at a chosen write: what was written before it is in the files,
 * nothing after it is, as where the process was killed there. One test at a time uses it.
 */
#ifndef CRASHING_DISK_H
#define CRASHING_DISK_H

/* Registers it. Twice is harmless. 0: done. */
int crashing_disk_register(void);

/* From now on the `number`th change of a file fails, and every one after it; a write is torn in the middle where `torn` is set.
 * Negative: none fails. Changes are counted from here. */
void crashing_disk_set(long number, int torn);

/* Changes of files since `crashing_disk_set`: writes, truncations, deletions, and syncs. */
long crashing_disk_changes(void);

#endif
