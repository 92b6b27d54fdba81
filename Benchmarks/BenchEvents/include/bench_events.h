/* A mediahost plugin of which many instances subscribe to one event: what one of them costs the delivery of it. */
#ifndef BENCH_EVENTS_H
#define BENCH_EVENTS_H

#include <mediahost.h>

#endif
