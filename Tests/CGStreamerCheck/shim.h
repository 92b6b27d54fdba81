// What GStreamer brings for tests.
#include <gst/check/gsttestclock.h>
