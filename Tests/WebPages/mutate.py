"""Sends mutated requests to a server, each on a connection of its own from another address of this
machine: mutate.py PORT COUNT SEED [COOKIE]. Prints how often each status came, and fails if one is
500 or the server doesn't answer."""
import collections
import random
import select
import socket
import struct
import sys
import time

PORT, COUNT, SEED = (int(it) for it in sys.argv[1:4])
COOKIE = sys.argv[4] if len(sys.argv) > 4 else "steward=" + "ab" * 32
HOST = f"127.0.0.1:{PORT}"
PATIENCE = 180
# The number of connections open at a time.
WIDTH = 64

OPERATIONS = (
    '{"operations":[{"id":"01a20724d52d7112ad883525653e35da","shift":"x","device":"d",'
    '"deviceSequence":1,"deviceTime":1790000000000,"seen":0,"actor":"","actorName":"",'
    '"sequence":0,"time":0,"late":false,"change":{"mark":{"task":"t","finding":"ok"}}}],'
    '"deviceHead":1}')
POSITIONS = (
    '{"id":"01a20724d52d7112ad883525653e35da","positions":[{"time":1790000000000,'
    '"latitude":54.8,"longitude":-0.2,"accuracy":8,"speed":1.5}]}')


def request(method, path, body="", kind="application/x-www-form-urlencoded", *more):
    lines = [f"{method} {path} HTTP/1.1", f"Host: {HOST}", f"Cookie: {COOKIE}; look=dark"]
    if method == "POST":
        lines += ["Sec-Fetch-Site: same-origin", f"Content-Type: {kind}",
                  f"Content-Length: {len(body.encode())}"]
    return ("\r\n".join([*lines, *more, "", ""]) + body).encode()


SEEDS = [
    request("GET", "/"), request("GET", "/login?next=%2Falerts&out=1"),
    request("GET", "/files/0123456789abcdef/steward.css"), request("GET", "/sw.js"),
    request("GET", "/", "", "", "Accept-Language: nb;q=0.9, sv;q=0.8", "Accept-Encoding: gzip"),
    request("GET", "/board/Harbour"), request("GET", "/alerts/stream"), request("GET", "/gallery"),
    request("GET", "/plans?text=home"), request("GET", "/plan/x?chosen=1&labels=yes"),
    request("GET", "/ride/stops?text=gen", "", "", "Steward-Account: x"),
    request("GET", "/ride/x/alerts?since=5", "", "", "Steward-Account: x"),
    request("GET", "/operations/x?after=0&device=d&deviceHead=1", "", "", "Steward-Account: x"),
    request("POST", "/login", "name=kari&password=secret&next=%2F&stay=yes"),
    request("POST", "/look", "look=dark&next=%2F"), request("POST", "/alerts/x/acknowledge"),
    request("POST", "/operations", OPERATIONS, "application/json", "Steward-Account: x"),
    request("POST", "/ride/x/positions", POSITIONS, "application/json", "Steward-Account: x"),
    request("HEAD", "/health"), request("GET", "/health", "", "", "Connection: keep-alive"),
    request("POST", "/look", "4\r\nlook\r\n0\r\n\r\n").replace(
        b"Content-Length: 19", b"Transfer-Encoding: chunked"),
]
PIECES = [
    b"\r\n", b"\n", b"\0", b":", b" ", b"\t", b"%00", b"%", b"%2e%2e/", b"..", b"/", b"//", b"?",
    b"&" * 200, b"=" * 50, b"a" * 9000, b"Content-Length: -1\r\n", b"Content-Length: 3\r\n",
    b"Transfer-Encoding: chunked\r\n", b"Host: evil\r\n", b"X: y\r\n" * 120, b"\xff\xfe",
    "\u202e\U0001f600".encode(), b"[" * 2000, b'{"a":' * 300, b"1e999", b"99999999999999999999",
    b"-9223372036854775808", b"nan", b"\xed\xa0\x80", b"HTTP/0.9", b"HTTP/2.0", b"*",
]


def mutated(chance):
    data = bytearray(chance.choice(SEEDS))
    for _ in range(chance.choice([1, 1, 1, 2, 3, 8])):
        at = chance.randrange(len(data) + 1)
        end = min(len(data), at + chance.choice([1, 1, 2, 5, 40]))
        kind = chance.randrange(6)
        if kind == 0:
            data[at:at] = chance.choice(PIECES)
        elif kind == 1:
            del data[at:end]
        elif kind == 2 and at < len(data):
            data[at] ^= 1 << chance.randrange(8)
        elif kind == 3:
            data[at:at] = data[at:end]
        elif kind == 4:
            data[at:end] = bytes(chance.randrange(256) for _ in range(end - at))
        else:
            other = chance.choice(SEEDS)
            data[at:end] = other[chance.randrange(len(other)):][:end - at + 20]
    return bytes(data)


def begin(chance):
    """Sends a mutated request on a new connection, from a local address of its own."""
    data = mutated(chance)
    peer = socket.socket()
    # Reset the connection at its end, so that no port stays in use.
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    peer.bind((f"127.{chance.randrange(1, 255)}.{chance.randrange(256)}.{chance.randrange(1, 255)}",
               0))
    peer.connect(("127.0.0.1", PORT))
    peer.setblocking(False)
    try:
        if peer.send(data) < len(data):
            raise RuntimeError("a request is too long to be sent at once")
        peer.shutdown(socket.SHUT_WR)
    except ConnectionError:
        pass  # An answer that it has already sent can still be read.
    return peer, data, time.monotonic() + PATIENCE


def end(peer, data, counts):
    try:
        answer = peer.recv(64)
    except ConnectionError:
        answer = b""
    peer.close()
    status = answer[9:12].decode("latin-1") if answer.startswith(b"HTTP/1.1 ") else "closed"
    counts[status] += 1
    if status == "500":
        print("500:", data, file=sys.stderr)


def main():
    chance, counts = random.Random(SEED), collections.Counter()
    events, waiting = select.epoll(), {}
    left = COUNT
    while left or waiting:
        while left and len(waiting) < WIDTH:
            left -= 1
            sent = begin(chance)
            waiting[sent[0].fileno()] = sent
            events.register(sent[0], select.EPOLLIN)
        for file, _ in events.poll(1):
            peer, data, _ = waiting.pop(file)
            events.unregister(file)
            end(peer, data, counts)
        now = time.monotonic()
        # The first is the oldest.
        while waiting and (oldest := next(iter(waiting.values())))[2] < now:
            del waiting[oldest[0].fileno()]
            oldest[0].close()
            counts["silent"] += 1
            print("silent:", oldest[1], file=sys.stderr)
    print(" ".join(f"{status}={count}" for status, count in sorted(counts.items())))
    sys.exit(1 if counts["500"] or counts["silent"] else 0)


main()
