/*
 * mh.metrics.draft/1 (host side): numbers for whoever watches the board, changed from any thread at no cost.
 *
 * A metric is declared once and then changed by its cell. The host shows it in `mediahost status`, and with `GET /metrics`
 * (Prometheus text) as mediahost_plugin_NAME, with the label `plugin`: the instance's name. A counter's name ends in
 * `_total` there and a unit stands behind the name: "written" in "bytes" is mediahost_plugin_written_bytes_total.
 */
#ifndef MEDIAHOST_METRICS_H
#define MEDIAHOST_METRICS_H

#include "host.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MH_EXT_METRICS "mh.metrics.draft/1"

typedef int32_t mh_metric_kind;
enum {
    MH_METRIC_COUNTER = 0, /* only grows; begins at 0 with each instance */
    MH_METRIC_GAUGE = 1    /* goes up and down */
};

typedef struct mh_label_1 {
    const char *name;  /* letters, digits and "_", no digit first; not "plugin", "le" or "quantile", no "__" first */
    const char *value; /* any text */
} mh_label_1;

/* Owned by the plugin, borrowed for `declare`. Terminated strings. */
typedef struct mh_metric_1 {
    const char *name; /* as a label's name; with its unit at most 128 bytes */
    const char *unit; /* a base unit, "seconds" or "bytes", or NULL: a plain number */
    const char *help; /* one sentence, at most 1024 bytes */
    const mh_label_1 *labels; /* constant ones that tell metrics of one name apart, or NULL */
    mh_metric_kind kind;
    uint32_t label_count; /* at most 8 */
} mh_metric_1;

/* One number. Owned by the host, valid as long as the process: a change that comes after `destroy` is harmless. */
typedef struct mh_metric_cell_1 mh_metric_cell_1;

typedef struct mh_metrics_ext_1 {
    /* Makes a metric, or finds the one that was declared with the same name, unit, kind and labels. On failure `*cell`
     * is NULL and the reason is logged. MH_E_INVALID: a name, a label or a text is not as above, or a metric of this
     * name has another help. MH_E_LIMIT: an instance has at most 64. [main, from `init` on] */
    mh_status (*declare)(const mh_host_1 *host, const mh_metric_1 *metric, mh_metric_cell_1 **cell);
    /* Neither waits nor allocates. Nothing happens where the cell is NULL, the amount is no finite number, or a counter
     * would shrink. [any, also after the end] */
    void (*add)(mh_metric_cell_1 *cell, double amount);
    /* Of a gauge; a counter stays as it is. As cheap as `add`. [any, also after the end] */
    void (*set)(mh_metric_cell_1 *cell, double value);
} mh_metrics_ext_1;

#ifdef __cplusplus
}
#endif
#endif
