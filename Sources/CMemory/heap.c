#include "spare_memory.h"

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

void mh_heap_release(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
