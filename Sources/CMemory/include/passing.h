// File descriptors beside the bytes of a socket.
#pragma once
#include <stddef.h>
#include <sys/types.h>

// Like send and read, with a descriptor; -1 for none. What came belongs to the caller. Thread: any.
ssize_t mh_send_file(int socket, const void *bytes, size_t count, int file);
ssize_t mh_receive_file(int socket, void *bytes, size_t count, int *file);
// Whether whoever is at the other end of a unix socket is this user. Thread: any.
int mh_peer_is_own(int socket);
