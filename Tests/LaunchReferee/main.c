// Reads launch texts, each ended by a NUL, and answers each with "b" where gst_parse builds it or "r" and its words, and a NUL.
// A process of its own, because gst_parse 1.22 leaks what it made before a mistake, and dereferences NULL on some: a bin with a
// reference in it, before a syntax error, is enough ("( tee name=t t. ! identity ) ! ! x.").

#define _POSIX_C_SOURCE 200809L

#include <gst/gst.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    gst_init(NULL, NULL);
    char *text = NULL;
    size_t size = 0;
    while (getdelim(&text, &size, 0, stdin) > 0) {
        GError *error = NULL;
        GstElement *built = gst_parse_launch_full(text, NULL, GST_PARSE_FLAG_FATAL_ERRORS, &error);
        printf("%c%s", error || !built ? 'r' : 'b', error ? error->message : "");
        putchar(0);
        fflush(stdout);
        g_clear_error(&error);
        if (built) {
            gst_object_ref_sink(built);
            gst_element_set_state(built, GST_STATE_NULL);
            gst_object_unref(built);
        }
    }
    // Without the leak check of a sanitizer: what gst_parse leaves behind is why this process exists.
    _exit(0);
}
