#define _GNU_SOURCE
#include "passing.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

union control {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
};

ssize_t mh_send_file(int socket, const void *bytes, size_t count, int file) {
    struct iovec data = {.iov_base = (void *)bytes, .iov_len = count};
    union control control;
    memset(&control, 0, sizeof control);
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1};
    if (file >= 0) {
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof file);
        memcpy(CMSG_DATA(header), &file, sizeof file);
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL);
}

ssize_t mh_receive_file(int socket, void *bytes, size_t count, int *file) {
    *file = -1;
    struct iovec data = {.iov_base = bytes, .iov_len = count};
    union control control;
    struct msghdr message = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    ssize_t got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    if (got < 0) return got;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header != NULL && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS)
        memcpy(file, CMSG_DATA(header), sizeof *file);
    return got;
}

int mh_peer_is_own(int socket) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == getuid();
}
