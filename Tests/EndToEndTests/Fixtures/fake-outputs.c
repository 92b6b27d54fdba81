// A GStreamer plugin whose loudspeakers are the entries of a directory: they come and go with them. A second provider in it only
// looks, as ALSA's does, and finds a loudspeaker that is always there.
#include <gst/gst.h>
#include <poll.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

#define PACKAGE "fake-outputs"

typedef GstDevice FakeOutput;
typedef GstDeviceClass FakeOutputClass;
typedef struct {
    GstDeviceProvider parent;
    GThread *thread;
    GHashTable *devices;
    int bell, watch;
} FakeOutputs;
typedef GstDeviceProviderClass FakeOutputsClass;

GType fake_output_get_type(void);
GType fake_outputs_get_type(void);
GType fake_look_get_type(void);
G_DEFINE_TYPE(FakeOutput, fake_output, GST_TYPE_DEVICE)
G_DEFINE_TYPE(FakeOutputs, fake_outputs, GST_TYPE_DEVICE_PROVIDER)
typedef GstDeviceProvider FakeLook;
typedef GstDeviceProviderClass FakeLookClass;
G_DEFINE_TYPE(FakeLook, fake_look, GST_TYPE_DEVICE_PROVIDER)

static void fake_output_class_init(FakeOutputClass *klass) { (void)klass; }
static void fake_output_init(FakeOutput *output) { (void)output; }

static const char *directory(void) { return g_getenv("FAKE_OUTPUTS"); }

// Floating.
static GstDevice *output(const char *name) {
    GstCaps *caps = gst_caps_new_empty_simple("audio/x-raw");
    char *node = g_strconcat("node.", name, NULL);
    GstStructure *details = gst_structure_new("fake", "node.name", G_TYPE_STRING, node, NULL);
    GstDevice *device = g_object_new(fake_output_get_type(), "display-name", name, "device-class", "Audio/Sink", "caps", caps,
                                     "properties", details, NULL);
    gst_structure_free(details);
    gst_caps_unref(caps);
    g_free(node);
    return device;
}

static void add(FakeOutputs *self, const char *name) {
    GstDevice *device = gst_object_ref_sink(output(name));
    g_hash_table_insert(self->devices, g_strdup(name), device);
    gst_device_provider_device_add(GST_DEVICE_PROVIDER(self), device);
}

static GList *probe(GstDeviceProvider *provider) {
    (void)provider;
    return g_list_append(NULL, gst_object_ref_sink(output("card")));
}

static void fake_look_class_init(FakeLookClass *klass) {
    klass->probe = probe;
    gst_device_provider_class_set_static_metadata(klass, "Fake card", "Sink/Audio", "A card for tests", "mediahost");
}
static void fake_look_init(FakeLook *self) { (void)self; }

static void look(FakeOutputs *self) {
    GHashTableIter devices;
    gpointer name, device;
    const char *file;
    GDir *dir = g_dir_open(directory(), 0, NULL);
    while (dir && (file = g_dir_read_name(dir)))
        if (!g_hash_table_contains(self->devices, file)) add(self, file);
    if (dir) g_dir_close(dir);
    g_hash_table_iter_init(&devices, self->devices);
    while (g_hash_table_iter_next(&devices, &name, &device)) {
        char *path = g_build_filename(directory(), name, NULL);
        if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
            gst_device_provider_device_remove(GST_DEVICE_PROVIDER(self), device);
            g_hash_table_iter_remove(&devices);
        }
        g_free(path);
    }
}

static gpointer follow(gpointer data) {
    FakeOutputs *self = data;
    struct pollfd files[] = {{self->bell, POLLIN, 0}, {self->watch, POLLIN, 0}};
    char events[4096];
    while (poll(files, 2, -1) > 0 && !files[0].revents) {
        if (read(self->watch, events, sizeof events) <= 0) break;
        look(self);
    }
    return NULL;
}

static void let_go(FakeOutputs *self) {
    close(self->bell);
    close(self->watch);
    g_hash_table_unref(self->devices);
}

static gboolean start(GstDeviceProvider *provider) {
    FakeOutputs *self = (FakeOutputs *)provider;
    self->devices = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, gst_object_unref);
    self->bell = eventfd(0, EFD_CLOEXEC);
    self->watch = inotify_init1(IN_CLOEXEC);
    if (!directory() || inotify_add_watch(self->watch, directory(), IN_CREATE | IN_DELETE) < 0) {
        let_go(self);
        return FALSE;
    }
    look(self);
    // One byte for each start, for who waits for the next.
    char *count = g_strconcat(directory(), ".starts", NULL);
    FILE *starts = fopen(count, "a");
    if (starts) {
        fputc('.', starts);
        fclose(starts);
    }
    g_free(count);
    self->thread = g_thread_new("fake-outputs", follow, self);
    return TRUE;
}

static void stop(GstDeviceProvider *provider) {
    FakeOutputs *self = (FakeOutputs *)provider;
    guint64 one = 1;
    if (write(self->bell, &one, sizeof one) == sizeof one) g_thread_join(self->thread);
    let_go(self);
}

static void fake_outputs_class_init(FakeOutputsClass *klass) {
    klass->start = start;
    klass->stop = stop;
    gst_device_provider_class_set_static_metadata(klass, "Fake outputs", "Sink/Audio", "Outputs for tests", "mediahost");
}
static void fake_outputs_init(FakeOutputs *self) {
    const char *others[] = {"pulsedeviceprovider", "alsadeviceprovider", "pipewiredeviceprovider"};
    for (int i = 0; i < 3; i++) gst_device_provider_hide_provider(GST_DEVICE_PROVIDER(self), others[i]);
}

static gboolean plugin_init(GstPlugin *plugin) {
    return gst_device_provider_register(plugin, "mediahostfakeoutputs", GST_RANK_PRIMARY + 100, fake_outputs_get_type()) &&
           gst_device_provider_register(plugin, "mediahostfakelook", GST_RANK_PRIMARY, fake_look_get_type());
}

GST_PLUGIN_DEFINE(GST_VERSION_MAJOR, GST_VERSION_MINOR, mediahostfakeoutputs, "outputs for tests", plugin_init, "1.0",
                  "LGPL", "mediahost", "https://example.org")
