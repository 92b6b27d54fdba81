"""A network that stops when told: a tenth of a file of 60 s comes at once, the rest a little faster than it is played.

    /usr/bin/python3 slow-http.py FILE

Nothing more comes after SIGUSR2, and all of the rest after SIGUSR1. The port it listens at is written to standard output.
"""

import http.server
import re
import signal
import sys
import threading
import time

with open(sys.argv[1], "rb") as file:
    DATA = file.read()
STEP = 0.1  # seconds
PIECE = int(len(DATA) / 60 * 1.2 * STEP) + 1
FLOWS = threading.Event()
FLOWS.set()
REST = threading.Event()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        wanted = re.match(r"bytes=(\d+)-", self.headers.get("Range", ""))
        begin = int(wanted[1]) if wanted else 0
        self.send_response(206 if wanted else 200)
        self.send_header("Content-Type", "video/x-matroska")
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(len(DATA) - begin))
        if wanted:
            self.send_header("Content-Range", f"bytes {begin}-{len(DATA) - 1}/{len(DATA)}")
        self.end_headers()
        stop = max(begin, len(DATA) // 10)
        self.wfile.write(DATA[begin:stop])
        self.wfile.flush()
        began = time.monotonic()
        sent = 0
        while not REST.is_set() and stop < len(DATA):
            FLOWS.wait()
            piece = DATA[stop : stop + PIECE]
            self.wfile.write(piece)
            self.wfile.flush()
            stop += len(piece)
            sent += 1
            # A sleep that was late does not slow it down.
            REST.wait(max(0, began + sent * STEP - time.monotonic()))
        self.wfile.write(DATA[stop:])

    def log_message(self, *_):
        pass


def go_on(*_):
    REST.set()
    FLOWS.set()


signal.signal(signal.SIGUSR1, go_on)
signal.signal(signal.SIGUSR2, lambda *_: FLOWS.clear())
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
print("port", server.server_address[1], flush=True)
while True:
    signal.pause()
