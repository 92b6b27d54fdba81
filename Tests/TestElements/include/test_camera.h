#ifndef TEST_CAMERA_H
#define TEST_CAMERA_H

/*
 * A camera that no machine needs to have.
 *
 * The element `testcamera` is a `videotestsrc` that says it is a source of video and names a device, as v4l2src and
 * libcamerasrc do. Its pictures show what videotestsrc shows; their offsets are their numbers since it was opened.
 */

/* Registers the element, once per process. Returns 0 where that fails. - Thread: any, after gst_init. */
int mh_test_camera_register(void);

#endif
