#include "test_camera.h"

#include <gst/gst.h>

enum { PROP_DEVICE = 1 };

static void set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec) {
    (void)id;
    (void)spec;
    g_object_set_data_full(object, "test-camera-device", g_value_dup_string(value), g_free);
}

static void get_property(GObject *object, guint id, GValue *value, GParamSpec *spec) {
    (void)id;
    (void)spec;
    g_value_set_string(value, g_object_get_data(object, "test-camera-device"));
}

static void class_init(gpointer class, gpointer data) {
    (void)data;
    GObjectClass *object = G_OBJECT_CLASS(class);
    object->set_property = set_property;
    object->get_property = get_property;
    g_object_class_install_property(
        object, PROP_DEVICE,
        g_param_spec_string("device", "Device", "What it is opened as", NULL, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
    gst_element_class_set_static_metadata(GST_ELEMENT_CLASS(class), "Test camera", "Source/Video",
                                          "A camera that no machine needs to have", "the mediahost authors");
}

static gpointer enroll(gpointer unused) {
    (void)unused;
    GstElementFactory *found = gst_element_factory_find("videotestsrc");
    if (found == NULL)
        return NULL;
    GstPluginFeature *loaded = gst_plugin_feature_load(GST_PLUGIN_FEATURE(found));
    gst_object_unref(found);
    if (loaded == NULL)
        return NULL;
    const GType parent = gst_element_factory_get_element_type(GST_ELEMENT_FACTORY(loaded));
    GTypeQuery size;
    g_type_query(parent, &size);
    const GTypeInfo info = {
        .class_size = (guint16)size.class_size, .class_init = class_init, .instance_size = (guint16)size.instance_size};
    const GType camera = g_type_register_static(parent, "MediahostTestCamera", &info, 0);
    gst_object_unref(loaded);
    return gst_element_register(NULL, "testcamera", GST_RANK_NONE, camera) ? GSIZE_TO_POINTER(camera) : NULL;
}

int mh_test_camera_register(void) {
    static GOnce once = G_ONCE_INIT;
    return g_once(&once, enroll, NULL) != NULL;
}
