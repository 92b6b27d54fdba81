/* The whole plugin ABI of mediahost. A plugin may include this, or only what it uses. */
#ifndef MEDIAHOST_H
#define MEDIAHOST_H

#include "mediahost/clock.h"
#include "mediahost/commands.h"
#include "mediahost/config.h"
#include "mediahost/events.h"
#include "mediahost/fd.h"
#include "mediahost/fd_store.h"
#include "mediahost/gst.h"
#include "mediahost/host.h"
#include "mediahost/lifecycle.h"
#include "mediahost/log.h"
#include "mediahost/metrics.h"
#include "mediahost/notify.h"
#include "mediahost/plugin.h"
#include "mediahost/routes.h"
#include "mediahost/state_directory.h"
#include "mediahost/tap.h"
#include "mediahost/timer.h"
#include "mediahost/types.h"
#include "mediahost/value.h"
#include "mediahost/worker.h"

#endif
