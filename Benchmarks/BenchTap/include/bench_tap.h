/* A mediahost plugin that taps one pad and does as little as can be: what is left is the host's cost. */
#ifndef BENCH_TAP_H
#define BENCH_TAP_H

#include <mediahost.h>

#endif
