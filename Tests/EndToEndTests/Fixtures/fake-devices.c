// A GStreamer plugin that pretends a camera, a microphone, its monitor and a loudspeaker are plugged in.
// The elements are real ones, made and never opened.
#include <gst/gst.h>

#define PACKAGE "fake-devices"

typedef struct {
    GstDevice parent;
    const char *factory;
    const char *property;
} FakeDevice;
typedef GstDeviceClass FakeDeviceClass;
typedef GstDeviceProvider FakeProvider;
typedef GstDeviceProviderClass FakeProviderClass;

GType fake_device_get_type(void);
GType fake_provider_get_type(void);
G_DEFINE_TYPE(FakeDevice, fake_device, GST_TYPE_DEVICE)
G_DEFINE_TYPE(FakeProvider, fake_provider, GST_TYPE_DEVICE_PROVIDER)

static GstElement *fake_device_create_element(GstDevice *device, const gchar *name) {
    FakeDevice *fake = (FakeDevice *)device;
    GstElement *element = gst_element_factory_make(fake->factory, name);
    if (element) g_object_set(element, "device", fake->property, NULL);
    return element;
}

static void fake_device_class_init(FakeDeviceClass *klass) { klass->create_element = fake_device_create_element; }
static void fake_device_init(FakeDevice *device) { (void)device; }

static GList *add(GList *list, const char *kind, const char *name, const char *caps, const char *factory,
                  const char *property, const char *kind_of_device) {
    GstCaps *offered = gst_caps_from_string(caps);
    GstStructure *details = gst_structure_new("fake", "device.class", G_TYPE_STRING, kind_of_device, NULL);
    FakeDevice *device = g_object_new(fake_device_get_type(), "display-name", name, "device-class", kind, "caps",
                                      offered, "properties", details, NULL);
    device->factory = factory;
    device->property = property;
    gst_caps_unref(offered);
    gst_structure_free(details);
    return g_list_append(list, device);
}

static GList *fake_provider_probe(GstDeviceProvider *provider) {
    (void)provider;
    GList *list = NULL;
    list = add(list, "Video/Source", "Porch Camera", "image/jpeg,width=1280,height=720,framerate={ 30/1, 15/1 }",
               "v4l2src", "/dev/video42", "camera");
    list = add(list, "Audio/Source", "Monitor of Porch Speaker", "audio/x-raw", "pulsesrc", "sink.monitor", "monitor");
    list = add(list, "Audio/Source", "Porch Microphone", "audio/x-raw", "pulsesrc", "porch mic", "sound");
    return add(list, "Audio/Sink", "Porch Speaker", "audio/x-raw", "pulsesink", "porch.sink", "sound");
}

static void fake_provider_class_init(FakeProviderClass *klass) {
    klass->probe = fake_provider_probe;
    gst_device_provider_class_set_static_metadata(klass, "Fake devices", "Source/Sink/Audio/Video", "Devices for tests",
                                                  "mediahost");
}
static void fake_provider_init(FakeProvider *provider) { (void)provider; }

static gboolean plugin_init(GstPlugin *plugin) {
    return gst_device_provider_register(plugin, "mediahostfakedevices", GST_RANK_PRIMARY, fake_provider_get_type());
}

GST_PLUGIN_DEFINE(GST_VERSION_MAJOR, GST_VERSION_MINOR, mediahostfakedevices, "devices for tests", plugin_init, "1.0",
                  "LGPL", "mediahost", "https://example.org")
