// The page of the control API as one HTML document, made of the files in page/ when this is compiled.
#pragma once

#include <stddef.h>

// Its bytes, for as long as the process lives; `count` says how many.
const unsigned char *mh_web_page(ptrdiff_t *count);
