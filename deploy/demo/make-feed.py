#!/usr/bin/env python3
"""Writes the demo: a made-up town's bus timetable (GTFS) and two recorded-looking rides on it.

    deploy/demo/make-feed.py            writes harbour-line/, ride.csv and ride.gpx beside itself

The same bytes come out each time. Kelsmouth does not exist; its coordinates are in the sea.
"""
import csv
import datetime
import math
import os
import random

HERE = os.path.dirname(os.path.abspath(__file__))
ORIGIN = (54.8520, -0.2310)
METRES_PER_DEGREE = 111_195.0
UTC = datetime.timezone.utc

# The course of each line: straight pieces (metres, 0) and bends (metres, degrees to the left).
HARBOUR = [
    (340, 0), (110, 48), (420, 0), (90, -62), (280, 12), (150, -38), (460, 0), (130, 74), (310, -9),
    (85, -80), (390, 0), (240, 34), (520, -14), (100, 66), (350, 0), (170, -52), (430, 10),
    (95, 58), (560, 0), (140, -71), (380, 16), (120, 40), (470, -11), (180, -46), (300, 0),
    (90, 77), (410, -8), (210, -33), (450, 0), (130, 51), (360, 9), (110, -64), (490, 0), (260, 25),
    (340, -12), (100, -43), (420, 0), (150, 35), (300, 0),
]
CASTLE = [
    (280, 0), (90, 55), (410, -10), (140, -70), (330, 14), (110, 62), (520, 0), (160, -48),
    (390, 8), (95, 71), (440, 0), (130, -36), (360, 0),
]

HARBOUR_STOPS = [
    "Lighthouse", "Ferry Terminal", "Rope Walk", "Fish Market", "Custom House", "Harbour Office",
    "Market Square", "Guildhall", "St Olave's Church", "Central Station", "Museum",
    "Castle Gate", "Castle Tunnel North", "Weavers Lane", "Mill Bridge", "General Hospital",
    "Brewery", "Tannery Row", "Old Market Lane", "Public Library", "Swimming Baths",
    "Grammar School", "Linden Avenue", "Allotments", "Observatory", "Hill Road",
]
CASTLE_STOPS = [
    "Central Station", "Market Square", "Theatre", "Castle Gate", "Keep Gardens", "Cattle Market",
    "University", "Botanical Garden", "North Quay",
]
# Metres along the harbour line: traffic lights, and the tunnel in which nothing is received.
LIGHTS = [610, 1420, 2480, 3350, 4590, 5830, 6640, 7480, 8390, 9120]


class Course:
    """A line on the plane, sampled about every 18 metres, that can be walked by distance."""

    def __init__(self, pieces, start, heading):
        x, y = start
        self.points = [(x, y)]
        for length, degrees in pieces:
            count = max(1, round(length / 18))
            for _ in range(count):
                heading += math.radians(degrees) / count / 2
                x += math.cos(heading) * length / count
                y += math.sin(heading) * length / count
                heading += math.radians(degrees) / count / 2
                self.points.append((x, y))
        self.measure()

    def measure(self):
        self.along = [0.0]
        for (ax, ay), (bx, by) in zip(self.points, self.points[1:]):
            self.along.append(self.along[-1] + math.hypot(bx - ax, by - ay))
        self.length = self.along[-1]

    def at(self, distance, right=0.0):
        """The point so many metres along, shifted to the right of the way."""
        distance = min(max(distance, 0.0), self.length)
        low, high = 0, len(self.along) - 1
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.along[middle] <= distance else (low, middle)
        (ax, ay), (bx, by) = self.points[low], self.points[high]
        span = self.along[high] - self.along[low]
        part = (distance - self.along[low]) / span
        dx, dy = (bx - ax) / span, (by - ay) / span
        return ax + (bx - ax) * part + dy * right, ay + (by - ay) * part - dx * right

    def back(self, detour):
        """The way back: on the other side of the street, and for a stretch through the next one."""
        course = Course.__new__(Course)
        first, last = detour
        course.points = []
        for distance in reversed(self.along):
            inside = min(distance - first, last - distance)
            aside = 7.0 + 55.0 * min(1.0, max(0.0, inside / 90.0))
            course.points.append(self.at(distance, right=-aside))
        course.measure()
        return course


def place(point):
    """Plane metres to latitude and longitude."""
    latitude = ORIGIN[0] + point[1] / METRES_PER_DEGREE
    scale = METRES_PER_DEGREE * math.cos(math.radians(ORIGIN[0]))
    return latitude, ORIGIN[1] + point[0] / scale


class Line:
    """One direction of a route: its course, and its stops with their distances along it."""

    def __init__(self, shape, headsign, course, stops, distances, number, step):
        self.shape, self.headsign, self.course = shape, headsign, course
        self.stops = [
            (str(number + step * index), name, distance)
            for index, (name, distance) in enumerate(zip(stops, distances))
        ]

    def seconds(self, index, slow):
        """Riding time to the next stop, without the dwell."""
        metres = self.stops[index + 1][2] - self.stops[index][2]
        cruise = limit((self.stops[index][2] + self.stops[index + 1][2]) / 2) * 0.9
        return (metres / cruise + cruise / 0.9 + 9) * slow


def limit(distance):
    """The usual speed at a place, metres per second: 30 to 45 km/h."""
    return (30 + 15 * (0.5 + 0.5 * math.sin(distance / 700))) / 3.6


def spread(course, names, seed):
    """Distances of the stops: evenly but for the tunnel, then moved by up to a sixth of the gap."""
    chance = random.Random(seed)
    gaps = [2.0 if name == "Castle Tunnel North" else 1.0 for name in names[1:]]
    gap = (course.length - 60) / sum(gaps)
    inner = [30 + gap * sum(gaps[:i]) + chance.uniform(-gap / 6, gap / 6)
             for i in range(1, len(names) - 1)]
    return [30.0] + inner + [course.length - 30]


def clock(seconds):
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"


def departures(weekend):
    """Every 15 minutes on weekdays until 20:00, else every 20; from 05:30 to 23:30."""
    time, times = 5 * 3600 + 1800, []
    while time <= 23 * 3600 + 1800:
        times.append(time)
        time += 900 if not weekend and time < 20 * 3600 else 1200
    return times


def lines():
    harbour = Course(HARBOUR, (0.0, 0.0), math.radians(118))
    marks = spread(harbour, HARBOUR_STOPS, 11)
    middle = harbour.at(marks[9], right=6)
    castle = Course(CASTLE, middle, math.radians(20))
    castle_marks = spread(castle, CASTLE_STOPS, 12)
    result = []
    for route, course, names, distances, detour, number, ends in (
        ("HL", harbour, HARBOUR_STOPS, marks, (2050, 3300), 4101, ("Hill Road", "Lighthouse")),
        ("CS", castle, CASTLE_STOPS, castle_marks, (900, 1500), 4201,
         ("North Quay", "Central Station")),
    ):
        out = Line(f"{route}-out", ends[0], course, names, distances, number, 2)
        way = course.back(detour)
        mirrored = [way.length * (1 - d / course.length) for d in reversed(distances)]
        back = Line(f"{route}-back", ends[1], way, names[::-1], mirrored, number + 1, 2)
        # The two signs at one place carry neighbouring numbers.
        count = len(names)
        back.stops = [
            (str(number + 1 + 2 * (count - 1 - i)), name, distance)
            for i, (_, name, distance) in enumerate(back.stops)
        ]
        result.append((route, out, back))
    return result


def write(folder, name, header, rows):
    with open(os.path.join(folder, name), "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def trips(routes):
    """Every trip: route, service, name, direction, line, [(stop index, arrival, departure)]."""
    for route, out, back in routes:
        for service, weekend in (("weekday", False), ("weekend", True)):
            for direction, line in enumerate((out, back)):
                for number, start in enumerate(departures(weekend)):
                    start += 420 * direction + (300 if route == "CS" else 0)
                    hour = start / 3600
                    rush = not weekend and (7 <= hour < 9 or 16 <= hour < 18.5)
                    slow = 1.02 if rush else 0.88 if hour < 6.5 or hour > 20 else 0.95
                    time, calls = float(start), []
                    for index in range(len(line.stops)):
                        arrival = int(time // 30 * 30)
                        dwell = 60 if line.stops[index][1] == "Central Station" and index else 20
                        time += dwell if index else 0
                        departure = max(arrival, int(time // 30 * 30))
                        calls.append((index, arrival, departure))
                        if index + 1 < len(line.stops):
                            time += line.seconds(index, slow)
                    name = f"{route}-{'we' if weekend else 'wd'}-{direction}-{number + 1:03d}"
                    yield route, service, name, direction, line, calls


def write_feed(folder, routes):
    os.makedirs(folder, exist_ok=True)
    write(folder, "agency.txt",
          ["agency_id", "agency_name", "agency_url", "agency_timezone", "agency_lang"],
          [["KT", "Kelsmouth Transit", "https://kelsmouth.example/", "Europe/London", "en"]])
    write(folder, "feed_info.txt",
          ["feed_publisher_name", "feed_publisher_url", "feed_lang", "feed_start_date",
           "feed_end_date", "feed_version"],
          [["Steward", "https://kelsmouth.example/", "en", "20250101", "20991231", "1"]])
    write(folder, "routes.txt",
          ["route_id", "agency_id", "route_short_name", "route_long_name", "route_type",
           "route_color", "route_text_color"],
          [["HL", "KT", "7", "Harbour Line", "3", "0B6E99", "FFFFFF"],
           ["CS", "KT", "12", "Castle Shuttle", "3", "8A3324", "FFFFFF"]])
    write(folder, "calendar.txt",
          ["service_id", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
           "sunday", "start_date", "end_date"],
          [["weekday", 1, 1, 1, 1, 1, 0, 0, "20250101", "20991231"],
           ["weekend", 0, 0, 0, 0, 0, 1, 1, "20250101", "20991231"]])
    holidays = []
    for year in range(2025, 2100):
        for month, day in ((1, 1), (12, 25), (12, 26)):
            date = datetime.date(year, month, day)
            if date.weekday() < 5:
                holidays.append(["weekday", date.strftime("%Y%m%d"), 2])
                holidays.append(["weekend", date.strftime("%Y%m%d"), 1])
    write(folder, "calendar_dates.txt", ["service_id", "date", "exception_type"], holidays)

    stops, shapes = {}, []
    for _, out, back in routes:
        for line in (out, back):
            for number, name, distance in line.stops:
                latitude, longitude = place(line.course.at(distance, right=4.5))
                stops[number] = [number, number, name, f"towards {line.headsign}",
                                 f"{latitude:.6f}", f"{longitude:.6f}", 0]
            for sequence, (point, along) in enumerate(zip(line.course.points, line.course.along)):
                latitude, longitude = place(point)
                shapes.append([line.shape, f"{latitude:.6f}", f"{longitude:.6f}", sequence + 1,
                               f"{along:.1f}"])
    write(folder, "stops.txt",
          ["stop_id", "stop_code", "stop_name", "stop_desc", "stop_lat", "stop_lon",
           "location_type"], [stops[number] for number in sorted(stops)])
    write(folder, "shapes.txt",
          ["shape_id", "shape_pt_lat", "shape_pt_lon", "shape_pt_sequence", "shape_dist_traveled"],
          shapes)
    rows, calls = [], []
    for route, service, name, direction, line, times in trips(routes):
        rows.append([route, service, name, line.headsign, direction, line.shape])
        for index, arrival, departure in times:
            number, _, distance = line.stops[index]
            calls.append([name, clock(arrival), clock(departure), number, index + 1,
                          f"{distance:.1f}"])
    write(folder, "trips.txt",
          ["route_id", "service_id", "trip_id", "trip_headsign", "direction_id", "shape_id"], rows)
    write(folder, "stop_times.txt",
          ["trip_id", "arrival_time", "departure_time", "stop_id", "stop_sequence",
           "shape_dist_traveled"], calls)


def drive(line, first, last, lights, chance, minutes):
    """Distance and speed of the bus, second by second, from one stop on."""
    distance, speed = line.stops[first][2], 0.0
    halts = [(stop[2], chance.uniform(14, 32)) for stop in line.stops[first + 1:last + 1]]
    halts += [(light, chance.uniform(12, 34)) for light in lights if chance.random() < 0.5]
    halts = sorted(halt for halt in halts if halt[0] > distance + 25)
    wait, track = 22.0, []
    for second in range(int(minutes * 60)):
        track.append((second, distance, speed))
        if wait > 0:
            wait -= 1
            continue
        ahead = halts[0][0] - distance if halts else line.course.length - distance
        driver = 1.0 + 0.08 * math.sin(second / 23.0)
        wanted = min(limit(distance) * 0.94 * driver, math.sqrt(max(0.0, 2 * 0.9 * ahead)))
        speed += max(-1.3, min(1.0, wanted - speed))
        distance += min(speed, ahead)
        if halts and halts[0][0] - distance < 1.5:
            wait, speed = halts.pop(0)[1], 0.0
        if distance >= line.course.length - 1:
            break
    return track


def record(line, track, start, period, tunnel, chance):
    """What a telephone writes down: positions with drifting noise, and nothing in the tunnel."""
    drift = [0.0, 0.0]
    keep = 0.93
    spread_of_step = 6.0 * math.sqrt(1 - keep * keep)
    left_tunnel = -1000
    rows, following = [], 0
    for second, distance, speed in track:
        drift = [keep * value + chance.gauss(0, spread_of_step) for value in drift]
        if tunnel[0] <= second < tunnel[1]:
            left_tunnel = tunnel[1]
            continue
        if second < following:
            continue
        following = second + chance.choice(period)
        since = second - left_tunnel
        worse = 2.6 if 0 <= since < 5 else 1.5 if 0 <= since < 12 else 1.0
        x, y = line.course.at(distance)
        latitude, longitude = place((x + drift[0] * worse, y + drift[1] * worse))
        accuracy = (7.0 + 2.5 * chance.random() + 0.25 * math.hypot(*drift)) * worse
        measured = max(0.0, speed + chance.gauss(0, 0.35)) if speed > 0.3 else \
            abs(chance.gauss(0, 0.08))
        time = (start + datetime.timedelta(seconds=second)).strftime("%Y-%m-%dT%H:%M:%SZ")
        rows.append((time, f"{latitude:.6f}", f"{longitude:.6f}", f"{accuracy:.1f}",
                     f"{measured:.2f}"))
    return rows


def through_tunnel(track, line, seconds):
    """The seconds without reception begin a little after the last stop before the tunnel."""
    distances = {name: distance for _, name, distance in line.stops}
    mouth = min(distances["Castle Gate"], distances["Castle Tunnel North"]) + 60
    entered = next(second for second, distance, _ in track if distance >= mouth)
    return entered, entered + seconds


def write_rides(routes):
    _, out, back = routes[0]
    chance = random.Random(2026)
    # Tuesday 07:30 from Lighthouse; the passenger gets on at Fish Market.
    track = drive(out, 3, 24, LIGHTS, chance, 24)
    start = datetime.datetime(2026, 5, 12, 6, 35, 50, tzinfo=UTC)
    rows = record(out, track, start, [1], through_tunnel(track, out, 70), chance)
    write(HERE, "ride.csv", ["time", "latitude", "longitude", "accuracy", "speed"], rows)
    tell("ride.csv", out, track)

    chance = random.Random(1872)
    # Saturday 14:47 from Hill Road, the other way; the telephone saves power.
    track = drive(back, 1, 23, [back.course.length - light for light in LIGHTS], chance, 23)
    start = datetime.datetime(2026, 5, 16, 13, 49, 5, tzinfo=UTC)
    rows = record(back, track, start, [2, 3, 3, 4, 5], through_tunnel(track, back, 70), chance)
    with open(os.path.join(HERE, "ride.gpx"), "w", encoding="utf-8") as file:
        file.write('<?xml version="1.0" encoding="UTF-8"?>\n'
                   '<gpx version="1.1" creator="make-feed.py" '
                   'xmlns="http://www.topografix.com/GPX/1/1">\n'
                   "  <trk>\n    <name>Harbour Line, made up</name>\n    <trkseg>\n")
        for time, latitude, longitude, _, _ in rows:
            file.write(f'      <trkpt lat="{latitude}" lon="{longitude}">'
                       f"<time>{time}</time></trkpt>\n")
        file.write("    </trkseg>\n  </trk>\n</gpx>\n")
    tell("ride.gpx", back, track)


def tell(name, line, track):
    """Says when the bus is at each stop, to choose a destination by."""
    print(f"{name}: {line.course.length:.0f} m of line, {track[-1][0] / 60:.1f} minutes")
    for number, stop, distance in line.stops:
        second = next((s for s, d, _ in track if d >= distance - 2), None)
        if second is not None and second > 0:
            print(f"  {number} {stop:<22} {second // 60:2d}:{second % 60:02d}")


if __name__ == "__main__":
    every = lines()
    write_feed(os.path.join(HERE, "harbour-line"), every)
    write_rides(every)
