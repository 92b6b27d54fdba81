#include "display_memory.h"

#include <gst/gst.h>

typedef struct {
    GstMemory base;
    guint8 bytes[];
} DisplayMemory;

static GstMemory *allocate(GstAllocator *allocator, gsize size, GstAllocationParams *params) {
    (void)params;
    DisplayMemory *memory = g_malloc(sizeof(DisplayMemory) + size);
    gst_memory_init(&memory->base, 0, allocator, NULL, size, 0, 0, size);
    return &memory->base;
}

static void release(GstAllocator *allocator, GstMemory *memory) {
    (void)allocator;
    g_free(memory);
}

static gpointer map(GstMemory *memory, gsize size, GstMapFlags flags) {
    (void)size;
    (void)flags;
    return ((DisplayMemory *)memory)->bytes;
}

static void unmap(GstMemory *memory) { (void)memory; }

static void class_init(gpointer class, gpointer data) {
    (void)data;
    GST_ALLOCATOR_CLASS(class)->alloc = allocate;
    GST_ALLOCATOR_CLASS(class)->free = release;
}

static void instance_init(GTypeInstance *instance, gpointer class) {
    (void)class;
    GstAllocator *allocator = (GstAllocator *)instance;
    allocator->mem_type = "test-display";
    allocator->mem_map = map;
    allocator->mem_unmap = unmap;
    GST_OBJECT_FLAG_SET(allocator, GST_ALLOCATOR_FLAG_CUSTOM_ALLOC);
}

static gpointer make_allocator(gpointer unused) {
    (void)unused;
    const GTypeInfo info = {.class_size = sizeof(GstAllocatorClass),
                            .class_init = class_init,
                            .instance_size = sizeof(GstAllocator),
                            .instance_init = instance_init};
    const GType type = g_type_register_static(GST_TYPE_ALLOCATOR, "MediahostDisplayAllocator", &info, 0);
    GstAllocator *allocator = g_object_new(type, NULL);
    gst_object_ref_sink(allocator);
    // Lives as long as the process.
    GST_OBJECT_FLAG_SET(allocator, GST_OBJECT_FLAG_MAY_BE_LEAKED);
    return allocator;
}

static GstPadProbeReturn see(GstPad *pad, GstPadProbeInfo *info, gpointer data) {
    (void)pad;
    (void)data;
    static GOnce once = G_ONCE_INIT;
    GstAllocator *allocator = g_once(&once, make_allocator, NULL);
    GstBuffer *picture = info->data;
    GstMapInfo bytes;
    if (!gst_buffer_map(picture, &bytes, GST_MAP_READ))
        return GST_PAD_PROBE_OK;
    GstBuffer *copy = gst_buffer_new_allocate(allocator, bytes.size, NULL);
    gst_buffer_fill(copy, 0, bytes.data, bytes.size);
    gst_buffer_copy_into(copy, picture, GST_BUFFER_COPY_METADATA, 0, -1);
    gst_buffer_unmap(picture, &bytes);
    gst_buffer_unref(picture);
    info->data = copy;
    return GST_PAD_PROBE_OK;
}

int mh_display_memory_use(void *pad) {
    return gst_pad_add_probe(GST_PAD(pad), GST_PAD_PROBE_TYPE_BUFFER, see, NULL, NULL) != 0;
}
