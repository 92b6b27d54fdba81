// libsoup as Swift sees it: varargs become inline functions, nothing else is added.
#pragma once
#include <libsoup/soup.h>

// Paths stay percent-encoded, so that an encoded slash is part of a name and not a separator.
static inline SoupServer *mh_soup_server_new(void) { return soup_server_new("raw-paths", TRUE, NULL); }

// Every connection goes to `place`, whatever host the URI names, and through no proxy: what is sent may be a token.
// `timeout` is in seconds without any traffic; 0: none.
static inline SoupSession *mh_soup_session_new(GSocketConnectable *place, guint timeout) {
    return soup_session_new_with_options("remote-connectable", place, "timeout", timeout, "idle-timeout", 0,
                                         "proxy-resolver", NULL, "user-agent", "mediahost", NULL);
}
