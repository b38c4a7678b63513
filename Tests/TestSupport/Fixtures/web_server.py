"""An HTTP server that keeps what it gets: web_server.py DIRECTORY [--port N].

Each request becomes DIRECTORY/NUMBER.json. The first line of DIRECTORY/behaviour says how it
answers: `200`, another status, `429 SECONDS` with Retry-After, `cut` to close the connection
without an answer, `hang` to answer nothing, `flood` for an answer without end, or `to URL` for a
redirection. A path that ends with `/broken` is answered with 500.
"""

import argparse
import json
import os
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

arguments = argparse.ArgumentParser()
arguments.add_argument("directory")
arguments.add_argument("--port", type=int, default=0)
options = arguments.parse_args()
lock = threading.Lock()
count = 0


def behaviour():
    try:
        with open(os.path.join(options.directory, "behaviour"), encoding="utf-8") as file:
            return file.readline().split() or ["200"]
    except FileNotFoundError:
        return ["200"]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        global count
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        words = ["500"] if self.path.endswith("/broken") else behaviour()
        with lock:
            path = os.path.join(options.directory, f"{count}.json")
            with open(path + ".new", "w", encoding="utf-8") as file:
                json.dump(
                    {
                        "path": self.path,
                        "headers": {name.lower(): value for name, value in self.headers.items()},
                        "body": body.decode(),
                        "answer": " ".join(words),
                    },
                    file,
                )
            os.rename(path + ".new", path)
            count += 1
        if words[0] == "cut":
            self.close_connection = True
            return
        if words[0] == "hang":
            time.sleep(3600)
        if words[0] == "to":
            self.send_response(302)
            self.send_header("Location", words[1])
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        if words[0] == "flood":
            self.send_response(200)
            self.end_headers()
            self.close_connection = True
            while True:
                self.wfile.write(b"x" * 65536)
        self.send_response(int(words[0]))
        if len(words) > 1:
            self.send_header("Retry-After", words[1])
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", options.port), Handler)
server.daemon_threads = True
print(f"port {server.server_address[1]}", flush=True)
server.serve_forever()
