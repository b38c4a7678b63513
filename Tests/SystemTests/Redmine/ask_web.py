"""Sends a request to an HTTP server: ask_web.py METHOD ADDRESS KEY [BODY]. Prints the code and the
response."""
import sys
import urllib.error
import urllib.request

method, address, key, *body = sys.argv[1:]
request = urllib.request.Request(
    address, method=method, data=body[0].encode() if body else None,
    headers={"X-Redmine-API-Key": key, "Content-Type": "application/json"})
try:
    with urllib.request.urlopen(request, timeout=300) as reply:
        print(reply.status, reply.read().decode())
except urllib.error.HTTPError as error:
    print(error.code, error.read().decode())
except (urllib.error.URLError, OSError):
    print(0)
