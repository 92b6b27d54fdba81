#ifndef DISPLAY_MEMORY_H
#define DISPLAY_MEMORY_H

/*
 * Memory that is not the system's, as displays and devices give it to decoders.
 *
 * Has each buffer that passes the pad carry a copy of its bytes in memory of a type of its own ("test-display").
 * Returns 0 where the pad takes no probe. - Thread: any. The pad is borrowed.
 */
int mh_display_memory_use(void *pad);

#endif
