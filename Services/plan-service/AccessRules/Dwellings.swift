import FloorPlan
import Messages

/// Which rooms belong together: those connected without leaving the dwelling by an entrance. A room
/// without a door is a dwelling by itself.
struct Dwellings: Sendable {
    private var parents: [String: String] = [:]

    init() {}

    init(_ layout: PlanLayout) {
        for (id, opening) in layout.plan.openings where opening.isPassable && !opening.entrance {
            if WorkLimit.isOver { return }
            guard let rooms = layout.doorway(id)?.rooms, let left = rooms.left,
                let right = rooms.right
            else { continue }
            join(left, right)
        }
    }

    /// Joins the dwellings of two rooms.
    mutating func join(_ room: String, _ other: String) {
        let (first, second) = (dwelling(of: room), dwelling(of: other))
        if first != second { parents[max(first, second)] = min(first, second) }
    }

    /// The dwelling of a room, as the id of its first room.
    func dwelling(of room: String) -> String {
        var room = room
        while let parent = parents[room] { room = parent }
        return room
    }
}

extension ItemChange {
    /// True if it may divide or join dwellings: a change of anything but elements.
    var dividesDwellings: Bool {
        for item in [before?.item, after?.item] {
            switch item {
            case .wall, .room, .opening: return true
            default: break
            }
        }
        return false
    }
}

/// A dwelling in a plan, by itself: finding where a chair can go doesn't involve the others.
struct DwellingPart {
    /// The ids of its rooms.
    let rooms: Set<String>
    /// Its rooms, those behind its entrances, and what stands in and around them.
    let plan: FloorPlan

    /// How close rooms must be for a passage without a door, in millimetres: an opening reaches 20
    /// mm beyond its wall on both sides.
    private static let touching = 50.0
    /// How far around the rooms things matter: the length of the longest chair and its landing.
    private static let around = 6_000.0

    /// The dwellings of a plan; the whole plan as one if they can't be distinguished.
    static func all(of plan: FloorPlan) -> [DwellingPart] {
        let whole = [DwellingPart(rooms: Set(plan.rooms.keys), plan: plan)]
        let layout = PlanLayout(plan)
        var dwellings = Dwellings(layout)
        var doorways: [Doorway] = []
        for id in plan.openings.keys {
            guard !WorkLimit.isOver, let doorway = layout.doorway(id) else { return whole }
            let isInside = doorway.rooms.left != nil && doorway.rooms.right != nil
            let isDoor = doorway.opening.isPassable
            // A door that leads nowhere may be one of two in a double wall.
            guard !isDoor || isInside || doorway.opening.entrance else { return whole }
            doorways.append(doorway)
        }
        for room in plan.rooms.values {
            let outline = room.polygon
            for id in layout.rooms(meeting: outline.bounds.grown(by: touching)) where id > room.id {
                if WorkLimit.isOver { return whole }
                guard let other = plan.rooms[id]?.polygon, outline.isNear(other, touching) else {
                    continue
                }
                dwellings.join(room.id, id)
            }
        }
        let groups = Dictionary(grouping: plan.rooms.keys, by: dwellings.dwelling)
        guard groups.count > 1 else { return whole }
        return groups.sorted { $0.key < $1.key }.map { part(of: Set($0.value), layout, doorways) }
    }

    private static func part(
        of rooms: Set<String>, _ layout: PlanLayout, _ doorways: [Doorway]
    ) -> DwellingPart {
        func sides(_ doorway: Doorway) -> [String] {
            [doorway.rooms.left, doorway.rooms.right].compactMap { $0 }
        }
        var near = rooms
        for doorway in doorways where doorway.opening.entrance {
            let sides = sides(doorway)
            guard sides.contains(where: rooms.contains) else { continue }
            near.formUnion(sides)
            near.formUnion(roomsBefore(doorway, layout))
        }
        let plan = layout.plan
        let area = near.compactMap { plan.rooms[$0]?.polygon.bounds }
            .reduce(Bounds([])) { $0.union($1) }.grown(by: around)
        var items = near.sorted().compactMap(plan.item)
        items += layout.walls(meeting: area).compactMap(plan.item)
        let walls = Set(items.map(\.id))
        for doorway in doorways where walls.contains(doorway.opening.wall) {
            let sides = sides(doorway)
            guard !sides.isEmpty, near.isSuperset(of: sides) else { continue }
            items.append(PlanItem(item: .opening(doorway.opening)))
        }
        items += layout.elements(meeting: area).compactMap(plan.item)
        return DwellingPart(rooms: rooms, plan: FloorPlan(items))
    }
}

extension DwellingPart {
    /// The rooms into which the floor straight before an entrance extends, on a side where the door
    /// itself has none: nobody knows how someone gets to it.
    private static func roomsBefore(_ doorway: Doorway, _ layout: PlanLayout) -> [String] {
        let half = doorway.along * (Double(doorway.opening.width) / 2)
        return [true, false].flatMap { left -> [String] in
            guard (left ? doorway.rooms.left : doorway.rooms.right) == nil else { return [] }
            let near = doorway.place(beyond: 0, left: left)
            let far = doorway.place(beyond: around, left: left)
            let floor = Polygon([near - half, near + half, far + half, far - half])
            return layout.rooms(meeting: floor.bounds).filter {
                (layout.plan.rooms[$0]?.polygon.commonArea(with: floor) ?? 0) > 1
            }
        }
    }
}

extension Polygon {
    /// True if it overlaps another, or comes nearer to it than a distance.
    fileprivate func isNear(_ other: Polygon, _ distance: Double) -> Bool {
        if let corner = corners.first, other.contains(corner) { return true }
        if let corner = other.corners.first, contains(corner) { return true }
        return sides.contains { side in
            other.sides.contains { $0.meets(side) || $0.gap(to: side) < distance }
        }
    }
}

extension Segment {
    /// The distance of two segments that don't cross.
    fileprivate func gap(to other: Segment) -> Double {
        min(
            distance(to: other.start), distance(to: other.end), other.distance(to: start),
            other.distance(to: end))
    }
}
