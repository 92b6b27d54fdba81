/* A plugin that writes down what really comes to a player's sinks, in the order it comes, in witness.log of the host's directory:
 *
 *   picture NUMBER PTS     the number is in the picture: bars of 8 pixels, bright for a 1, the lowest bit first
 *   sound FIRST COUNT PTS  the sound is a ramp: each sample is the one before and 1, by 65,536
 *   torn PTS               sound that is no ramp within its buffer
 */
#include "fixture.h"

#include <gst/gst.h>
#include <stdio.h>

enum { bar = 8, bars = 14 };

static const mh_host_1 *host;
static FILE *lines;

static struct {
    const char *path;
    GstPad *pad;
    gulong probe;
} watched[] = {{.path = "player/eyes"}, {.path = "player/ears"}};

static void picture(const GstMapInfo *map, GstClockTime pts) {
    unsigned number = 0;
    if (map->size < bar * bars) return;
    for (int bit = 0; bit < bars; bit++)
        if (map->data[bit * bar + bar / 2] > 128) number |= 1u << bit;
    fprintf(lines, "picture %u %" G_GUINT64_FORMAT "\n", number, pts);
}

static void sound(const GstMapInfo *map, GstClockTime pts) {
    gsize count = map->size / 2;
    if (count == 0) return;
    guint16 first = GST_READ_UINT16_LE(map->data);
    for (gsize index = 0; index < count; index++)
        if (GST_READ_UINT16_LE(map->data + 2 * index) != (guint16)(first + index)) {
            fprintf(lines, "torn %" G_GUINT64_FORMAT "\n", pts);
            return;
        }
    fprintf(lines, "sound %u %" G_GSIZE_FORMAT " %" G_GUINT64_FORMAT "\n", first, count, pts);
}

static GstPadProbeReturn comes(GstPad *pad, GstPadProbeInfo *info, gpointer data) {
    (void)pad;
    GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER(info);
    GstMapInfo map;
    if (!gst_buffer_map(buffer, &map, GST_MAP_READ)) return GST_PAD_PROBE_OK;
    (data == &watched[0] ? picture : sound)(&map, GST_BUFFER_PTS(buffer));
    gst_buffer_unmap(buffer, &map);
    return GST_PAD_PROBE_OK;
}

static void built(const mh_plugin_1 *plugin, mh_str_1 name, void *pipeline) {
    (void)plugin, (void)name, (void)pipeline;
    const mh_gst_host_1 *gst = host->get_extension(host, text(MH_EXT_GST));
    for (int index = 0; index < 2; index++) {
        void *sink = NULL;
        if (gst == NULL || gst->element(host, text(watched[index].path), &sink) != MH_OK) continue;
        watched[index].pad = gst_element_get_static_pad(sink, "sink");
        watched[index].probe =
            gst_pad_add_probe(watched[index].pad, GST_PAD_PROBE_TYPE_BUFFER, comes, &watched[index], NULL);
        gst_object_unref(sink);
    }
}

static void released(const mh_plugin_1 *plugin, mh_str_1 name, void *pipeline) {
    (void)plugin, (void)name, (void)pipeline;
    for (int index = 0; index < 2; index++) {
        if (watched[index].pad == NULL) continue;
        gst_pad_remove_probe(watched[index].pad, watched[index].probe);
        gst_clear_object(&watched[index].pad);
    }
}

static mh_status opens(const mh_plugin_1 *plugin, const mh_value_1 *config) {
    (void)plugin, (void)config;
    lines = fopen("witness.log", "a");
    if (lines == NULL) return MH_E_FAILED;
    setvbuf(lines, NULL, _IOLBF, 0);
    return MH_OK;
}

FIXTURE_SEES_PIPELINES(built, released)

static const mh_descriptor_1 about = {
    .id = "org.example.witness",
    .name = "Witness",
    .vendor = "a test",
    .version = "1.0.0",
    .license = "MIT",
    .summary = "Writes down what comes to a player's sinks.",
    .requires_ext = needs,
};

FIXTURE_CREATE(opens, host)
