"""A service manager with a file descriptor store, as systemd's: starts a service, starts it again when it was killed, and hands it what
it has stored.

    fdstore.py NOTIFY_SOCKET PROGRAM ARGUMENT...

Says on standard output: `started PID with N`, `stored NAME`, `removed NAME`, `killed`.
"""

import array, os, select, signal, socket, sys

path, words = sys.argv[1], sys.argv[2:]
manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
manager.bind(path)
stored = []


def say(text):
    print(text, flush=True)


def handle():
    data, ancillary, _, _ = manager.recvmsg(65536, 4096)
    files = array.array("i")
    for level, kind, bytes_ in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            files.frombytes(bytes_[: len(bytes_) - len(bytes_) % files.itemsize])
    lines = dict(line.split("=", 1) for line in data.decode().split("\n") if "=" in line)
    name = lines.get("FDNAME", "stored")
    if lines.get("FDSTORE") == "1":
        for file in files:
            stored.append((name, file))
            say(f"stored {name}")
    elif lines.get("FDSTOREREMOVE") == "1":
        for entry in [entry for entry in stored if entry[0] == name]:
            stored.remove(entry)
            os.close(entry[1])
            say(f"removed {name}")


def start():
    child = os.fork()
    if child == 0:
        # First out of the way, then to where they are expected.
        copies = [os.dup2(file, 200 + number, inheritable=True) for number, (_, file) in enumerate(stored)]
        for number, file in enumerate(copies):
            os.dup2(file, 3 + number, inheritable=True)
        os.closerange(3 + len(copies), 400)
        environment = dict(os.environ, NOTIFY_SOCKET=path)
        if stored:
            environment["LISTEN_PID"] = str(os.getpid())
            environment["LISTEN_FDS"] = str(len(stored))
            environment["LISTEN_FDNAMES"] = ":".join(name for name, _ in stored)
        os.execve(words[0], words, environment)
    say(f"started {child} with {len(stored)}")
    return child


signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
child = start()
try:
    while True:
        if select.select([manager], [], [], 0.01)[0]:
            handle()
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended and os.WIFSIGNALED(status):
            while select.select([manager], [], [], 0)[0]:
                handle()
            say("killed")
            child = start()
        elif ended:
            sys.exit(os.WEXITSTATUS(status))
finally:
    try:
        os.kill(child, signal.SIGKILL)
    except ProcessLookupError:
        pass
