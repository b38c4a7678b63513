#!/usr/bin/env python3
"""Judges what a check of a plan lets pass, by brute force and by definition.

It shares no code and no method with AccessRules: circles are sought square by square, rectangles by
trying angles, doors by turning their leaves, and paths by flooding a grid. It looks for one error
only: something that passes although it doesn't fit.

Reads one JSON object a line: a room, what is in it, its doors, and what passed there ("claims").
Writes a line for each claim that is wrong, and at the end how many claims it has judged.
"""
import heapq
import json
import math
import sys

# Millimetres by which a claim may be wrong: a measure is computed to a hundredth.
SLACK = 0.02


def rectangle(x, y, width, depth, degrees):
    turn = math.radians(degrees)
    ux, uy = math.cos(turn), math.sin(turn)
    return [
        (x + ux * a * width / 2 - uy * b * depth / 2, y + uy * a * width / 2 + ux * b * depth / 2)
        for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]


def sides(corners):
    return list(zip(corners, corners[1:] + corners[:1]))


def inside(corners, x, y):
    odd = False
    for (ax, ay), (bx, by) in sides(corners):
        if (ay > y) != (by > y) and x < ax + (bx - ax) * (y - ay) / (by - ay):
            odd = not odd
    return odd


def to_side(a, b, x, y):
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy
    share = ((x - a[0]) * dx + (y - a[1]) * dy) / square if square else 0
    share = min(max(share, 0), 1)
    return math.hypot(x - a[0] - share * dx, y - a[1] - share * dy)


class Leaf:
    """The leaf of a door, from the definition: hinges at the wall's face, a frame on both sides."""

    def __init__(self, door):
        (ax, ay), (bx, by) = door["wall"]
        length = math.hypot(bx - ax, by - ay)
        along = ((bx - ax) / length, (by - ay) / length)
        left = (-along[1], along[0])
        self.radius = door["leaf"]
        frame = (door["width"] - self.radius) / 2
        way = door["offset"] + (door["width"] - frame if door["atEnd"] else frame)
        sign = -1 if door["right"] else 1
        self.open = (sign * left[0], sign * left[1])
        self.shut = (-along[0], -along[1]) if door["atEnd"] else along
        half = door["thickness"] / 2
        self.hinges = (
            ax + along[0] * way + self.open[0] * half,
            ay + along[1] * way + self.open[1] * half,
        )

    def local(self, x, y):
        x, y = x - self.hinges[0], y - self.hinges[1]
        return (
            x * self.shut[0] + y * self.shut[1],
            x * self.open[0] + y * self.open[1],
        )

    def distance(self, x, y):
        """The distance from the quarter of a circle that it sweeps; 0 inside."""
        u, v = self.local(x, y)
        if u >= 0 and v >= 0:
            return max(math.hypot(u, v) - self.radius, 0)
        return min(
            to_side((0, 0), (self.radius, 0), u, v), to_side((0, 0), (0, self.radius), u, v)
        )

    def gap(self, corners):
        """How far a convex outline is from the quarter of a circle, negative if it is in it."""
        kept = [self.local(x, y) for x, y in corners]
        for axis in (0, 1):
            cut = []
            for a, b in sides(kept):
                if a[axis] >= 0:
                    cut.append(a)
                if (a[axis] < 0) != (b[axis] < 0):
                    share = a[axis] / (a[axis] - b[axis])
                    cut.append((a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])))
            kept = cut
            if not kept:
                return math.inf
        width = max(u for u, v in kept) - min(u for u, v in kept)
        height = max(v for u, v in kept) - min(v for u, v in kept)
        if min(width, height) <= SLACK:
            return math.inf
        nearest = 0 if inside(kept, 1e-7, 1e-7) else min(
            to_side(a, b, 0, 0) for a, b in sides(kept)
        )
        return nearest - self.radius


class Room:
    def __init__(self, case):
        self.outline = [tuple(corner) for corner in case["outline"]]
        self.things = [t for t in case["things"] if t["solid"]]
        self.doors = case["doors"]
        self.leaves = [Leaf(door) for door in self.doors if door["opensInto"]]

    def solid(self, knees):
        return [
            rectangle(t["x"], t["y"], t["width"], t["depth"], t["angle"])
            for t in self.things
            if t["elevation"] < knees
        ]

    def clearance(self, solid, leaves):
        edges = sides(self.outline)

        def clear(x, y):
            least = min(to_side(a, b, x, y) for a, b in edges)
            if not inside(self.outline, x, y):
                return -least
            for corners in solid:
                way = min(to_side(a, b, x, y) for a, b in sides(corners))
                least = min(least, -way if inside(corners, x, y) else way)
            for leaf in leaves:
                least = min(least, leaf.distance(x, y))
            return least

        return clear

    def bounds(self):
        xs, ys = zip(*self.outline)
        return min(xs), min(ys), max(xs), max(ys)

    def has_circle(self, diameter, knees):
        clear = self.clearance(self.solid(knees), self.leaves)
        wanted = diameter / 2 - SLACK / 2
        low_x, low_y, high_x, high_y = self.bounds()
        half = max(high_x - low_x, high_y - low_y) / 2
        middle = ((low_x + high_x) / 2, (low_y + high_y) / 2)
        heap = [(-math.inf, half, middle)]
        for _ in range(100_000):
            if not heap:
                return False
            _, half, (x, y) = heapq.heappop(heap)
            found = clear(x, y)
            if found >= wanted:
                return True
            # No place in the square has more than this.
            most = found + half * math.sqrt(2)
            if most < wanted:
                continue
            half /= 2
            for a, b in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
                heapq.heappush(heap, (-most, half, (x + a * half, y + b * half)))
        return True

    def rectangle_gap(self, solid, corners):
        """How far a rectangle is from everything, negative if it hits something."""
        least = math.inf
        x = sum(c[0] for c in corners) / 4
        y = sum(c[1] for c in corners) / 4
        if not inside(self.outline, x, y):
            return -math.inf
        for other in [[a, b] for a, b in sides(self.outline)] + solid:
            most = -math.inf
            for one in (corners, other):
                for (ax, ay), (bx, by) in sides(one):
                    length = math.hypot(bx - ax, by - ay)
                    nx, ny = (by - ay) / length, (ax - bx) / length
                    first = [nx * p + ny * q for p, q in corners]
                    second = [nx * p + ny * q for p, q in other]
                    most = max(most, min(second) - max(first), min(first) - max(second))
            least = min(least, most)
        for leaf in self.leaves:
            least = min(least, leaf.gap(corners))
        return least

    def has_rectangle(self, short, long, knees, at):
        solid = self.solid(knees)

        def gap(place):
            return self.rectangle_gap(solid, rectangle(place[0], place[1], short, long, place[2]))

        # The angle isn't known, the place is known to a millimetre.
        starts = heapq.nlargest(
            4, ((gap((at[0], at[1], turn / 2)), turn / 2) for turn in range(360))
        )
        for best, turn in starts:
            place, step = (at[0], at[1], turn), 1.0
            while step > 1e-5 and best < -SLACK:
                better = False
                for way in range(26):
                    way += way >= 13
                    change = (way % 3 - 1, way // 3 % 3 - 1, way // 9 - 1)
                    other = (
                        place[0] + change[0] * step,
                        place[1] + change[1] * step,
                        place[2] + change[2] * step / 4,
                    )
                    value = gap(other)
                    if value > best:
                        best, place, better = value, other, True
                if not better:
                    step /= 2
            if best >= -SLACK:
                return True
        return False

    def width_of(self, number):
        """The width that a door leaves, opened as far as what stands there lets it."""
        door = self.doors[number]
        leaf = Leaf(door)
        cores = [
            rectangle(t["x"], t["y"], t["width"] - 1.5, t["depth"] - 1.5, t["angle"])
            for t in self.things
            if t["elevation"] < 2000
        ]
        for step in range(1801):
            turn = math.radians(step / 20)
            for share in range(1, 61):
                way = leaf.radius * share / 60
                u, v = way * math.cos(turn), way * math.sin(turn)
                x = leaf.hinges[0] + leaf.shut[0] * u + leaf.open[0] * v
                y = leaf.hinges[1] + leaf.shut[1] * u + leaf.open[1] * v
                if any(inside(core, x, y) for core in cores):
                    return max(door["clear"] - leaf.radius * math.cos(turn), 0)
        return door["clear"]

    def has_path(self, width, knees, from_line, to_lines, step=25):
        """False if not even a disc that is smaller by half a square's diagonal gets there."""
        clear = self.clearance(self.solid(max(knees, 2000)), [])
        least = width / 2 - step * 0.71
        low_x, low_y, high_x, high_y = self.bounds()
        columns = int((high_x - low_x) / step) + 2
        rows = int((high_y - low_y) / step) + 2
        free, start, goal = set(), [], set()
        for row in range(rows):
            for column in range(columns):
                x, y = low_x + column * step, low_y + row * step
                if clear(x, y) < least:
                    continue
                free.add((row, column))
                if to_side(*from_line, x, y) <= width / 2 + step:
                    start.append((row, column))
                if any(to_side(*line, x, y) <= width / 2 + step for line in to_lines):
                    goal.add((row, column))
        seen = set(start)
        while start:
            place = start.pop()
            if place in goal:
                return True
            for a in (-1, 0, 1):
                for b in (-1, 0, 1):
                    near = (place[0] + a, place[1] + b)
                    if near in free and near not in seen:
                        seen.add(near)
                        start.append(near)
        return False

    def holds(self, claim):
        kind = claim["kind"]
        if kind == "circle":
            return self.has_circle(claim["diameter"], claim["knees"])
        if kind == "rectangle":
            return self.has_circle(claim["diameter"], claim["knees"]) or self.has_rectangle(
                claim["short"], claim["long"], claim["knees"], claim["at"]
            )
        if kind == "door":
            # What the leaf only touches doesn't stop it.
            return self.width_of(claim["door"]) >= claim["width"] - 3
        if kind == "path":
            lines = [[tuple(a), tuple(b)] for a, b in claim["to"]]
            start = [tuple(corner) for corner in claim["from"]]
            return self.has_path(claim["width"], claim["knees"], start, lines)
        raise ValueError(kind)


def main():
    judged = 0
    for line in sys.stdin:
        case = json.loads(line)
        room = Room(case)
        for claim in case["claims"]:
            judged += 1
            if not room.holds(claim):
                print(f"{case['id']}: {json.dumps(claim)} passes and doesn't fit")
    print(f"judged {judged}")


main()
