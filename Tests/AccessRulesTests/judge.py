#!/usr/bin/env python3
"""Judges what a check of a plan lets pass, by brute force and by definition.

It shares no code and no method with AccessRules: circles are sought square by square, shapes in
boxes of places and angles, doors by turning their leaves, paths by flooding a grid, the floor
beside things by putting a rectangle there, and a chair by putting it at each place that a disc in
it gets to. It looks for one error only: something that passes although it doesn't fit.

Reads one JSON object per line: a room, what is in it, its doors, and what passed there ("claims").
Writes a line for each claim that is wrong, and at the end how many claims it has judged.
"""
import heapq
import json
import math
import sys

# Millimetres by which a claim may be wrong: a measure is computed to a hundredth.
SLACK = 0.02
# Millimetres by which things may overlap and still only touch: half a rounding step for each.
TOUCH = 1.02
# Something this close to a wall, such as a skirting board, doesn't hide it. Millimetres.
LEANING = 20.02
# Someone in a chair passes under what they sit at from here, and under other things from here.
KNEES, HEAD = 670, 1410
# A ramp up to this height is as flat as floor. Millimetres.
FLAT = 20


class Undecided(Exception):
    """A search took too long."""


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
        """The distance to the quarter circle that the leaf sweeps; 0 inside."""
        u, v = self.local(x, y)
        if u >= 0 and v >= 0:
            return max(math.hypot(u, v) - self.radius, 0)
        return min(
            to_side((0, 0), (self.radius, 0), u, v), to_side((0, 0), (0, self.radius), u, v)
        )

    def gap(self, corners):
        """How far a convex outline is from the quarter of a circle, negative if it is in it: the
        most by which a direction keeps the two apart."""
        places = [self.local(x, y) for x, y in corners]
        ways = [(-1, 0), (0, -1)]
        for (au, av), (bu, bv) in sides(places):
            length = math.hypot(bu - au, bv - av)
            u, v = (bv - av) / length, (au - bu) / length
            ways += [(u, v), (-u, -v)]
        for u, v in places:
            if u > 0 and v > 0:
                ways.append((u / math.hypot(u, v), v / math.hypot(u, v)))
        most = -math.inf
        for u, v in ways:
            reach = self.radius * (1 if u > 0 and v > 0 else max(u, v, 0))
            most = max(most, min(u * p + v * q for p, q in places) - reach)
        return most


class Room:
    def __init__(self, case):
        self.outline = [tuple(corner) for corner in case["outline"]]
        self.things = [t for t in case["things"] if t["solid"]]
        ramps = [t for t in case["things"] if t.get("ramp")]
        # Nobody turns or stands on a ramp, and nobody goes over its long sides.
        self.ramps = [
            rectangle(t["x"], t["y"], t["width"], t["depth"], t["angle"]) for t in ramps
        ]
        self.edges = [
            edge
            for t, (a, b, c, d) in zip(ramps, self.ramps)
            if not 0 < t["height"] <= FLAT
            for edge in ([b, c], [d, a])
        ]
        self.doors = case["doors"]
        self.leaves = [Leaf(door) for door in self.doors if door["opensInto"]]

    def solid(self, knees, under=None, without=None):
        """The outlines of what stands on the floor. A thing above the knees counts only beyond the
        depth that one may go under it."""
        found = []
        for number, t in enumerate(self.things):
            if number == without:
                continue
            width, depth, angle = t["width"], t["depth"], math.radians(t["angle"])
            x, y = t["x"], t["y"]
            if t["elevation"] >= knees:
                if under is None or under >= depth:
                    continue
                x, y = x - math.sin(angle) * under / 2, y + math.cos(angle) * under / 2
                depth -= under
            found.append(rectangle(x, y, width, depth, t["angle"]))
        return found

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

    def has_circle(self, diameter, terms):
        clear = self.clearance(self.on_floor(terms), self.swept(terms))
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
            if found + half * math.sqrt(2) < wanted:
                continue
            half /= 2
            for a, b in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
                heapq.heappush(heap, (-found, half, (x + a * half, y + b * half)))
        raise Undecided

    def on_floor(self, terms, without=None):
        """The outlines of all that leaves no level floor."""
        return self.solid(terms["knees"], terms.get("under"), without) + self.ramps

    def swept(self, terms):
        return self.leaves if terms["swings"] else []

    def gap(self, solid, leaves, corners):
        """How far a convex outline is from everything; negative if it hits something."""
        least = math.inf
        x = sum(c[0] for c in corners) / len(corners)
        y = sum(c[1] for c in corners) / len(corners)
        if not inside(self.outline, x, y):
            least = -min(to_side(a, b, x, y) for a, b in sides(self.outline))
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
        for leaf in leaves:
            least = min(least, leaf.gap(corners))
        return least

    def has_shape(self, parts, terms, at):
        """Whether a shape of convex parts about the origin fits near a place, at any angle.

        Boxes of places and angles are cut until the middle of one fits, or nothing in any can: a
        shape comes no farther out of a thing than it is moved."""
        solid, leaves = self.on_floor(terms), self.swept(terms)
        radius = max(math.hypot(x, y) for part in parts for x, y in part)

        def gap(place, turn):
            cos, sin = math.cos(turn), math.sin(turn)
            least = math.inf
            for part in parts:
                moved = [
                    (place[0] + x * cos - y * sin, place[1] + x * sin + y * cos) for x, y in part
                ]
                least = min(least, self.gap(solid, leaves, moved))
            return least

        # The angle isn't known, the place is known to a millimetre.
        heap = [
            (-math.inf, (at[0], at[1]), 0.51, math.radians(turn), math.radians(0.5))
            for turn in range(360)
        ]
        for _ in range(20_000):
            if not heap:
                return False
            _, (x, y), half, turn, step = heapq.heappop(heap)
            found = gap((x, y), turn)
            if found >= -SLACK:
                return True
            # Nothing in the box has more than this.
            most = found + half * math.sqrt(2) + radius * step
            if most < -SLACK:
                continue
            if half < radius * step:
                for a in (-1, 1):
                    box = ((x, y), half, turn + a * step / 2, step / 2)
                    heapq.heappush(heap, (-most, *box))
                continue
            half /= 2
            for a, b in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
                box = ((x + a * half, y + b * half), half, turn, step)
                heapq.heappush(heap, (-most, *box))
        raise Undecided

    def is_free(self, number, left, right, rear, front, solid, leaves):
        """Whether a rectangle next to a thing is free. Its sides are given from the thing's middle,
        to the thing's east and to its rear."""
        if right - left <= 2 * SLACK or rear - front <= 2 * SLACK:
            return True
        return self.gap(solid, leaves, self.beside(number, left, right, rear, front)) >= -SLACK

    def beside(self, number, left, right, rear, front):
        t = self.things[number]
        turn = math.radians(t["angle"])
        cos, sin = math.cos(turn), math.sin(turn)
        return [
            (t["x"] + x * cos - y * sin, t["y"] + x * sin + y * cos)
            for x, y in ((left, front), (right, front), (right, rear), (left, rear))
        ]

    def farthest(self, most, is_free):
        """The largest value up to a limit for which something is free, to a hundredth."""
        if is_free(most):
            return most
        low, high = 0.0, most
        while high - low > 0.005:
            middle = (low + high) / 2
            low, high = (middle, high) if is_free(middle) else (low, middle)
        return low

    def free_beside(self, number, east, least, claim):
        t, terms = self.things[number], claim["terms"]
        solid = self.solid(max(terms["knees"], 2000), None, number) + self.ramps
        half, deep = t["width"] / 2, t["depth"] / 2
        rear = deep - max(claim.get("exceptRear", 0), LEANING)
        left, right = (half + TOUCH, half + least) if east else (-half - least, -half - TOUCH)
        return self.is_free(number, left, right, rear, -deep + TOUCH, solid, self.swept(terms))

    def wall_behind(self, number):
        """The distance to the wall behind a thing; 0 if it isn't near."""
        t = self.things[number]
        quarter, deep = t["width"] / 4, t["depth"] / 2
        way = self.farthest(
            300, lambda way: self.is_free(number, -quarter, quarter, deep + way, 0, [], [])
        )
        return way if way < 300 else 0

    def is_free_in_front(self, claim):
        number, terms = claim["thing"], claim["terms"]
        t = self.things[number]
        solid, leaves = self.on_floor(terms, number), self.swept(terms)
        half = max(t["width"], claim.get("width", 0)) / 2
        play, deep = half - t["width"] / 2, t["depth"] / 2
        for share in range(-8, 9):
            left = play * share / 8 - half + TOUCH
            right = play * share / 8 + half - TOUCH
            below = 0
            if claim["under"] and t["elevation"] >= terms["knees"]:
                most = 2 * deep + self.wall_behind(number)
                most = min(most, terms["under"] if terms.get("under") is not None else most)
                below = self.farthest(
                    most,
                    lambda way: self.is_free(number, left, right, way - deep, -deep, solid, []),
                )
            front = -deep - (claim["depth"] - below)
            if self.is_free(number, left, right, -deep - TOUCH, front, solid, leaves):
                return True
        return False

    def is_free_along(self, claim):
        """Whether the floor along the longer sides of a thing is free, on one of them."""
        number, terms, way = claim["thing"], claim["terms"], claim["depth"]
        t = self.things[number]
        solid, leaves = self.on_floor(terms, number), self.swept(terms)
        half, deep = t["width"] / 2, t["depth"] / 2
        if deep > half:
            ends = deep - TOUCH, -deep + TOUCH
            places = [(half + TOUCH, half + way, *ends), (-half - way, -half - TOUCH, *ends)]
        else:
            ends = -half + TOUCH, half - TOUCH
            places = [(*ends, -deep - TOUCH, -deep - way), (*ends, deep + way, deep + TOUCH)]
        return any(self.is_free(number, *place, solid, leaves) for place in places)

    def has_zone(self, claim):
        number, terms, depth = claim["thing"], claim["terms"], claim["depth"]
        solid, leaves = self.on_floor(terms, number), self.swept(terms)
        wall = self.things[number]["depth"] / 2 + self.wall_behind(number)
        rear, front = wall - LEANING, wall - depth + TOUCH
        east = self.farthest(
            3000, lambda way: self.is_free(number, TOUCH, way, rear, front, solid, leaves)
        )
        west = self.farthest(
            3000, lambda way: self.is_free(number, -way, -TOUCH, rear, front, solid, leaves)
        )
        if "width" in claim:
            return east + west >= claim["width"] - 2 * SLACK
        least, most = min(claim["most"], claim["other"]), max(claim["most"], claim["other"])
        return min(east, west) >= least - SLACK and max(east, west) >= most - SLACK

    def is_beside_wall(self, claim):
        number = claim["thing"]
        deep = self.things[number]["depth"] / 2
        rear, front = deep - LEANING, -deep + TOUCH
        nearest = min(
            self.farthest(
                3000,
                lambda way: self.is_free(
                    number, *((0, way) if east else (-way, 0)), rear, front, [], []
                ),
            )
            for east in (True, False)
        )
        return claim["least"] - SLACK <= nearest <= claim["most"] + 2

    def is_free_at_door(self, claim):
        door = self.doors[claim["door"]]
        leaf = Leaf(door)
        (ax, ay), (bx, by) = door["wall"]
        length = math.hypot(bx - ax, by - ay)
        along = ((bx - ax) / length, (by - ay) / length)
        pulled = claim["beside"] != "push"
        out = leaf.open if pulled else (-leaf.open[0], -leaf.open[1])
        at_end = door["atEnd"] == (claim["beside"] == "hinges")
        way = door["offset"] + (door["width"] if at_end else 0)
        face = door["thickness"] / 2
        edge = (ax + along[0] * way + out[0] * face, ay + along[1] * way + out[1] * face)
        direction = along if at_end else (-along[0], -along[1])
        wide = claim["least"] - (door["width"] - leaf.radius) / 2
        if wide <= TOUCH + SLACK:
            return True
        corners = [
            (
                edge[0] + direction[0] * u + out[0] * v,
                edge[1] + direction[1] * u + out[1] * v,
            )
            for u, v in (
                (TOUCH, LEANING), (wide, LEANING), (wide, claim["depth"]), (TOUCH, claim["depth"])
            )
        ]
        terms = claim["terms"]
        return self.gap(self.solid(terms["knees"], terms.get("under")), [], corners) >= -SLACK

    def width_of(self, number):
        """The clear width of a door that is opened as far as nearby things and the walls of the
        room allow."""
        door = self.doors[number]
        leaf = Leaf(door)
        # A wall may be drawn up to 20 mm into the clear width, at the end of the shut leaf.
        tip = min(leaf.radius, (leaf.radius + door["clear"]) / 2 - 22)
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
                is_out = door["opensInto"] and way <= tip and self.is_outside(x, y)
                if is_out or any(inside(core, x, y) for core in cores):
                    width = max(door["clear"] - leaf.radius * math.cos(turn), 0)
                    return min(width, self.width_beside(door, cores))
        return self.width_beside(door, cores)

    def is_outside(self, x, y):
        """True for a place beyond the walls of the room, by more than 3 mm."""
        return not inside(self.outline, x, y) and all(
            to_side(a, b, x, y) > 3 for a, b in sides(self.outline)
        )

    def width_beside(self, door, cores):
        """The widest gap next to what stands in the doorway, to two millimetres."""
        (ax, ay), (bx, by) = door["wall"]
        length = math.hypot(bx - ax, by - ay)
        along = ((bx - ax) / length, (by - ay) / length)
        start = door["offset"] + (door["width"] - door["clear"]) / 2
        half = door["thickness"] / 2 + 20
        best = run = 0
        for step in range(door["clear"] // 2):
            way = start + 2 * step + 1
            places = [
                (
                    ax + along[0] * way - along[1] * (half * side / 10),
                    ay + along[1] * way + along[0] * (half * side / 10),
                )
                for side in range(-10, 11)
            ]
            taken = any(inside(core, x, y) for x, y in places for core in cores)
            run = 0 if taken else run + 2
            best = max(best, run)
        return best + door["clear"] % 2

    def reached(self, width, solid, from_line, step, play):
        """The places on a grid that a disc reaches which is smaller by half a square's diagonal,
        those with most room first. It starts at a line, or up to a distance farther away."""
        clear = self.clearance(solid, [])
        least = width / 2 - step * 0.71
        low_x, low_y, high_x, high_y = self.bounds()
        columns = int((high_x - low_x) / step) + 2
        rows = int((high_y - low_y) / step) + 2
        free, start = {}, []
        for row in range(rows):
            for column in range(columns):
                x, y = low_x + column * step, low_y + row * step
                room = clear(x, y)
                if room < least:
                    continue
                free[(row, column)] = (-room, x, y)
                if to_side(*from_line, x, y) <= width / 2 + play:
                    start.append((row, column))
        seen = set(start)
        while start:
            place = start.pop()
            for a in (-1, 0, 1):
                for b in (-1, 0, 1):
                    near = (place[0] + a, place[1] + b)
                    if near in free and near not in seen:
                        seen.add(near)
                        start.append(near)
        return [(x, y) for _, x, y in sorted(free[place] for place in seen)]

    def has_path(self, width, knees, from_line, to_lines, step=25):
        """False if not even a slightly smaller disc can get there."""
        solid = self.solid(knees) + self.edges
        return any(
            to_side(*line, x, y) <= width / 2 + step
            for x, y in self.reached(width, solid, from_line, step, step)
            for line in to_lines
        )

    def is_entered(self, length, width, from_line, step=50, degrees=5):
        """Whether all of a chair gets in: False if, where a disc in it can be, not even the part
        of it is inside that it takes at each place and angle near there."""
        solid = [
            rectangle(t["x"], t["y"], t["width"], t["depth"], t["angle"])
            for t in self.things
            if t["elevation"] < (KNEES if t.get("satAt") else HEAD)
        ] + self.edges
        less = step * 0.71 + math.hypot(length, width) / 2 * math.radians(degrees / 2)
        core = (max(length - 2 * less, 1), max(width - 2 * less, 1))
        for x, y in self.reached(min(length, width), solid, from_line, step, 2 * step):
            for turn in range(0, 180, degrees):
                corners = rectangle(x, y, *core, turn)
                if any(
                    not inside(self.outline, *corner) or any(inside(s, *corner) for s in solid)
                    for corner in corners
                ):
                    continue
                if self.gap(solid, [], corners) >= -SLACK:
                    return True
        return False

    def has_any(self, claim):
        """Whether one of several shapes fits."""
        for shape in claim["shapes"]:
            if "circle" in shape:
                if self.has_circle(shape["circle"], claim["terms"]):
                    return True
                continue
            if "rectangle" in shape:
                width, depth = shape["rectangle"]
                parts = [rectangle(0, 0, width, depth, 0)]
            elif "ellipse" in shape:
                width, depth = shape["ellipse"]
                turns = [math.radians(7.5 * number) for number in range(48)]
                parts = [[(width / 2 * math.cos(t), depth / 2 * math.sin(t)) for t in turns]]
            else:
                side, bar = shape["tee"]
                parts = [
                    rectangle(0, (side - bar) / 2, side, bar, 0), rectangle(0, 0, bar, side, 0)
                ]
            if self.has_shape(parts, claim["terms"], claim["at"]):
                return True
        return False

    def holds(self, claim):
        kind = claim["kind"]
        if kind == "place":
            return self.has_any(claim)
        if kind == "door":
            # Something that the leaf only touches doesn't stop it.
            return self.width_of(claim["door"]) >= claim["width"] - 3
        if kind == "path":
            lines = [[tuple(a), tuple(b)] for a, b in claim["to"]]
            start = [tuple(corner) for corner in claim["from"]]
            return self.has_path(claim["width"], 2000, start, lines)
        if kind == "enters":
            start = [tuple(corner) for corner in claim["from"]]
            length, width = claim["chair"]
            is_wide = self.doors[0]["clear"] >= width - 3
            return is_wide and self.is_entered(length, width, start)
        if kind == "sides":
            free = [
                [self.free_beside(claim["thing"], east, claim[least], claim) for east in (0, 1)]
                for least in ("most", "other")
            ]
            return free[0][0] and free[1][1] or free[0][1] and free[1][0]
        if kind == "oneSide":
            return any(
                self.free_beside(claim["thing"], east, claim["most"], claim) for east in (0, 1)
            )
        if kind == "front":
            return self.is_free_in_front(claim)
        if kind == "along":
            return self.is_free_along(claim)
        if kind == "zone":
            return self.has_zone(claim)
        if kind == "centre":
            return self.is_beside_wall(claim)
        if kind == "beside":
            return self.is_free_at_door(claim)
        raise ValueError(kind)


def main():
    judged = 0
    for line in sys.stdin:
        case = json.loads(line)
        room = Room(case)
        for claim in case["claims"]:
            judged += 1
            try:
                if room.holds(claim):
                    continue
                wrong = "passes and doesn't fit"
            except Undecided:
                wrong = "isn't decided"
            print(f"{case['id']}: {json.dumps(claim)} {wrong}")
    print(f"judged {judged}")


main()
