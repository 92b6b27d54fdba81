/*
 * Kills a process on its way into a chosen system call: all calls before it were done, nothing of it is. Over all numbers that is a
 * kill at every moment at which the world outside could see a difference.
 */
#ifndef GUILLOTINE_H
#define GUILLOTINE_H

typedef struct guillotine_end {
    /* System calls that were begun and not killed. */
    long calls;
    /* The number of the one it was killed in, of <asm/unistd.h>; -1 where it came to its end. */
    long killed_in;
} guillotine_end;

/*
 * Runs `body` in a child process, and kills that in its `number`th system call, counted from 0. A child that returns from `body`
 * ends. Returns 0, or what errno says: EBUSY where this process has other threads, of which a child would have none; EPERM where
 * nobody may trace; ECHILD where the child came to another end than this.
 */
int guillotine_run(void (*body)(void *context), void *context, long number, guillotine_end *end);

#endif
