/*
 * mh.gst.draft/1 (both sides): the GStreamer objects of a pipeline themselves, for what nothing else here can do: signals,
 * actions, pads on request, probes that change what passes.
 *
 * In the host's process only: a plugin that requires it can never run in a process of its own. A pipeline is built anew
 * whenever it starts, so what is taken out of one build ends with that build:
 *
 *   built ──▶ ... ──▶ released ──▶ (the host brings it to NULL and lets go)
 *
 * The host owns the pipeline and its state: do not change its state, clock or base time, read its bus, or take out what
 * the config put in. GStreamer's own rules of threads hold for everything else. Each `void *` is a GstElement *; <gst/gst.h> is
 * the plugin's to include.
 */
#ifndef MEDIAHOST_GST_H
#define MEDIAHOST_GST_H

#include "host.h"
#include "plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MH_EXT_GST "mh.gst.draft/1"

typedef struct mh_gst_host_1 {
    /* A GstElement of a pipeline that is built, by "pipeline/element". `*element` is a new reference that the plugin gives
     * back at `released` at the latest; NULL on failure. MH_E_NOT_FOUND: there is no such pipeline or element, or the
     * pipeline is not built now. MH_E_INVALID: no such path can be. MH_E_STATE: on another thread. [main, active or in
     * `activate`] */
    mh_status (*element)(const mh_host_1 *host, mh_str_1 path, void **element);
} mh_gst_host_1;

typedef struct mh_gst_plugin_1 {
    /* A pipeline was built, or was there already when this instance became active. It is a GstPipeline, borrowed until
     * `released` has returned. In the first case nothing flows yet; in the second it may. [main, active] */
    void (*built)(const mh_plugin_1 *plugin, mh_str_1 pipeline, void *element);
    /* It is about to go, or this instance is, and may still be playing. Remove probes and handlers, give back references.
     * Follows each `built` once, at the latest before `deactivate`. [main, active] */
    void (*released)(const mh_plugin_1 *plugin, mh_str_1 pipeline, void *element);
} mh_gst_plugin_1;

#ifdef __cplusplus
}
#endif
#endif
