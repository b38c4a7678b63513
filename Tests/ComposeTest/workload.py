"""Rides many buses at once, records what was acknowledged, and checks that none of it is lost."""
import csv
import datetime
import threading
import time

from bus import Client, new_id, text


def fixes(path, transit):
    """The positions of a recorded ride."""
    with open(path, encoding="ascii") as file:
        for row in csv.DictReader(file):
            moment = datetime.datetime.fromisoformat(row["time"].replace("Z", "+00:00"))
            yield transit.Fix(
                time=int(moment.timestamp() * 1000),
                place=transit.Coordinate(
                    latitude_e7=round(float(row["latitude"]) * 1e7),
                    longitude_e7=round(float(row["longitude"]) * 1e7)),
                accuracy=round(float(row["accuracy"]) * 10),
                speed=round(float(row["speed"]) * 100))


class Workload:
    """Passengers, each of whom rides again and again until told to stop."""

    speed = 200
    chunk = 50

    def __init__(self, modules, ride, connect, passengers=6):
        self.transit = modules["transit"]
        self.fixes = list(fixes(ride, self.transit))
        self.acknowledged = {}
        self.errors = []
        self.stopping = threading.Event()
        self.threads = [
            threading.Thread(target=self._passenger, args=[connect]) for _ in range(passengers)]

    def start(self):
        for thread in self.threads:
            thread.start()

    def stop(self):
        """Lets every passenger finish the ride."""
        self.stopping.set()
        for thread in self.threads:
            thread.join()

    def _passenger(self, connect):
        try:
            client = connect()
            while not self.stopping.is_set():
                self.ride(client)
        except Exception as error:  # reported by `check`
            self.errors.append(error)

    def ride(self, client):
        """Takes one ride to its end, and returns the journey's id."""
        transit = self.transit
        identifier = new_id()
        journey = client.ask(
            transit.StartJourney(
                feed="harbour-line", stop_id="4131",
                clock=transit.JourneyClock(origin=self.fixes[0].time, speed=self.speed),
                policy=2),
            transit.Journey, identifier)
        assert journey.id == text(identifier), "the journey has another id"
        begun, count = time.monotonic(), 0
        for first in range(0, len(self.fixes), self.chunk):
            some = self.fixes[first:first + self.chunk]
            due = begun + (some[-1].time - self.fixes[0].time) / 1000 / self.speed
            time.sleep(max(0, due - time.monotonic()))
            journey = client.ask(
                transit.RecordPositions(journey_id=journey.id, fixes=some), transit.Journey)
            if journey.stage == transit.STAGE_FINISHED:
                break
            count = journey.fixes
        if journey.stage != transit.STAGE_FINISHED:
            journey = client.ask(
                transit.FinishJourney(journey_id=journey.id), transit.Journey)
        self.acknowledged[journey.id] = count
        return journey.id


def check(workload, modules, transit_client, notifier_client):
    """The problems: something that was acknowledged is lost, or an alert was raised more than
    once."""
    transit, alert = modules["transit"], modules["alert"]
    problems = [f"a passenger gave up: {error}" for error in workload.errors]
    for journey, count in workload.acknowledged.items():
        found = transit_client.ask(transit.ReadJourney(journey_id=journey), transit.Journey)
        if found.stage != transit.STAGE_FINISHED:
            problems.append(f"journey {journey} was finished and is not")
        if found.fixes < count:
            problems.append(f"journey {journey} had {count} positions and has {found.fixes}")
    notices, page = [], None
    while page is None or page.notices:
        after = notices[-1].feed_sequence if notices else 0
        page = notifier_client.ask(alert.ReadFeed(after=after, limit=500), alert.FeedPage)
        notices += page.notices
    numbers = [notice.feed_sequence for notice in notices]
    if numbers != list(range(1, len(numbers) + 1)):
        problems.append("the feed of alerts has gaps")
    raised, kinds = {}, {}
    for notice in notices:
        if notice.reason == alert.AlertNotice.REASON_RAISED:
            key = notice.alert.raised.key
            raised[key] = raised.get(key, 0) + 1
            kinds.setdefault(notice.alert.raised.subject, set()).add(notice.alert.raised.kind)
    doubled = [key for key, count in raised.items() if count > 1]
    if doubled:
        problems.append(f"{len(doubled)} alerts were raised more than once")
    silent = [one for one in workload.acknowledged if "transit.now" not in kinds.get(one, ())]
    if silent:
        problems.append(f"{len(silent)} of {len(workload.acknowledged)} rides were not alerted")
    return problems, len(raised)


__all__ = ["Client", "Workload", "check"]
