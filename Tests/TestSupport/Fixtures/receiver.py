"""A satellite receiver on TCP: receiver.py RIDE.csv SPEED [--silent FILE].

To everybody who connects it writes the ride as NMEA sentences, SPEED times faster than it was
recorded; all hear the same moment of the ride, which begins with the first connection. While FILE
exists, it writes nothing.
"""

import argparse
import csv
import datetime
import os
import socket
import threading
import time

arguments = argparse.ArgumentParser()
arguments.add_argument("ride")
arguments.add_argument("speed", type=float)
arguments.add_argument("--silent", default="")
options = arguments.parse_args()


def seconds(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


with open(options.ride, encoding="utf-8") as file:
    ride = [
        (seconds(row["time"]), float(row["latitude"]), float(row["longitude"]))
        for row in csv.DictReader(file)
    ]
began = None
lock = threading.Lock()


def sentence(body):
    total = 0
    for byte in body.encode():
        total ^= byte
    return f"${body}*{total:02X}\r\n"


def degrees(value, digits, sides):
    side = sides[value < 0]
    whole, part = divmod(abs(value), 1)
    return f"{int(whole):0{digits}d}{part * 60:08.5f},{side}"


def position(at, latitude, longitude):
    when = datetime.datetime.fromtimestamp(at, datetime.timezone.utc)
    clock = when.strftime("%H%M%S.00")
    place = degrees(latitude, 2, "NS") + "," + degrees(longitude, 3, "EW")
    return sentence(f"GPGGA,{clock},{place},1,09,1.0,10.0,M,,M,,") + sentence(
        f"GPRMC,{clock},A,{place},,,{when.strftime('%d%m%y')},,,A"
    )


def serve(client):
    global began
    with lock:
        began = began or time.monotonic()
    sent = -1
    try:
        while True:
            now = ride[0][0] + (time.monotonic() - began) * options.speed
            due = sum(1 for fix in ride if fix[0] <= now) - 1
            if due > sent and not (options.silent and os.path.exists(options.silent)):
                # The receiver's own clock shows the present, not that of the recording.
                _, latitude, longitude = ride[due]
                client.sendall(position(time.time(), latitude, longitude).encode())
            sent = due
            time.sleep(0.05)
    except OSError:
        pass


server = socket.create_server(("127.0.0.1", 0))
print(f"port {server.getsockname()[1]}", flush=True)
while True:
    threading.Thread(target=serve, args=(server.accept()[0],), daemon=True).start()
