import Messages

/// Doors that something keeps from opening fully: allowed, but worth a warning. No more are
/// searched for than a person would read.
extension PlanEditor {
    mutating func swings(over changes: [ItemChange]) -> [String] {
        var warnings: Set<String> = []
        var widest: Double?
        // The doors whose leaf, wall or room has changed.
        var doors: Set<String> = []
        for change in changes where warnings.count < Self.mostWarnings {
            guard effort < mostEffort else { break }
            switch change.after?.item {
            case .element(let element) where element.isSolid:
                let reach = widest ?? widestLeaf
                widest = reach
                let near = collisions.walls(near: element.rectangle.bounds.grown(by: reach))
                effort += Self.lookEffort * near.count
                for wall in near {
                    for opening in plan.openings(in: wall) { warn(opening, element, &warnings) }
                }
            case .opening(let opening):
                warn(opening, &warnings)
                if !opening.swings(like: change.before) { doors.insert(opening.id) }
            case .wall(let wall):
                for opening in plan.openings(in: wall.id) {
                    warn(opening, &warnings)
                    doors.insert(opening.id)
                }
            case .room(let room):
                if !room.isOutlined(like: change.before) { doors.formUnion(self.doors(of: room)) }
            default: break
            }
        }
        for id in doors.sorted() where warnings.count < Self.mostWarnings && effort < mostEffort {
            if let opening = plan.openings[id] { warnOfWalls(opening, &warnings) }
        }
        return warnings.sorted()
    }

    /// The least floor that two leaves both sweep, in square millimetres: less is how a drawing was
    /// rounded.
    private static let leastCrossing = 1_000.0

    /// The doors that have changed and can hit another one.
    mutating func crossings(after changes: [ItemChange]) -> [String] {
        var doors: Set<String> = []
        for change in changes {
            switch change.after?.item {
            case .opening(let opening) where !opening.swings(like: change.before):
                doors.insert(opening.id)
            case .wall(let wall): doors.formUnion(plan.openings(in: wall.id).map(\.id))
            default: break
            }
        }
        guard !doors.isEmpty else { return [] }
        let reach = widestLeaf
        var warnings: Set<String> = []
        for door in doors.sorted() {
            if let opening = plan.openings[door] { warnOfDoors(opening, reach, &warnings) }
        }
        return warnings.sorted()
    }

    /// Warns of the doors that a door can hit.
    private mutating func warnOfDoors(
        _ opening: Opening, _ reach: Double, _ warnings: inout Set<String>
    ) {
        guard let wall = plan.walls[opening.wall],
            let swept = DoorLeaf(of: opening, in: wall)?.swept
        else { return }
        let near = collisions.walls(near: swept.bounds.grown(by: reach))
        effort += Self.lookEffort * near.count
        for wall in near.compactMap({ plan.walls[$0] }) {
            for other in plan.openings(in: wall.id) where other.id != opening.id {
                guard warnings.count < Self.mostWarnings, effort < mostEffort else { return }
                effort += Self.changeEffort
                guard let floor = DoorLeaf(of: other, in: wall)?.swept,
                    floor.bounds.meets(swept.bounds)
                else { continue }
                effort += floor.corners.count * swept.corners.count
                let common = swept.intersection(floor)
                guard common.corners.count > 2, common.polygon.area > Self.leastCrossing else {
                    continue
                }
                let names = [opening, other].sorted { $0.id < $1.id }
                    .map { plan.words(of: PlanItem(item: .opening($0))) }
                warnings.insert(
                    "\(names[0]) and \(names[1]) swing over the same floor, so that one can hit "
                        + "the other")
            }
        }
    }

    /// How far from its wall the widest leaf reaches.
    private var widestLeaf: Double {
        plan.openings.values.reduce(0) { max($0, Double(max($1.leafWidth ?? 0, $1.width))) }
    }

    /// The doors in the walls of a room.
    private mutating func doors(of room: Room) -> [String] {
        // A room's outline is at the surface of a wall, or slightly away from it.
        let near = collisions.walls(near: room.polygon.bounds.grown(by: 200))
        effort += Self.lookEffort * near.count
        return near.flatMap { plan.openings(in: $0) }.filter { $0.kind == .door }.map(\.id)
    }

    private mutating func warn(_ opening: Opening, _ warnings: inout Set<String>) {
        guard let swing = plan.walls[opening.wall]?.swing(of: opening) else { return }
        for id in collisions.elements(near: swing.bounds) where warnings.count < Self.mostWarnings {
            if let element = plan.elements[id] { warn(opening, element, &warnings) }
        }
    }

    private mutating func warn(
        _ opening: Opening, _ element: Element, _ warnings: inout Set<String>
    ) {
        effort += Self.changeEffort
        guard let wall = plan.walls[opening.wall],
            let stop = DoorStop.all(
                of: opening, in: wall, elements: CollectionOfOne(element), walls: []
            ).first
        else { return }
        warnings.insert(stop.warning(of: opening, in: plan))
    }

    /// Warns if a wall keeps a door from opening fully: a wall of its room, or one inside it.
    private mutating func warnOfWalls(_ opening: Opening, _ warnings: inout Set<String>) {
        guard let wall = plan.walls[opening.wall], let leaf = DoorLeaf(of: opening, in: wall) else {
            return
        }
        let place = leaf.swept.bounds.grown(by: LeafFloor.around)
        let (rooms, walls) = (collisions.rooms(near: place), collisions.walls(near: place))
        let corners = rooms.reduce(0) { $0 + (plan.rooms[$1]?.corners.count ?? 0) }
        // Each wall, and each side of a room, is compared with each side.
        let cost = Self.changeEffort + corners * (corners + walls.count)
        guard effort + cost <= mostEffort else { return }
        effort += cost
        let floor = LeafFloor(plan, rooms: rooms, walls: walls)
        let stop = DoorStop.all(
            of: opening, in: wall, elements: EmptyCollection<Element>(),
            walls: floor.standing(about: opening, in: wall), floor: floor
        ).first
        if let stop { warnings.insert(stop.warning(of: opening, in: plan)) }
    }
}

extension DoorStop {
    /// Says what a door opens against, and how wide it is then.
    package func warning(of opening: Opening, in plan: FloorPlan) -> String {
        let item = plan.item(id)
        let thing = item.map { plan.words(of: $0) } ?? id
        let obstacle = if case .room = item?.item { "a wall of \(thing)" } else { thing }
        let door = plan.words(of: PlanItem(item: .opening(opening)))
        return "\(door) opens against \(obstacle): only to \(degrees) degrees, which leaves "
            + "\(passage) mm clear"
    }
}

extension Opening {
    /// True if its leaf moves as that of an earlier item did, and leaves the same clear width.
    fileprivate func swings(like item: PlanItem?) -> Bool {
        guard case .opening(let old) = item?.item else { return false }
        return kind == old.kind && wall == old.wall && offset == old.offset && width == old.width
            && leafWidth == old.leafWidth && clearWidth == old.clearWidth
            && hingesAtEnd == old.hingesAtEnd && swingsRight == old.swingsRight
    }
}

extension Room {
    /// True if it has the outline of an earlier item.
    fileprivate func isOutlined(like item: PlanItem?) -> Bool {
        guard case .room(let old) = item?.item else { return false }
        return corners == old.corners
    }
}
