import Messages

/// An answer that may be uncertain.
package enum Certainty: Hashable, Sendable {
    case yes
    case no
    /// Too close to decide with the precision of the plan.
    case uncertain
}

/// What a chair can do in a room.
package struct RoomAccess: Hashable, Sendable {
    /// The room's id.
    package let room: String
    /// Whether all of the chair can get into the room from an entrance.
    package var reached: Certainty
    /// Whether it can make half a turn there, all of it inside and off the ramps.
    package var turned: Certainty
}

extension Dwelling {
    /// What a chair can do in each room, by id, starting outside the entrances.
    ///
    /// The first examination has this resolution, and finer ones follow as long as something is
    /// uncertain. At 25 mm and 5 degrees the answer is certain except for about 25 mm of a door's
    /// width; each finer examination halves that and takes eight times as long.
    /// - Parameters:
    ///   - looks: The maximum number of examinations.
    ///   - slack: how much wider or narrower than drawn the floor may be, and thresholds higher or
    ///     lower, in millimetres.
    /// - Throws: if no door is marked as an entrance.
    package func access(
        for chair: Chair, _ resolution: ChairSpace.Resolution = .standard, looks: Int = 2,
        slack: Double = 0
    ) throws(Refusal) -> [RoomAccess] {
        let trip = try feared.off(by: Self.worst(slack)).trip(of: chair.grown(by: slack))
        let isDoubtful = slack > 0 || self.isDoubtful(for: chair.grown(by: slack))
        let hope =
            try isDoubtful
            ? hopeful.off(by: Self.best(slack)).trip(of: chair.grown(by: -slack)) : trip
        let rooms = plan.rooms.values.sorted { $0.id < $1.id }
        var found = rooms.map {
            RoomAccess(room: $0.id, reached: .uncertain, turned: .uncertain)
        }
        // The rooms that may be certain on a finer grid.
        var undecided = Set(rooms.indices)
        var resolution = resolution
        for number in 0..<looks where !undecided.isEmpty {
            let surely = trip.look(resolution, .surely)
            let possibly = hope.look(resolution, .possibly)
            for index in undecided {
                let area = rooms[index].polygon
                if surely.reaches(area) { found[index].reached = .yes }
                if !possibly.reaches(area) { found[index].reached = .no }
                guard found[index].turned == .uncertain else { continue }
                if surely.turns(in: area) { found[index].turned = .yes }
                if !possibly.turns(in: area) { found[index].turned = .no }
            }
            undecided = undecided.filter { found[$0].isUncertain }
            if isDoubtful, !undecided.isEmpty, number + 1 < looks {
                let smaller = hope.look(resolution, .surely)
                let larger = trip.look(resolution, .possibly)
                undecided = undecided.filter { index in
                    !found[index].isUndecidable(smaller, larger, in: rooms[index].polygon)
                }
            }
            resolution = resolution.finer
        }
        return found
    }

    /// How far off heights may be to the chair's disadvantage, for a tolerance.
    package static func worst(_ slack: Double) -> Int { Int(min(slack.rounded(.up), 1e6)) }

    /// The same to its advantage: as in a check, a height that is off by the whole tolerance is
    /// certain.
    package static func best(_ slack: Double) -> Int { min(1 - worst(slack), 0) }

    func trip(of chair: Chair, without: Set<String> = []) throws(Refusal) -> Trip {
        let wide = chair.width + 200
        let (doors, landings, _) = entrances(
            for: chair.length + 200, without: without, wide: wide)
        guard !doors.isEmpty else {
            throw .conflict("no door is marked as an entrance, so nobody can get in; mark one")
        }
        return Trip(
            shape: .rectangle(chair.length, chair.width), doors: doors,
            floor: floor(without: without, wide: wide, landings: landings),
            ramps: ramps.filter { !without.contains($0.id) }.map(\.outline))
    }
}

extension RoomAccess {
    fileprivate var isUncertain: Bool { reached == .uncertain || turned == .uncertain }

    /// True if no grid decides what is uncertain, because it depends on what was measured, and how
    /// exactly: at best a smaller chair certainly gets in, or turns, and at worst a larger one
    /// certainly doesn't.
    fileprivate func isUndecidable(_ smaller: Look, _ larger: Look, in area: Polygon) -> Bool {
        (reached != .uncertain || smaller.reaches(area) && !larger.reaches(area))
            && (turned != .uncertain || smaller.turns(in: area) && !larger.turns(in: area))
    }
}

/// A search for paths into a dwelling.
struct Trip {
    let shape: FloorShape
    let doors: [Polygon]
    let floor: FreeSpace
    /// The ramps on it: a chair goes over them, and doesn't turn there.
    let ramps: [ConvexPolygon]

    /// Everything that the chair reaches.
    func look(_ resolution: ChairSpace.Resolution, _ bound: ChairSpace.Bound) -> Look {
        let space = ChairSpace(shape, in: floor, resolution, bound)
        var start = space.places(in: doors[0])
        for door in doors.dropFirst() { start.formUnion(space.places(in: door)) }
        return Look(
            space: space, start: start, reached: space.flood(from: start), ramps: ramps)
    }
}

/// A space, the places where the chair enters, and what it reaches from there.
struct Look {
    let space: ChairSpace
    let start: ChairSpace.Reach
    let reached: ChairSpace.Reach
    fileprivate let ramps: [ConvexPolygon]

    /// True if all of the chair gets into an area.
    func reaches(_ area: Polygon) -> Bool { space.enters(area, reached) }

    /// True if it can make half a turn there, all of it inside and off the ramps.
    func turns(in area: Polygon) -> Bool {
        let bounds = area.bounds
        return space.turns(
            whollyIn: area, clearOf: ramps.filter { $0.bounds.meets(bounds) }, reached)
    }
}
