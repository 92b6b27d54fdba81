// The page of a replay buffer's window as one HTML document, made of the files in page/ when this is compiled.
#pragma once

#include <stddef.h>

// Its bytes, for as long as the process lives; `count` says how many.
const unsigned char *mh_replay_page(ptrdiff_t *count);
