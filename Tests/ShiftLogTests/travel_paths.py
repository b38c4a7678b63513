"""A second implementation of local times and travel paths, with Python's zoneinfo.

Reads one case per line of standard input, as JSON, and writes one answer per line:
  {"zone", "started", "evening", "minutes", "interval", "late", "ended",
   "walks": [[server, device, done]], "times"}
  {"date", "first", "slots": [[due, state]], "times": [instant]}
Times are in milliseconds since 1970, minutes are counted from local midnight. When a walk was done
is by the service's clock, and 0 if that isn't known.
"""

import json
import sys
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo


def local(zone, milliseconds):
    """The local time, without a zone."""
    return datetime.fromtimestamp(milliseconds // 1000, zone).replace(tzinfo=None, fold=0)


def instant(zone, day, minutes):
    """When the clock first shows this local time, or has just skipped it."""
    wanted = datetime(day.year, day.month, day.day) + timedelta(minutes=minutes)
    guess = int(wanted.replace(tzinfo=zone, fold=0).astimezone(timezone.utc).timestamp())
    if local(zone, guess * 1000) == wanted:
        return guess * 1000
    # The clock skips it: try each of the minutes around it.
    for second in range(guess - 4 * 3600, guess + 4 * 3600, 60):
        if local(zone, second * 1000) >= wanted:
            return second * 1000
    raise ValueError(f"{zone} never reaches {wanted}")


def first_instant(zone, minutes, bound):
    """The first instant from the bound on at which the clock shows this many minutes."""
    day = local(zone, bound).date()
    today = instant(zone, day, minutes)
    return today if today >= bound else instant(zone, day + timedelta(days=1), minutes)


def first_due(zone, case):
    """The time of the part of the day on the date of the start, or the next one after the start.

    An evening shift that begins more than twelve hours before it belongs to the evening before.
    """
    day = local(zone, case["started"]).date()
    due = instant(zone, day, case["minutes"])
    if case["evening"] and due - case["started"] > 12 * 3_600_000:
        due = instant(zone, day - timedelta(days=1), case["minutes"])
    while due < case["started"]:
        due += case["interval"] * 60_000
    return due


def walked_at(case, server, device, done):
    """The time of a walk: when it was made if it was received more than a minute later."""
    made = done if done else device
    return made if server - made > 60_000 and made >= case["started"] else server


def slots(first, case):
    """Every travel path of the shift, and what became of it."""
    step, late, ended = case["interval"] * 60_000, case["late"] * 60_000, case["ended"]
    walked = {}
    for time in sorted(walked_at(case, *walk) for walk in case["walks"]):
        begun = [number for number in range(400) if first + number * step <= time]
        number = begun[-1] if begun else -1
        if begun and number not in walked:
            walked[number] = time
        elif first + (number + 1) * step - time <= step // 6:
            walked.setdefault(number + 1, time)
    found = []
    due, number = first, 0
    while due < ended:
        if number in walked:
            found.append([due, "done" if walked[number] < due + late else "late"])
        elif min(due + step, due + late) <= ended:
            found.append([due, "missed"])
        due, number = due + step, number + 1
    return found


for line in sys.stdin:
    case = json.loads(line)
    zone = ZoneInfo(case["zone"])
    first = first_due(zone, case)
    print(
        json.dumps(
            {
                "date": local(zone, case["started"]).date().isoformat(),
                "first": first,
                "slots": slots(first, case),
                "times": [
                    first_instant(zone, minutes, case["started"] - 6 * 3_600_000)
                    for minutes in case["times"]
                ],
            }
        )
    )
