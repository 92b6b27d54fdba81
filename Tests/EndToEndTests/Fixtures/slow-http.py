"""A network that stops: a tenth of a file comes at once, the rest when this is sent SIGUSR1.

    /usr/bin/python3 slow-http.py FILE

The port it listens at is written to standard output.
"""

import http.server
import re
import signal
import sys
import threading

with open(sys.argv[1], "rb") as file:
    DATA = file.read()
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
        REST.wait()
        self.wfile.write(DATA[stop:])

    def log_message(self, *_):
        pass


signal.signal(signal.SIGUSR1, lambda *_: REST.set())
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
print("port", server.server_address[1], flush=True)
while True:
    signal.pause()
