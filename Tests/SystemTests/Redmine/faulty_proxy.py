"""A faulty proxy to an HTTP server on loopback: faulty_proxy.py TARGET_PORT FAULT_FILE

Prints the port that it listens on. Before each request it reads the first line of the fault file,
`KIND [METHOD [COUNT]]`, and applies that fault, only to requests with the method, COUNT times; then
it deletes the line, so that the next one applies:

  lose      forwards the request, and closes the connection without an answer
  status N  (written as status-503) answers with this code, and forwards nothing
  html      answers 200 with a page of HTML
  garbage   answers 200 with half a JSON object
  truncate  forwards the request, and closes the connection in the middle of the answer
  trickle   forwards the request, and answers in pieces of a few bytes for some seconds
  hang      accepts the request and never answers
  down      closes the connection at once
"""
import http.client
import http.server
import os
import sys
import threading
import time

target, fault_file = int(sys.argv[1]), sys.argv[2]
lock = threading.Lock()


def fault(method):
    """The fault that applies to a request. Counts it."""
    with lock:
        try:
            with open(fault_file) as file:
                words = file.readline().split()
                later = file.read()
        except FileNotFoundError:
            return ""
        if not words or (len(words) > 1 and words[1] not in (method, "*")):
            return ""
        if len(words) > 2:
            left = int(words[2]) - 1
            with open(fault_file + ".new", "w") as file:
                file.write((f"{words[0]} {words[1]} {left}\n" if left > 0 else "") + later)
            os.replace(fault_file + ".new", fault_file)
        return words[0]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.0"

    def log_message(self, *_):
        pass

    def answer(self, code, kind, body, length=None, pieces=1):
        self.send_response(code)
        if kind:
            self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(length or len(body)))
        if code in (429, 503):
            self.send_header("Retry-After", "1")
        self.end_headers()
        size = len(body) // pieces + 1
        for start in range(0, len(body), size):
            self.wfile.write(body[start : start + size])
            self.wfile.flush()
            time.sleep(0.1 if pieces > 1 else 0)

    def handle_one(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        kind = fault(self.command)
        if kind == "down":
            return
        if kind == "hang":
            time.sleep(3600)
        if kind.startswith("status-"):
            return self.answer(int(kind[7:]), "text/plain", b"no")
        if kind == "html":
            return self.answer(200, "text/html", b"<html><form>log in</form></html>")
        if kind == "garbage":
            return self.answer(200, "application/json", b'{"issues":[{"id":1,')
        connection = http.client.HTTPConnection("127.0.0.1", target, timeout=300)
        headers = {k: v for k, v in self.headers.items() if k.lower() not in ("host", "connection")}
        connection.request(self.command, self.path, body or None, headers)
        reply = connection.getresponse()
        data = reply.read()
        if kind == "lose":
            return
        if kind == "truncate":
            half = data[: len(data) // 2]
            return self.answer(reply.status, reply.getheader("Content-Type"), half, len(data))
        self.answer(
            reply.status, reply.getheader("Content-Type"), data,
            pieces=30 if kind == "trickle" else 1)

    do_GET = do_POST = do_PUT = do_DELETE = handle_one


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
print("port", server.server_address[1], flush=True)
server.serve_forever()
