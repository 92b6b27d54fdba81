/*
 * BenchLogin ADDRESS ROUNDS AWAKE_MS: systemd-logind on a bus of its own, for one host. Each round lets it run for a while,
 * says that the machine is about to sleep, waits until the host lets go of its inhibitor, and says that it is awake.
 * Prints the microseconds of each wait, and leaves after the last with the host quiet.
 */
#include <gio/gio.h>
#include <gio/gunixfdlist.h>
#include <glib-unix.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME "org.freedesktop.login1"
#define PATH "/org/freedesktop/login1"
#define MANAGER NAME ".Manager"

static const char interface_text[] =
    "<node><interface name='" MANAGER "'>"
    "<method name='Inhibit'><arg type='s' direction='in'/><arg type='s' direction='in'/><arg type='s' direction='in'/>"
    "<arg type='s' direction='in'/><arg type='h' direction='out'/></method>"
    "<signal name='PrepareForSleep'><arg type='b'/></signal>"
    "<property name='PreparingForSleep' type='b' access='read'/>"
    "<property name='PreparingForShutdown' type='b' access='read'/>"
    "<property name='InhibitDelayMaxUSec' type='t' access='read'/>"
    "</interface></node>";

/* Longer than logind itself would wait. */
enum { LIMIT_MS = 10000 };

static GMainLoop *loop;
static GDBusConnection *connection;
static long rounds, awake_ms;
static gboolean is_preparing;
static guint limit;
/* CLOCK_MONOTONIC, microseconds. */
static gint64 told;
static int status;

static gboolean give_up(gpointer what) {
    fprintf(stderr, "BenchLogin: error: awaited %s for %d ms\n", (const char *)what, LIMIT_MS);
    status = 1;
    g_main_loop_quit(loop);
    return G_SOURCE_REMOVE;
}

static void await(const char *what) {
    if (limit != 0) g_source_remove(limit);
    limit = what == NULL ? 0 : g_timeout_add(LIMIT_MS, give_up, (gpointer)what);
}

static void tell(gboolean preparing) {
    is_preparing = preparing;
    told = g_get_monotonic_time();
    g_dbus_connection_emit_signal(connection, NULL, PATH, MANAGER, "PrepareForSleep", g_variant_new("(b)", preparing), NULL);
}

static gboolean fall_asleep(gpointer data) {
    (void)data;
    await("the release of the inhibitor");
    tell(TRUE);
    return G_SOURCE_REMOVE;
}

/* The host's end is closed. */
static gboolean released(gint file, GIOCondition condition, gpointer data) {
    (void)condition, (void)data;
    gint64 time = g_get_monotonic_time() - told;
    close(file);
    /* An earlier one that another has taken the place of, or the end of the host. */
    if (!is_preparing) return G_SOURCE_REMOVE;
    printf("%lld\n", (long long)time);
    if (--rounds == 0) {
        g_main_loop_quit(loop);
        return G_SOURCE_REMOVE;
    }
    await("the next inhibitor");
    tell(FALSE);
    return G_SOURCE_REMOVE;
}

static void inhibit(GVariant *words, GDBusMethodInvocation *call) {
    int files[2];
    const char *what = NULL;
    g_variant_get_child(words, 0, "&s", &what);
    gboolean is_for_sleep = strcmp(what, "sleep") == 0;
    if ((is_for_sleep && is_preparing) || pipe(files) != 0) {
        g_dbus_method_invocation_return_dbus_error(call, NAME ".OperationInProgress", "not now");
        return;
    }
    GUnixFDList *list = g_unix_fd_list_new();
    g_unix_fd_list_append(list, files[1], NULL);
    close(files[1]);
    g_dbus_method_invocation_return_value_with_unix_fd_list(call, g_variant_new("(h)", 0), list);
    g_object_unref(list);
    /* The one for the shutdown is held to the end. */
    if (!is_for_sleep) return;
    g_unix_fd_add(files[0], G_IO_HUP, released, NULL);
    await(NULL);
    /* What the host does while it is awake. */
    g_timeout_add((guint)awake_ms, fall_asleep, NULL);
}

static void method(GDBusConnection *bus, const char *sender, const char *path, const char *interface, const char *name,
                   GVariant *words, GDBusMethodInvocation *call, gpointer data) {
    (void)bus, (void)sender, (void)path, (void)interface, (void)name, (void)data;
    inhibit(words, call);
}

static GVariant *property(GDBusConnection *bus, const char *sender, const char *path, const char *interface,
                          const char *name, GError **error, gpointer data) {
    (void)bus, (void)sender, (void)path, (void)interface, (void)error, (void)data;
    if (strcmp(name, "InhibitDelayMaxUSec") == 0) return g_variant_new_uint64(5000000);
    return g_variant_new_boolean(is_preparing && strcmp(name, "PreparingForSleep") == 0);
}

int main(int count, char **arguments) {
    if (count != 4) {
        fprintf(stderr, "usage: BenchLogin ADDRESS ROUNDS AWAKE_MS\n");
        return 2;
    }
    rounds = strtol(arguments[2], NULL, 10);
    awake_ms = strtol(arguments[3], NULL, 10);
    GError *error = NULL;
    connection = g_dbus_connection_new_for_address_sync(
        arguments[1], G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
        NULL, NULL, &error);
    GDBusNodeInfo *node = error == NULL ? g_dbus_node_info_new_for_xml(interface_text, &error) : NULL;
    if (node != NULL) {
        static const GDBusInterfaceVTable table = {.method_call = method, .get_property = property};
        g_dbus_connection_register_object(connection, PATH, node->interfaces[0], &table, NULL, NULL, &error);
        g_dbus_node_info_unref(node);
    }
    if (error != NULL) {
        fprintf(stderr, "BenchLogin: error: %s\n", error->message);
        return 1;
    }
    loop = g_main_loop_new(NULL, FALSE);
    await("the host");
    g_bus_own_name_on_connection(connection, NAME, G_BUS_NAME_OWNER_FLAGS_NONE, NULL, NULL, NULL, NULL);
    g_main_loop_run(loop);
    return status;
}
