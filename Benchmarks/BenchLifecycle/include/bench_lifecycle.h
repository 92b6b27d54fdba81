/* A mediahost plugin that acknowledges changes of the lifecycle from a thread of its own, or never. */
#ifndef BENCH_LIFECYCLE_H
#define BENCH_LIFECYCLE_H

#include <mediahost.h>

#endif
