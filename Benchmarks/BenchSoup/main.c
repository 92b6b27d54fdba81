/*
 * BenchSoup PATH BODY: a server over libsoup that answers every request on a unix socket with the same JSON, and does nothing
 * else. What a control API over libsoup cannot be faster than.
 */
#include <gio/gunixsocketaddress.h>
#include <libsoup/soup.h>
#include <stdio.h>
#include <string.h>

static void answer(SoupServer *server, SoupServerMessage *message, const char *path, GHashTable *query, gpointer body) {
    (void)server;
    (void)path;
    (void)query;
    soup_server_message_set_status(message, SOUP_STATUS_OK, NULL);
    soup_server_message_set_response(message, "application/json", SOUP_MEMORY_STATIC, body, strlen(body));
}

/* libsoup 3.2 asks for the address of a client, and only one of the internet will do: each connection gets one. */
static gboolean accepted(GSocketService *service, GSocketConnection *connection, GObject *source, gpointer server) {
    GSocketAddress *address = g_inet_socket_address_new_from_string("127.0.0.1", 80);
    (void)service;
    (void)source;
    soup_server_accept_iostream(server, G_IO_STREAM(connection), address, address, NULL);
    g_object_unref(address);
    return TRUE;
}

int main(int count, char **arguments) {
    GError *error = NULL;
    if (count != 3) {
        fprintf(stderr, "BenchSoup: error: PATH and BODY are missing\n");
        return 2;
    }
    SoupServer *server = soup_server_new("server-header", NULL, NULL);
    soup_server_add_handler(server, "/", answer, arguments[2], NULL);
    /* Without a listener libsoup keeps no connection. */
    GSocketService *service = g_socket_service_new();
    GSocketAddress *address = g_unix_socket_address_new(arguments[1]);
    if (!soup_server_listen_local(server, 0, SOUP_SERVER_LISTEN_IPV4_ONLY, &error) ||
        !g_socket_listener_add_address(G_SOCKET_LISTENER(service), address, G_SOCKET_TYPE_STREAM,
                                       G_SOCKET_PROTOCOL_DEFAULT, NULL, NULL, &error)) {
        fprintf(stderr, "BenchSoup: error: %s\n", error->message);
        return 1;
    }
    g_signal_connect(service, "incoming", G_CALLBACK(accepted), server);
    g_socket_service_start(service);
    g_main_loop_run(g_main_loop_new(NULL, FALSE));
    return 0;
}
