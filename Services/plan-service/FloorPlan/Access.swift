import Messages

/// An answer that is certain or isn't.
package enum Verdict: Hashable, Sendable {
    case yes
    case no
    /// Too close to tell from what is drawn.
    case uncertain
}

/// What a chair can do in a room.
package struct RoomAccess: Hashable, Sendable {
    /// The room's id.
    package let room: String
    /// Whether the chair's middle gets into the room from an entrance.
    package var reached: Verdict
    /// Whether it can be turned by half a turn there.
    package var turned: Verdict
}

/// What keeps a chair out of a room.
package struct Obstruction: Hashable, Sendable {
    /// The doors that would have to be wide, and the elements that would have to go; together they
    /// open the way, and none of them can be left out. Without any, no door leads there.
    package let ids: [String]
    /// True when the way is then surely open.
    package let isCertain: Bool
}

extension Dwelling {
    /// What a chair can do in each room, by id, beginning outside of the entrances.
    ///
    /// It is looked at first as coarsely as `resolution`, and then more finely as long as something
    /// is uncertain. At 25 mm and 5 degrees the answer is certain but for about 25 mm of a door's
    /// width; each finer look halves that and takes eight times as long.
    /// - Parameter looks: How often it is looked at, at most.
    /// - Throws: when no door is marked as an entrance.
    package func access(
        for chair: Chair, _ resolution: ChairSpace.Resolution = .standard, looks: Int = 2
    ) throws(Refusal) -> [RoomAccess] {
        let trip = try trip(of: chair)
        let rooms = plan.rooms.values.sorted { $0.id < $1.id }
        var found = rooms.map {
            RoomAccess(room: $0.id, reached: .uncertain, turned: .uncertain)
        }
        var resolution = resolution
        for _ in 0..<looks where found.contains(where: \.isUncertain) {
            let surely = trip.look(resolution, .surely)
            let possibly = trip.look(resolution, .possibly)
            for index in rooms.indices where found[index].isUncertain {
                let area = rooms[index].polygon
                if surely.reaches(area) { found[index].reached = .yes }
                if !possibly.reaches(area) { found[index].reached = .no }
                guard found[index].turned == .uncertain else { continue }
                if surely.turns(in: area) { found[index].turned = .yes }
                if !possibly.turns(in: area) { found[index].turned = .no }
            }
            resolution = resolution.finer
        }
        return found
    }

    /// What keeps a chair out of a room: one thing where one is enough, otherwise several of which
    /// none can be left out. Nothing when the room can perhaps be reached.
    /// - Throws: when there is no such room, or no door is marked as an entrance.
    package func obstruction(of room: String, for chair: Chair) throws(Refusal) -> Obstruction? {
        guard let room = plan.rooms[room] else { throw .notFound("the plan has no room \(room)") }
        let area = room.polygon
        func isOpen(
            _ without: Set<String>, _ bound: ChairSpace.Bound, _ resolution: ChairSpace.Resolution
        ) throws(Refusal) -> Bool {
            try trip(of: chair, without: without).look(resolution, bound).reaches(area)
        }
        // Twice as coarse: all that is asked first is which of many things are worth a closer look.
        let coarse = ChairSpace.Resolution(cell: 50, headings: 36)
        guard try !isOpen([], .possibly, .standard) else { return nil }
        let suspects = suspects(of: chair, near: area.bounds.centre)
        func isOpenPerhaps(_ without: some Sequence<String>) throws(Refusal) -> Bool {
            try isOpen(Set(without), .possibly, coarse)
        }
        guard try isOpenPerhaps(suspects) else { return Obstruction(ids: [], isCertain: true) }
        var blamed = suspects
        if let one = try single(suspects[...], isOpen: isOpenPerhaps) {
            blamed = [one]
        } else {
            try letOff(&blamed, isOpen: isOpenPerhaps)
        }
        return Obstruction(
            ids: blamed.sorted(), isCertain: try isOpen(Set(blamed), .surely, .standard))
    }

    /// The first that opens the way alone. Where all of some don't, none of them does.
    private func single(
        _ suspects: ArraySlice<String>, isOpen: (ArraySlice<String>) throws(Refusal) -> Bool
    ) throws(Refusal) -> String? {
        guard try isOpen(suspects) else { return nil }
        guard suspects.count > 1 else { return suspects.first }
        let half = suspects.count / 2
        if let found = try single(suspects.prefix(half), isOpen: isOpen) { return found }
        return try single(suspects.dropFirst(half), isOpen: isOpen)
    }

    /// Lets off all that aren't needed, many at once and at last one by one (delta debugging,
    /// A. Zeller, 1999), those far away first.
    private func letOff(
        _ blamed: inout [String], isOpen: ([String]) throws(Refusal) -> Bool
    ) throws(Refusal) {
        var size = max(blamed.count / 2, 1)
        while true {
            var end = blamed.count
            while end > 0 {
                let start = max(end - size, 0)
                var rest = blamed
                rest.removeSubrange(start..<end)
                if !rest.isEmpty, try isOpen(rest) { blamed = rest }
                end = start
            }
            guard size > 1 else { return }
            size /= 2
        }
    }

    /// The doors that don't let the chair through, then elements, then other doors; each the nearer
    /// the sooner.
    private func suspects(of chair: Chair, near place: Vector) -> [String] {
        var suspects: [(rank: Int, distance: Double, id: String)] = barriers.map {
            (1, $0.place.distance(to: place), $0.id)
        }
        for opening in plan.openings.values where opening.isPassable {
            let isClosed =
                Double(opening.passage.width) < chair.width || opening.threshold > terms.threshold
            let middle = hole(opening)?.bounds.centre ?? place
            suspects.append((isClosed ? 0 : 2, middle.distance(to: place), opening.id))
        }
        return suspects.sorted { ($0.rank, $0.distance, $0.id) < ($1.rank, $1.distance, $1.id) }
            .map(\.id)
    }

    func trip(of chair: Chair, without: Set<String> = []) throws(Refusal) -> Trip {
        let (doors, landings) = entrances(for: chair.length + 200)
        guard !doors.isEmpty else {
            throw .conflict("no door is marked as an entrance, so nobody comes in; mark one")
        }
        return Trip(
            shape: .rectangle(chair.length, chair.width), doors: doors,
            floor: floor(
                without: without, wide: chair.width + 200, landings: landings))
    }
}

extension RoomAccess {
    fileprivate var isUncertain: Bool { reached == .uncertain || turned == .uncertain }
}

/// A way into a dwelling.
struct Trip {
    let shape: FloorShape
    let doors: [Polygon]
    let floor: FreeSpace

    /// All that is reached. A floor that is too large for the resolution is looked at more
    /// coarsely, which leaves more uncertain and nothing wrong.
    func look(_ resolution: ChairSpace.Resolution, _ bound: ChairSpace.Bound) -> Look {
        let space = ChairSpace(shape, in: floor, resolution.bearable(for: floor.bounds), bound)
        var start = space.places(in: doors[0])
        for door in doors.dropFirst() { start.formUnion(space.places(in: door)) }
        return Look(space: space, start: start, reached: space.flood(from: start))
    }
}

/// A space, where one comes in, and what is reached in it.
struct Look {
    let space: ChairSpace
    let start: ChairSpace.Reach
    let reached: ChairSpace.Reach

    func reaches(_ area: Polygon) -> Bool { space.reaches(area, reached) }

    func turns(in area: Polygon) -> Bool { space.turns(in: area, reached) }
}
