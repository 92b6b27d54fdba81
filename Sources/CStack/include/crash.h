// Says whose code a process died in: one line on stderr, written while it dies.
#pragma once

// Follows SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE and SIGTRAP from now on. What handled them before handles them after
// the line is written, with the same fault: core dumps and Swift's own backtrace stay as they are. The calling thread gets
// a signal stack where it has none, so that the end of an endless recursion can be told, too.
// A signal that another process sent is told as that: "was sent SIGABRT in plugin replay (...)".
// Returns 0, or an errno. Thread: the control thread, once.
int mh_crash_prepare(void);

// Calls `tell` before the line is written, in the signal handler of the thread that is first, with the address that could not be
// read or written; NULL for a crash of another kind. Thread: the control thread, once.
void mh_crash_tell_first(void (*tell)(const void *address));

// Notes the library that the function at `address` lies in, and the plugins that it holds ("replay", "replay, porch"); a second note of
// the same library has the last word. Returns 0, or -1 where no library is there or the table (64) is full: then a crash
// in it is not told. Thread: the control thread.
int mh_crash_note_library(const void *address, const char *plugins);
