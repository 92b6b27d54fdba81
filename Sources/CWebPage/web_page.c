#include "web_page.h"

static const unsigned char page[] = {
#embed "page/head.html" suffix(, )
#embed "page/style.css" suffix(, )
#embed "page/body.html" suffix(, )
#embed "page/base.js" suffix(, )
#embed "page/stream.js" suffix(, )
#embed "page/numbers.js" suffix(, )
#embed "page/pictures.js" suffix(, )
#embed "page/graph.js" suffix(, )
#embed "page/overview.js" suffix(, )
#embed "page/pipeline.js" suffix(, )
#embed "page/forms.js" suffix(, )
#embed "page/rings.js" suffix(, )
#embed "page/plugins.js" suffix(, )
#embed "page/lists.js" suffix(, )
#embed "page/app.js" suffix(, )
#embed "page/end.html"
};

const unsigned char *mh_web_page(ptrdiff_t *count) {
    *count = sizeof page;
    return page;
}
