"""An HTTP server that keeps what it gets: web_server.py DIRECTORY [--port N].

Each request becomes DIRECTORY/NUMBER.json. The first line of DIRECTORY/behaviour says how it
answers: `200`, another status, `429 SECONDS` with Retry-After, `cut` to close the connection
without an answer, `hang` to answer nothing, `stall STATUS` for a status and nothing after it,
`flood` for an answer without end, or `to URL` for a redirection. A path that ends with `/broken` is
answered with 500.

`GET` is answered with DIRECTORY/served and its version, or with 304 to whoever has that. There
`cut` closes the connection in the middle, `trickle` sends a byte at a time, `page` is a page of a
web site, `marks` something of a type with 40 combining marks, and `large` a calendar of 100 MB.
"""

import argparse
import hashlib
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

    def keep(self, body, words):
        global count
        with lock:
            path = os.path.join(options.directory, f"{count}.json")
            with open(path + ".new", "w", encoding="utf-8") as file:
                json.dump(
                    {
                        "path": self.path,
                        "headers": {name.lower(): value for name, value in self.headers.items()},
                        "body": body.decode(),
                        "answer": " ".join(words),
                        "connection": self.client_address[1],
                    },
                    file,
                )
            os.rename(path + ".new", path)
            count += 1

    def redirect(self, url):
        self.send_response(302)
        self.send_header("Location", url)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def begin(self, kind, length):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(length))
        self.end_headers()

    def do_GET(self):
        words = behaviour()
        self.keep(b"", words)
        with open(os.path.join(options.directory, "served"), "rb") as file:
            served = file.read()
        version = '"' + hashlib.sha256(served).hexdigest() + '"'
        if words[0] == "hang":
            time.sleep(3600)
        elif words[0] == "to":
            self.redirect(words[1])
        elif words[0] == "cut":
            self.begin("text/calendar", len(served))
            self.wfile.write(served[: len(served) // 2])
            self.close_connection = True
        elif words[0] == "trickle":
            self.begin("text/calendar", len(served))
            for byte in served:
                self.wfile.write(bytes([byte]))
                time.sleep(0.1)
        elif words[0] == "page":
            page = b"<!DOCTYPE html><title>Log in</title>"
            self.begin("text/html; charset=utf-8", len(page))
            self.wfile.write(page)
        elif words[0] == "marks":
            self.begin(("text/e" + 40 * "\u0301").encode().decode("latin-1"), len(served))
            self.wfile.write(served)
        elif words[0] == "large":
            event = b"BEGIN:VEVENT\r\nUID:1\r\nDTSTART:20270301T090000Z\r\nEND:VEVENT\r\n"
            self.begin("text/calendar", 100_000_000)
            self.wfile.write(b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n")
            while True:
                self.wfile.write(event * 1000)
        elif words[0] == "200" and self.headers.get("If-None-Match") == version:
            self.send_response(304)
            self.send_header("ETag", version)
            self.end_headers()
        else:
            self.send_response(int(words[0]))
            self.send_header("Content-Type", "text/calendar; charset=utf-8")
            self.send_header("ETag", version)
            if len(words) > 1:
                self.send_header("Retry-After", words[1])
            self.send_header("Content-Length", str(len(served)))
            self.end_headers()
            self.wfile.write(served)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        words = ["500"] if self.path.endswith("/broken") else behaviour()
        self.keep(body, words)
        if words[0] == "cut":
            self.close_connection = True
            return
        if words[0] == "hang":
            time.sleep(3600)
        if words[0] == "to":
            self.redirect(words[1])
            return
        if words[0] == "stall":
            self.send_response(int(words[1]))
            self.send_header("Content-Length", "2")
            self.end_headers()
            time.sleep(3600)
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
