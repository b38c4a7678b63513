"""A ride as phones and agencies publish it: live_ride.py RIDE.csv SPEED owntracks|FEED.pb [TRIP].

With `owntracks` it prints the messages of OwnTracks, one a line, for mosquitto_pub -l. Otherwise it
writes the file again and again: a GTFS-Realtime feed with the vehicle `bus-7`, labelled `7007`, on
TRIP, beside a vehicle on another trip. The ride runs SPEED times faster than it was recorded, and
each time is that of the wall clock.
"""

import csv
import datetime
import json
import os
import struct
import sys
import time

path, speed, target = sys.argv[1], float(sys.argv[2]), sys.argv[3]
trip = sys.argv[4] if len(sys.argv) > 4 else ""


def seconds(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def varint(number):
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def field(number, data):
    return varint(number << 3 | 2) + varint(len(data)) + data


def number(field_number, value):
    return varint(field_number << 3) + varint(value)


def decimal(field_number, value):
    return varint(field_number << 3 | 5) + struct.pack("<f", value)


def entity(name, label, trip, latitude, longitude, at):
    # As an agency writes it: with fields that Steward doesn't read.
    place = decimal(1, latitude) + decimal(2, longitude) + decimal(3, 90.0)
    vehicle = field(1, field(1, trip.encode()) + field(5, b"7")) + field(2, place)
    vehicle += number(4, 2) + number(5, int(at))
    vehicle += field(8, field(1, name) + field(2, label))
    return field(2, field(1, name) + field(4, vehicle))


with open(path, encoding="utf-8") as file:
    ride = [
        (seconds(row["time"]), float(row["latitude"]), float(row["longitude"]))
        for row in csv.DictReader(file)
    ]
began = time.time()
while True:
    moment = ride[0][0] + (time.time() - began) * speed
    past = [row for row in ride if row[0] <= moment]
    _, latitude, longitude = past[-1]
    now = time.time()
    if target == "owntracks":
        message = {"_type": "location", "lat": latitude, "lon": longitude, "tst": int(now)}
        print(json.dumps(message | {"acc": 10, "vel": -1, "tid": "an"}), flush=True)
    else:
        header = field(1, field(1, b"2.0") + number(2, 0) + number(3, int(now)))
        # The position differs with each writing, so that a feed that stands still is noticed.
        other = entity(b"bus-6", b"6006", "another", 1.0, 1.0, now)
        with open(target + ".new", "wb") as file:
            ridden = entity(b"bus-7", b"7007", trip, latitude, longitude, now)
            file.write(header + other + ridden)
        os.replace(target + ".new", target)
    if len(past) == len(ride):
        break
    time.sleep(0.5)
