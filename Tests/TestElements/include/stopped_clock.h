#ifndef STOPPED_CLOCK_H
#define STOPPED_CLOCK_H

/*
 * Time that never passes.
 *
 * The element `stoppedclock` has no pads; a pipeline that holds one runs by a GstTestClock that nobody moves: who waits for a time to come waits
 * until somebody calls that off.
 */

/* Registers the element, once per process. Returns 0 where that fails. - Thread: any, after gst_init. */
int mh_stopped_clock_register(void);

#endif
