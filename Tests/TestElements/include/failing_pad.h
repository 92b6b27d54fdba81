#ifndef FAILING_PAD_H
#define FAILING_PAD_H

/*
 * An element that fails in the midst of its stream.
 *
 * Has the element of the pad post an error, and refuse the buffer, with each that comes from now on. (`identity error-after=` counts
 * from its start on.) Returns 0 where the pad takes no probe. - Thread: any. The pad is borrowed.
 */
int mh_failing_pad_use(void *pad);

#endif
