"""A server that answers what a mirror reads of a large project as Redmine does, at once:
redmine_server.py ISSUES [TIMES [OTHERS [MEMBERS [NOTES [LENGTH]]]]]. It prints its port. Time
worked can be logged beside that in the JSON list TIMES; relations of the first ISSUES can be made
and deleted, and issues changed and deleted, but no notes added.
OTHERS is a JSON list of further issues, MEMBERS the number of people, NOTES the number of notes of
each issue and LENGTH that of their letters. An issue with a number of “refusals” refuses so many
changes, as if somebody else had just changed it.

It stands in for a real one only where the time that a server takes would hide that of the mirror.
"""

import itertools
import json
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlparse

count = int(sys.argv[1])
numbers = [int(text) for text in sys.argv[4:7]]
members, notes, length = numbers + [0, 150, 60_000][len(numbers) :]
project = {"id": 1, "name": "House"}


def issue(number):
    return {
        "id": number,
        "project": project,
        "tracker": {"id": 1, "name": "Bug"},
        "status": {"id": 1, "name": "New"},
        "priority": {"id": 2, "name": "Normal"},
        "author": {"id": 5, "name": "Ann Ahl"},
        "subject": f"Issue {number}",
        "description": "What is to be done. " * 20,
        "start_date": "2027-03-01",
        "due_date": "2027-03-02",
        "done_ratio": 0,
        "updated_on": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(1_767_571_200 + number)),
        "relations": [],
    }


issues = [issue(number) for number in range(1, count + 1)]
relations = itertools.count(1)
issues += json.loads(sys.argv[3] if sys.argv[3:] else "[]")
lists = {
    "/issue_statuses.json": ("issue_statuses", [{"id": 1, "name": "New", "is_closed": False}]),
    "/enumerations/issue_priorities.json": ("issue_priorities", [{"id": 2, "name": "Normal"}]),
    "/enumerations/time_entry_activities.json": (
        "time_entry_activities",
        [{"id": 9, "name": "Development", "is_default": True}],
    ),
    "/projects/1/versions.json": ("versions", []),
    "/projects/1/memberships.json": (
        "memberships",
        [{"user": {"id": number, "name": f"Ann {number}"}} for number in range(1, members + 1)],
    ),
    "/time_entries.json": ("time_entries", json.loads(sys.argv[2] if sys.argv[2:] else "[]")),
}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, value, code=200):
        body = json.dumps(value).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def answer_relation(self, number):
        for one in issues[:count]:
            for each in one["relations"]:
                if each["id"] == number:
                    return self.answer({"relation": each})
        self.answer({}, 404)

    def answer_notes(self, number):
        """Answers an issue with its notes, usually 9 MB."""
        if number > len(issues) or issues[number - 1].get("id") != number:
            self.send_response(404)
            self.send_header("Content-Length", "0")
            return self.end_headers()
        note = {
            "user": {"id": 5, "name": "Ann Ahl"},
            "notes": "n" * length,
            "created_on": "2026-01-05T20:00:00Z",
            "private_notes": False,
        }
        journals = [note | {"id": number * 10_000 + place} for place in range(notes)]
        self.answer({"issue": issues[number - 1] | {"journals": journals}})

    def relate(self, first, given):
        ends = [first, given["issue_to_id"]]
        if given["relation_type"] == "relates":
            ends.sort()
        made = {
            "id": next(relations),
            "issue_id": ends[0],
            "issue_to_id": ends[1],
            "relation_type": given["relation_type"],
            "delay": given.get("delay"),
        }
        for number in ends:
            issues[number - 1]["relations"].append(made)
        self.answer({"relation": made}, 201)

    def do_DELETE(self):
        kind, number = self.path.removesuffix(".json").split("/")[1:]
        if kind == "issues":
            issues[int(number) - 1] = {}
        else:
            for one in issues[:count]:
                one["relations"] = [each for each in one["relations"] if each["id"] != int(number)]
        self.send_response(204)
        self.end_headers()

    def do_PUT(self):
        change = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["issue"]
        if "notes" in change:
            return self.send_error(501)
        one = issues[int(self.path[len("/issues/") : -len(".json")]) - 1]
        if one.get("refusals", 0) > 0:
            one["refusals"] -= 1
            return self.answer({"errors": []}, 422)
        one.update(change)
        self.send_response(204)
        self.end_headers()

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path.endswith("/relations.json"):
            return self.relate(int(self.path.split("/")[2]), json.loads(body)["relation"])
        if self.path != "/time_entries.json":
            self.send_response(403)
            self.send_header("Content-Length", "0")
            return self.end_headers()
        given = json.loads(body)["time_entry"]
        times = lists[self.path][1]
        made = {
            "id": max([time["id"] for time in times], default=0) + 1,
            "project": project,
            "issue": {"id": given["issue_id"]},
            "user": {"id": given["user_id"], "name": "Ann Ahl"},
            "spent_on": given["spent_on"],
            "hours": given["hours"],
            "comments": given.get("comments", ""),
        }
        times.append(made)
        self.answer({"time_entry": made}, 201)

    def do_GET(self):
        address = urlparse(self.path)
        query = {name: values[0] for name, values in parse_qs(address.query).items()}
        if address.path == "/users/current.json":
            return self.answer({"user": {"id": 5, "login": "ann", "api_key": "key"}})
        if address.path in ("/projects/1.json", "/projects/house.json"):
            trackers = [{"id": 1, "name": "Bug"}]
            return self.answer(
                {"project": project | {"identifier": "house", "trackers": trackers}}
            )
        if address.path.startswith("/issues/"):
            return self.answer_notes(int(address.path[len("/issues/") : -len(".json")]))
        if address.path.startswith("/relations/"):
            return self.answer_relation(int(address.path[len("/relations/") : -len(".json")]))
        if address.path.startswith("/time_entries/"):
            number = int(address.path[len("/time_entries/") : -len(".json")])
            times = lists["/time_entries.json"][1]
            return self.answer({"time_entry": next(t for t in times if t["id"] == number)})
        name, found = lists.get(address.path) or ("issues", issues)
        if name == "issues":
            since = query.get("updated_on", "").removeprefix(">=")
            found = [one for one in found if one and one["updated_on"] >= since]
            if query.get("sort") == "updated_on:desc":
                found = sorted(found, key=lambda one: one["updated_on"], reverse=True)
            elif query.get("sort") == "updated_on,id":
                found = sorted(found, key=lambda one: (one["updated_on"], one["id"]))
            found = [] if "notes" in query else found
        limit, offset = int(query.get("limit", 25)), int(query.get("offset", 0))
        self.answer(
            {
                name: found[offset : offset + limit],
                "total_count": len(found),
                "offset": offset,
                "limit": limit,
            }
        )

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
print(server.server_address[1], flush=True)
server.serve_forever()
