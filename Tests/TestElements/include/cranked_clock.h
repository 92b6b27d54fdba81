#ifndef CRANKED_CLOCK_H
#define CRANKED_CLOCK_H

/*
 * Time that passes only as far as somebody waits for it.
 *
 * The element `crankedclock` has no pads; a pipeline that holds one runs by a GstTestClock all of them share. A thread moves that
 * clock to whatever is waited for next: what takes a minute of playing takes as long as the buffers do, and no buffer is late.
 */

/* Registers the element and begins to crank, once per process. Returns 0 where that fails. - Thread: any, after gst_init. */
int mh_cranked_clock_begin(void);

#endif
