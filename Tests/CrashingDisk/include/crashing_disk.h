/*
 * A way to the disk for SQLite (a VFS named "crashing"), that stops at a chosen write: what was written before it is in the files,
 * nothing after it is, as where the process was killed there. Where the power is cut, what was not synced is lost, too, or any
 * part of it. One test at a time uses it.
 */
#ifndef CRASHING_DISK_H
#define CRASHING_DISK_H

/* Registers it. Twice is harmless. 0: done. */
int crashing_disk_register(void);

/* From now on the `number`th change of a file fails, and every one after it; a write is torn in the middle where `torn` is set.
 * Negative: none fails. Changes are counted from here. */
void crashing_disk_set(long number, int torn);

/* The crash that `crashing_disk_set` has arranged is one of the power: of each write and truncation since the last sync of its
 * file, `percent` of a hundred are lost, drawn by `seed`; what is deleted stays deleted. The next `crashing_disk_set` takes it
 * back. What a killed process has not synced may still be lost with the power later. */
void crashing_disk_lose(int percent, unsigned seed);

/* Changes of files since `crashing_disk_set`: writes, truncations, deletions, and syncs. */
long crashing_disk_changes(void);

#endif
