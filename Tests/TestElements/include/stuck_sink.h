#ifndef STUCK_SINK_H
#define STUCK_SINK_H

/*
 * A display that does not answer.
 *
 * The element `stucksink` takes everything, in time, and waits on its way down, or on its next way up, until it is let go.
 */

/* Registers the element, once per process. Returns 0 where that fails. - Thread: any, after gst_init. */
int mh_stuck_sink_register(void);

/* It waits on its next way up instead. The element is borrowed. - Thread: any. */
void mh_stuck_sink_hang_at_start(void *element);

/* Lets one go, and each of its later ways. The element is borrowed. - Thread: any. */
void mh_stuck_sink_let_go(void *element);

#endif
