#include "replay_page.h"

static const unsigned char page[] = {
#embed "page/head.html" suffix(, )
#embed "page/style.css" suffix(, )
#embed "page/body.html" suffix(, )
#embed "page/timeline.js" suffix(, )
#embed "page/feeder.js" suffix(, )
#embed "page/native.js" suffix(, )
#embed "page/bar.js" suffix(, )
#embed "page/window.js" suffix(, )
#embed "page/end.html"
};

const unsigned char *mh_replay_page(ptrdiff_t *count) {
    *count = sizeof page;
    return page;
}
