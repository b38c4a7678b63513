#!/usr/bin/env python3
"""Measures the mirror of a project with many issues at a real Redmine, compared with other clients.

    measure_mirror.py [--issues 10000] [--build .build/release]

Prints, each in seconds: how long a client needs that reads 25 issues per page, Redmine's default;
how long the server needs to answer a client that reads 100 per page and ignores the answers; how
long the mirror needs from `steward redmine link` until both sides are the same; and how long
`steward redmine sync` needs when 10 issues were changed there. The mirror is made twice: the first
time, a client that is started again and again lists the projects of the service, which takes
processor time from the mirror and from Redmine; its longest wait is printed too.

Needs root and the package of `redmine install`. The issues are written into the server's database,
because making them through its API takes an hour.
"""

import argparse
import hashlib
import http.client
import http.server
import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

here = os.path.dirname(os.path.abspath(__file__))
arguments = argparse.ArgumentParser()
arguments.add_argument("--issues", type=int, default=10_000)
arguments.add_argument("--build", default=".build/release")
options = arguments.parse_args()
build = os.path.abspath(options.build)
cache = os.environ.get("STEWARD_REDMINE_CACHE", "/var/cache/steward-redmine")
key = hashlib.sha1(b"steward:ann").hexdigest()
scratch = tempfile.mkdtemp(prefix="measure-mirror-")


def free_port():
    with socket.socket() as end:
        end.bind(("127.0.0.1", 0))
        return end.getsockname()[1]


port = free_port()


class Redmine:
    def __init__(self):
        self.process = subprocess.Popen(
            [f"{here}/redmine", "start", scratch, str(port)],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(1800):
            try:
                if ask("GET", "/users/current.json")[0] == 200:
                    return
            except OSError:
                pass
            if self.process.poll() is not None:
                sys.exit("Redmine doesn't start; see Tests/SystemTests/Redmine/redmine")
            time.sleep(0.5)
        sys.exit("Redmine doesn't answer")

    def stop(self):
        self.process.kill()
        self.process.wait()


def ask(method, path, body=None, connection=None):
    connection = connection or http.client.HTTPConnection("127.0.0.1", port, timeout=300)
    headers = {"X-Redmine-API-Key": key, "Content-Type": "application/json"}
    connection.request(method, path, json.dumps(body) if body else None, headers)
    answer = connection.getresponse()
    return answer.status, answer.read()


def fill():
    """Copies an issue until there are enough. Every fifth copy follows the previous one."""
    code, made = ask("POST", "/issues.json", {"issue": {
        "project_id": "house", "subject": "Issue", "description": "What is to be done. " * 20,
        "start_date": "2083-03-01", "due_date": "2083-03-02"}})
    assert code == 201, made
    first = json.loads(made)["issue"]["id"]
    database = sqlite3.connect(f"{cache}/servers/{port}/redmine.sqlite3", timeout=60)
    row = database.execute("SELECT * FROM issues WHERE id = ?", (first,))
    names = [column[0] for column in row.description]
    model = dict(zip(names, row.fetchone()))
    last = first + options.issues - 1
    begun = int(time.time()) - options.issues - 600
    with database:
        for number in range(first + 1, last + 1):
            moment = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(begun + number - first))
            issue = model | {
                "id": number, "subject": f"Issue {number}", "root_id": number,
                "created_on": moment, "updated_on": moment}
            database.execute(
                f"INSERT INTO issues ({','.join(names)}) VALUES ({','.join('?' * len(names))})",
                [issue[name] for name in names])
        for number in range(first, last, 5):
            database.execute(
                "INSERT INTO issue_relations (issue_from_id, issue_to_id, relation_type) "
                "VALUES (?, ?, 'relates')", (number, number + 1))
    database.close()
    return first


def read(page):
    """Reads all issues over one connection, this many per page."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
    begun = time.monotonic()
    offset = 0
    while True:
        _, body = ask(
            "GET", f"/issues.json?project_id=house&status_id=*&include=relations&sort=id"
            f"&limit={page}&offset={offset}", connection=connection)
        answer = json.loads(body)
        offset += len(answer["issues"])
        if offset >= answer["total_count"]:
            return time.monotonic() - begun


def environment(name):
    return {
        "HOME": f"{scratch}/{name}", "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8",
        "STEWARD_DATA": f"{scratch}/{name}/data", "STEWARD_BUS": f"ipc://{scratch}/{name}/run",
        "STEWARD_LOG": "warning",
    }


class Service:
    """A project-service with a store of its own, and the commands for it."""

    def __init__(self, name):
        self.environment = environment(name)
        os.makedirs(f"{scratch}/{name}/run", mode=0o700)
        self.process = subprocess.Popen(
            [f"{build}/project-service", "--until-stdin-closes"], env=self.environment,
            stdin=subprocess.PIPE)
        time.sleep(2)

    def steward(self, line, typed=None):
        done = subprocess.run(
            [f"{build}/steward"] + line.split(), env=self.environment, input=typed, text=True,
            capture_output=True)
        if done.returncode != 0:
            sys.exit(f"steward {line}: {done.stderr}")
        return done.stdout

    def stop(self):
        self.process.kill()
        self.process.wait()


class Recorder(http.server.BaseHTTPRequestHandler):
    """Passes requests on to the server, and records them."""

    protocol_version = "HTTP/1.1"
    asked = []

    def do_GET(self):
        self.asked.append(self.path)
        status, body = ask("GET", self.path)
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def questions():
    """All requests that a mirror makes until both sides are the same."""
    between = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Recorder)
    threading.Thread(target=between.serve_forever, daemon=True).start()
    service = Service("recorded")
    try:
        service.steward(f"redmine login http://127.0.0.1:{between.server_port}", key + "\n")
        Recorder.asked.clear()
        service.steward("redmine link house")
        return list(Recorder.asked)
    finally:
        service.stop()
        between.shutdown()


def repeat(paths):
    """Makes all the requests again, over one connection, and ignores the answers."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
    for path in paths:
        ask("GET", path, connection=connection)


def measure(name, body):
    begun = time.monotonic()
    value = body()
    seconds = value if isinstance(value, float) else time.monotonic() - begun
    print(f"{name:<68}{seconds:8.2f} s", flush=True)
    return seconds


class Asker(threading.Thread):
    """Lists the projects again and again, and records the longest wait."""

    def __init__(self, service):
        super().__init__(daemon=True)
        self.service, self.waits, self.is_over = service, [], False

    def run(self):
        while not self.is_over:
            begun = time.monotonic()
            self.service.steward("project list")
            self.waits.append(time.monotonic() - begun)


redmine = Redmine()
service = None
try:
    first = fill()
    redmine.stop()
    redmine = Redmine()
    read(100)
    slow = measure(f"{options.issues} issues, 25 a page", lambda: read(25))
    bare = measure(f"{options.issues} issues, 100 a page, the server alone", lambda: read(100))
    paths = questions()
    same = measure(
        f"the {len(paths)} questions of the mirror, the server alone", lambda: repeat(paths))
    service = Service("disturbed")
    service.steward(f"redmine login http://127.0.0.1:{port}", key + "\n")
    idle = []
    for _ in range(10):
        begun = time.monotonic()
        service.steward("project list")
        idle.append(time.monotonic() - begun)
    asker = Asker(service)
    asker.start()
    measure(
        f"{options.issues} issues, the mirror, while its service is asked for projects",
        lambda: service.steward("redmine link house"))
    asker.is_over = True
    asker.join()
    service.stop()
    waits = sorted(asker.waits)
    print(
        f"  steward project list meanwhile: median {waits[len(waits) // 2] * 1000:.0f} ms, "
        f"longest {waits[-1] * 1000:.0f} ms of {len(waits)}; when idle median "
        f"{sorted(idle)[5] * 1000:.0f} ms")
    service = Service("measured")
    steward = service.steward
    steward(f"redmine login http://127.0.0.1:{port}", key + "\n")
    whole = measure(
        f"{options.issues} issues, the mirror", lambda: steward("redmine link house"))
    link = json.loads(steward("redmine status --json"))["redmineLinks"][0]
    print(f"  {link['issues']} of them are here")
    print(
        f"  {slow / whole:.1f} times as fast as 25 a page; {whole / bare:.2f} times the issues, "
        f"{whole / same:.2f} times all that it asks of the server alone")
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
    for number in range(first + 100, first + options.issues, options.issues // 10):
        code, _ = ask(
            "PUT", f"/issues/{number}.json", {"issue": {"subject": f"Changed {number}"}},
            connection)
        assert code == 204, code
    measure("10 of them changed there, steward redmine sync", lambda: steward("redmine sync"))
    changed = steward("issue list --limit 1000 Changed --json").count('"Changed ')
    print(f"  {changed} of them are here")
    measure("nothing changed, steward redmine sync", lambda: steward("redmine sync"))
finally:
    if service:
        service.stop()
    redmine.stop()
    subprocess.run([f"{here}/redmine", "remove", str(port)], check=False)
    shutil.rmtree(scratch)
