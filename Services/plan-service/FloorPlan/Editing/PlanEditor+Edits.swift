import Foundation
import Messages

/// How each action is done. The result is validated as a whole afterwards.
extension PlanEditor {
    /// - Parameter action: the action with an id for each new thing, as ``ActionReader`` completes
    ///   it.
    mutating func carryOut(_ action: PlanAction) throws(Refusal) {
        try spend(0)
        switch action.action {
        case .add(let add): try self.add(add.items)
        case .drawRoom(let drawing):
            // Each of its walls is compared with all existing ones.
            try spend((drawing.sides.count + 1) * plan.walls.count)
            try add(plan.newItems(of: drawing))
        case .move(let move): try self.move(move.ids, by: move.by)
        case .dock(let dock):
            var opening = try opening(dock.opening)
            (opening.wall, opening.offset) = (dock.wall, dock.offset)
            put(PlanItem(item: .opening(opening)))
        case .resize(let size): try resize(size)
        case .setLength(let set): try setLength(set)
        case .rotate(let turn):
            guard case .element(var element) = try item(turn.element).item else {
                throw .invalid(
                    "\(turn.element) isn't an element; a wall is turned about one of its ends")
            }
            element.angle = turn.angle % 360_000
            put(PlanItem(item: .element(element)))
        case .turnWall(let turn): try self.turn(turn)
        case .setAngle(let set): try setAngle(set)
        case .moveCorner(let move):
            guard !plan.walls(at: move.from).isEmpty else {
                throw .notFound("no wall has a corner at (\(move.from.x), \(move.from.y))")
            }
            try self.move(corners: [move.from: move.to])
        case .copy(let copy): try self.copy(copy.id, as: copy.newId, by: copy.by)
        case .replace(let changed): try replace(changed)
        case .remove(let remove): try self.remove(remove.ids)
        case .place(let place):
            throw .invalid("“\(place.name)” must be looked up before it can be placed")
        case nil: throw .invalid("an action without a kind can't be done")
        }
    }

    private func item(_ id: String) throws(Refusal) -> PlanItem {
        guard let item = plan.item(id) else { throw .notFound("the plan has no \(id)") }
        return item
    }

    private func wall(_ id: String) throws(Refusal) -> Wall {
        guard let wall = plan.walls[id] else { throw .notFound("the plan has no wall \(id)") }
        return wall
    }

    private func opening(_ id: String) throws(Refusal) -> Opening {
        guard let opening = plan.openings[id] else {
            throw .notFound("the plan has no door or window \(id)")
        }
        return opening
    }

    private mutating func add(_ items: [PlanItem]) throws(Refusal) {
        for item in items {
            guard !item.id.isEmpty else { throw .invalid("\(item.words) needs an id") }
            guard plan.item(item.id) == nil else {
                throw .conflict("the plan has a \(item.id) already; choose another id")
            }
            put(item)
        }
    }

    private mutating func replace(_ changed: PlanItem) throws(Refusal) {
        var changed = changed
        let present = try item(changed.id)
        switch (present.item, changed.item) {
        case (.wall(let old), .wall(let new)):
            guard old.from == new.from, old.to == new.to else {
                throw .invalid("\(present.words) is moved by its corners, so that joins hold")
            }
        case (.opening(let old), .opening(let new)):
            changed = PlanItem(item: .opening(new.estimated(since: old)))
        case (.room, .room), (.element, .element): break
        default: throw .invalid("\(present.words) can't become something else")
        }
        // A wall that becomes thicker makes its rooms smaller.
        let outlines = try outlines(along: [changed.id])
        put(changed)
        try follow(outlines)
    }

    private mutating func remove(_ ids: [String]) throws(Refusal) {
        for id in ids { _ = try item(id) }
        for id in ids {
            for opening in plan.openings(in: id) { remove(opening.id) }
            remove(id)
        }
    }

    private mutating func resize(_ size: ResizeItem) throws(Refusal) {
        let (id, width, depth, height) = (size.id, size.width, size.depth, size.height)
        switch try item(id).item {
        case .element(var element):
            element.width = width ?? element.width
            element.depth = depth ?? element.depth
            element.height = height ?? element.height
            // What somebody measured is no longer the catalogue's guess.
            if width != nil, depth != nil { element.product?.sizeEstimated = false }
            put(PlanItem(item: .element(element)))
        case .opening(let opening):
            guard depth == nil else { throw .invalid("\(id) is as deep as its wall") }
            var sized = opening
            sized.width = width ?? opening.width
            sized.height = height ?? opening.height
            put(PlanItem(item: .opening(sized.estimated(since: opening))))
        case .room(let room):
            guard room.isRectangle else {
                throw .invalid(
                    "\(PlanItem(item: .room(room)).words) isn't a rectangle; move its walls, or "
                        + "give it other corners")
            }
            if let width { try setSide(of: room.id, eastwards: true, to: width) }
            if let depth { try setSide(of: room.id, eastwards: false, to: depth) }
            guard let height, var changed = plan.rooms[id] else { return }
            changed.height = height
            put(PlanItem(item: .room(changed)))
        default: throw .invalid("\(id) has no width; a wall has a length")
        }
    }
}

/// Moving things.
extension PlanEditor {
    private mutating func move(_ ids: [String], by offset: PlanPoint) throws(Refusal) {
        var corners: [PlanPoint: PlanPoint] = [:]
        var openings: [Opening] = []
        var named: Set<String> = []
        let ids = ids.filter { named.insert($0).inserted }
        for id in ids {
            switch try item(id).item {
            case .wall(let wall):
                for corner in [wall.from, wall.to] { corners[corner] = corner.moved(by: offset) }
            case .element(var element):
                element.centre = (element.centre ?? PlanPoint()).moved(by: offset)
                put(PlanItem(item: .element(element)))
            case .room(let room):
                for wall in try outline(of: room).walls.compactMap({ plan.walls[$0] }) {
                    for corner in [wall.from, wall.to] {
                        corners[corner] = corner.moved(by: offset)
                    }
                }
            case .opening(let opening): openings.append(opening)
            case nil: break
            }
        }
        for opening in openings {
            // An opening whose whole wall moves goes with it.
            let wall = try wall(opening.wall)
            guard corners[wall.from] == nil || corners[wall.to] == nil else { continue }
            put(PlanItem(item: .opening(try moved(opening, by: offset))))
        }
        try move(corners: corners, except: named)
        for case .room(var room) in ids.compactMap({ plan.item($0)?.item }) {
            room.corners = room.corners.map { $0.moved(by: offset) }
            put(PlanItem(item: .room(room)))
        }
    }

    /// An opening moved by the part of an offset that is along its wall.
    private func moved(
        _ opening: Opening, by offset: PlanPoint
    ) throws(Refusal) -> Opening {
        let along = try wall(opening.wall).line.along.unit
        let place = Double(opening.offset) + offset.vector.dot(along).rounded()
        guard place >= 0, place <= Double(FloorPlan.farthest) * 4 else {
            throw .invalid("\(PlanItem(item: .opening(opening)).words) would leave its wall")
        }
        var moved = opening
        moved.offset = UInt32(place)
        return moved
    }

    /// Moves corners with everything joined there, and with the rooms along these walls except
    /// some. An opening keeps its distance from the end of its wall that stays; when both move,
    /// from the start.
    mutating func move(
        corners: [PlanPoint: PlanPoint], except rooms: Set<String> = []
    ) throws(Refusal) {
        let walls = Set(corners.keys.flatMap { plan.walls(at: $0).map(\.id) })
        let outlines = try outlines(along: walls).filter { !rooms.contains($0.room.id) }
        for wall in walls.sorted().compactMap({ plan.walls[$0] }) {
            var moved = wall
            moved.start = corners[wall.from] ?? wall.from
            moved.end = corners[wall.to] ?? wall.to
            put(PlanItem(item: .wall(moved)))
            guard corners[wall.from] != nil, corners[wall.to] == nil else { continue }
            let longer = Int64((moved.length - wall.length).rounded())
            for var opening in plan.openings(in: wall.id) {
                // A position before the start becomes the farthest one, which is refused.
                let offset = Int64(opening.offset) + longer
                opening.offset = offset < 0 ? .max : UInt32(clamping: offset)
                put(PlanItem(item: .opening(opening)))
            }
        }
        try follow(outlines)
    }

    private mutating func setLength(_ set: SetWallLength) throws(Refusal) {
        let wall = try wall(set.wall)
        let (fixed, free) = wall.corners(about: set.keepEnd ? .end : .start)
        guard fixed != free else { throw .invalid("\(wall.words) has no direction") }
        let way = (free.vector - fixed.vector).unit * Double(min(set.length, FloorPlan.largest))
        try move(corners: [free: PlanPoint(fixed.vector + way)])
    }

    private mutating func turn(_ turn: TurnWall) throws(Refusal) {
        let (fixed, free) = try wall(turn.wall).corners(about: turn.aboutEnd ? .end : .start)
        let angle = Double(turn.by) / 180_000 * .pi
        let turned = (free.vector - fixed.vector).turned(by: Vector(angle: angle))
        try move(corners: [free: PlanPoint(fixed.vector + turned)])
    }

    private mutating func setAngle(_ set: SetWallAngle) throws(Refusal) {
        let (wall, other) = (try wall(set.wall), try wall(set.with))
        let shared = [WallEnd.start, .end].first {
            let corner = wall.corners(about: $0).fixed
            return corner == other.from || corner == other.to
        }
        guard wall.id != other.id, let shared else {
            throw .invalid("\(wall.words) and \(other.words) share no corner")
        }
        guard (1...180_000).contains(set.angle) else {
            throw .invalid("the angle between two walls is more than 0 and up to 180 degrees")
        }
        let (corner, free) = wall.corners(about: shared)
        let base = other.corners(about: other.from == corner ? .start : .end).free
        let (from, present) = (base.vector - corner.vector, free.vector - corner.vector)
        let isLeft = from.cross(present) >= 0
        let wanted = Double(set.angle) / 180_000 * .pi * (isLeft != set.opposite ? 1 : -1)
        let direction = from.unit.turned(by: Vector(angle: wanted))
        try move(corners: [free: PlanPoint(corner.vector + direction * present.length)])
    }

    private mutating func copy(
        _ id: String, as newID: String, by offset: PlanPoint
    ) throws(Refusal) {
        switch try item(id).item {
        case .wall(var wall):
            wall.id = newID
            wall.start = wall.from.moved(by: offset)
            wall.end = wall.to.moved(by: offset)
            let openings = plan.openings(in: id).enumerated().map { number, opening in
                var copy = opening
                copy.id = "\(newID)-\(number + 1)"
                copy.wall = newID
                return PlanItem(item: .opening(copy))
            }
            try add([PlanItem(item: .wall(wall))] + openings)
        case .element(var element):
            element.id = newID
            element.centre = (element.centre ?? PlanPoint()).moved(by: offset)
            try add([PlanItem(item: .element(element))])
        case .room(var room):
            room.id = newID
            room.corners = room.corners.map { $0.moved(by: offset) }
            try add([PlanItem(item: .room(room))])
        case .opening(let opening):
            var copy = try moved(opening, by: offset)
            copy.id = newID
            try add([PlanItem(item: .opening(copy))])
        case nil: break
        }
    }
}

extension Wall {
    /// The corners at both ends.
    fileprivate func corners(about end: WallEnd) -> (fixed: PlanPoint, free: PlanPoint) {
        end == .start ? (from, to) : (to, from)
    }
}
