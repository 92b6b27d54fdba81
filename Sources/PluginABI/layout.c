/*
 * The golden layout table. A struct that ships never changes under its name: if one of these fires, give the new
 * layout a new name and a new extension id.
 */
#include "mediahost/clock.h"
#include "mediahost/commands.h"
#include "mediahost/config.h"
#include "mediahost/events.h"
#include "mediahost/fd.h"
#include "mediahost/fd_store.h"
#include "mediahost/gst.h"
#include "mediahost/lifecycle.h"
#include "mediahost/log.h"
#include "mediahost/metrics.h"
#include "mediahost/notify.h"
#include "mediahost/plugin.h"
#include "mediahost/routes.h"
#include "mediahost/state_directory.h"
#include "mediahost/tap.h"
#include "mediahost/timer.h"
#include "mediahost/worker.h"

#include <assert.h>

#if UINTPTR_MAX == UINT64_MAX
#define GOLDEN_SIZE(type, bytes) static_assert(sizeof(type) == (bytes), #type " changed size")
#define GOLDEN_OFFSET(type, field, bytes) static_assert(offsetof(type, field) == (bytes), #type "." #field " moved")
GOLDEN_SIZE(mh_str_1, 16);
GOLDEN_SIZE(mh_host_1, 64);
GOLDEN_OFFSET(mh_host_1, get_extension, 40);
GOLDEN_SIZE(mh_value_ext_1, 19 * 8);
GOLDEN_SIZE(mh_descriptor_1, 80);
GOLDEN_OFFSET(mh_descriptor_1, config_schema, 64);
GOLDEN_SIZE(mh_plugin_1, 56);
GOLDEN_SIZE(mh_factory_1, 24);
GOLDEN_SIZE(mh_entry_1, 40);
GOLDEN_OFFSET(mh_entry_1, init, 16);
GOLDEN_SIZE(mh_log_ext_1, 8);
GOLDEN_SIZE(mh_clock_ext_1, 24);
GOLDEN_SIZE(mh_event_1, 96);
GOLDEN_OFFSET(mh_event_1, name, 56);
GOLDEN_OFFSET(mh_event_1, payload, 88);
GOLDEN_SIZE(mh_events_host_1, 8);
GOLDEN_SIZE(mh_events_plugin_1, 16);
GOLDEN_SIZE(mh_lifecycle_host_1, 8);
GOLDEN_SIZE(mh_lifecycle_plugin_1, 16);
GOLDEN_SIZE(mh_command_1, 32);
GOLDEN_SIZE(mh_commands_host_1, 24);
GOLDEN_SIZE(mh_commands_host_2, 24);
GOLDEN_SIZE(mh_commands_plugin_1, 32);
GOLDEN_SIZE(mh_worker_ext_1, 8);
GOLDEN_SIZE(mh_state_directory_ext_1, 8);
GOLDEN_SIZE(mh_fd_store_ext_1, 24);
GOLDEN_SIZE(mh_label_1, 16);
GOLDEN_SIZE(mh_metric_1, 40);
GOLDEN_OFFSET(mh_metric_1, kind, 32);
GOLDEN_SIZE(mh_metrics_ext_1, 24);
GOLDEN_SIZE(mh_notification_action_1, 16);
GOLDEN_SIZE(mh_notification_1, 72);
GOLDEN_OFFSET(mh_notification_1, urgency, 56);
GOLDEN_SIZE(mh_notify_host_1, 16);
GOLDEN_SIZE(mh_notify_plugin_1, 16);
GOLDEN_SIZE(mh_gst_host_1, 8);
GOLDEN_SIZE(mh_gst_plugin_1, 16);
GOLDEN_SIZE(mh_route_1, 24);
GOLDEN_SIZE(mh_request_1, 56);
GOLDEN_OFFSET(mh_request_1, body, 40);
GOLDEN_SIZE(mh_response_1, 40);
GOLDEN_OFFSET(mh_response_1, body, 24);
GOLDEN_SIZE(mh_routes_host_1, 32);
GOLDEN_SIZE(mh_file_response_1, 24);
GOLDEN_SIZE(mh_routes_plugin_1, 32);
GOLDEN_SIZE(mh_buffer_1, 72);
GOLDEN_OFFSET(mh_buffer_1, flags, 48);
GOLDEN_SIZE(mh_epoch_1, 40);
GOLDEN_SIZE(mh_tap_client_1, 56);
GOLDEN_SIZE(mh_tap_ext_1, 32);
GOLDEN_SIZE(mh_timer_1, 32);
GOLDEN_OFFSET(mh_timer_1, at, 8);
GOLDEN_SIZE(mh_timer_expiry_1, 32);
GOLDEN_SIZE(mh_timer_host_1, 16);
GOLDEN_SIZE(mh_timer_plugin_1, 8);
GOLDEN_SIZE(mh_config_host_1, 8);
GOLDEN_SIZE(mh_config_plugin_1, 16);
GOLDEN_SIZE(mh_fd_host_1, 24);
GOLDEN_SIZE(mh_fd_plugin_1, 8);
#endif
