import Messages

/// What keeps a chair out of a room.
package struct Obstruction: Hashable, Sendable {
    /// The doors to widen and the elements to remove, which together open the path. Empty if no
    /// door leads there, walls are in the way, or there are too many obstacles to name.
    package let ids: [String]
    /// True if the path is then certainly open.
    package let isCertain: Bool
    /// True if none of them can be left out; false if there are so many obstacles that the search
    /// ended before that was known.
    package let isLeast: Bool
}

extension Dwelling {
    /// The elements that a search removes to find what keeps a chair out. Ramps are among them
    /// because of their sides.
    var removable: [Element] { barriers + ramps.filter { !$0.rampEdges.isEmpty } }

    /// True if such a search can remove the thing with an id.
    package func canRemove(_ id: String) -> Bool { removable.contains { $0.id == id } }

    /// What keeps a chair out of a room: one obstacle if one explains it, otherwise several, all of
    /// them necessary. Nil if the chair can possibly reach the room.
    /// - Throws: if there is no such room, or no door is marked as an entrance.
    package func obstruction(of room: String, for chair: Chair) throws(Refusal) -> Obstruction? {
        var search = try ObstructionSearch(self, chair)
        return try search.obstruction(of: room)
    }
}

/// Searches for what keeps a chair out of the rooms of a dwelling, with a limited number of
/// examinations of the floor, however many obstacles there are.
package struct ObstructionSearch {
    /// The maximum number of items and doors in all examinations of one dwelling together: about
    /// 500 examinations of a furnished flat, or some seconds with thousands of items.
    package static let mostSeen = 100_000
    /// The minimum number of examinations of one dwelling: enough to find one item among thousands.
    package static let fewestLooks = 24
    /// The maximum number of items named, unless none of them can be left out.
    package static let mostNamed = 20
    /// The number of coarse examinations that cost as much as a certain one.
    private static let sureLook = 8
    /// Twice as coarse as usual, which is enough to find the items worth examining closely.
    private static let coarse = ChairSpace.Resolution(cell: 50, headings: 36)

    private let dwelling: Dwelling
    private let chair: Chair
    private let closed: Look
    /// The number of examinations left, some of which are reserved for finding several items.
    private var looks: Int
    private var reserve = 0
    /// Single items that keep the chair out of other rooms.
    private var known: [String] = []

    /// - Parameter seen: the maximum number of items and doors in all examinations together.
    /// - Throws: if no door is marked as an entrance.
    package init(
        _ dwelling: Dwelling, _ chair: Chair, seen: Int = Self.mostSeen
    ) throws(Refusal) {
        (self.dwelling, self.chair) = (dwelling, chair)
        closed = try dwelling.trip(of: chair).look(.standard, .possibly)
        let things = dwelling.barriers.count + dwelling.plan.openings.count
        looks = max(seen / max(things, 1), Self.fewestLooks)
    }

    /// What keeps the chair out of a room; nil if the chair can possibly reach it.
    /// - Throws: if there is no such room.
    package mutating func obstruction(of room: String) throws(Refusal) -> Obstruction? {
        guard let room = dwelling.plan.rooms[room] else {
            throw .notFound("the plan has no room \(room)")
        }
        let area = room.polygon
        guard !closed.reaches(area) else { return nil }
        guard looks > 0 else { return Obstruction(ids: [], isCertain: false, isLeast: false) }
        let suspects = suspects(near: area.bounds.centre)
        guard try isOpen(suspects, area) else {
            return Obstruction(ids: [], isCertain: true, isLeast: true)
        }
        reserve = looks / 2
        if let one = try known(area) { return try obstruction([one], area) }
        if let one = try single(suspects[...], area) {
            known.append(one)
            return try obstruction([one], area)
        }
        let ids = try needed(of: suspects[...], besides: [], area)
        guard looks > 0 || ids.count <= Self.mostNamed else {
            return Obstruction(ids: [], isCertain: false, isLeast: false)
        }
        return try obstruction(ids, area)
    }

    private mutating func obstruction(
        _ ids: [String], _ area: Polygon
    ) throws(Refusal) -> Obstruction {
        let isLeast = looks > 0 || ids.count == 1
        looks -= Self.sureLook
        let trip = try dwelling.trip(of: chair, without: Set(ids))
        return Obstruction(
            ids: ids.sorted(), isCertain: trip.look(.standard, .surely).reaches(area),
            isLeast: isLeast)
    }

    /// Whether the chair can possibly reach a room without some items.
    private mutating func isOpen(
        _ without: some Sequence<String>, _ area: Polygon
    ) throws(Refusal) -> Bool {
        looks -= 1
        return try dwelling.trip(of: chair, without: Set(without)).look(Self.coarse, .possibly)
            .reaches(area)
    }

    /// The obstacle of another room that is also the obstacle of this one, which is often the case.
    private mutating func known(_ area: Polygon) throws(Refusal) -> String? {
        for one in known where looks > reserve {
            if try isOpen([one], area) { return one }
        }
        return nil
    }

    /// The first suspect that alone opens the path. If a group together doesn't, none of its
    /// members does.
    private mutating func single(
        _ suspects: ArraySlice<String>, _ area: Polygon
    ) throws(Refusal) -> String? {
        guard looks > reserve, try isOpen(suspects, area) else { return nil }
        guard suspects.count > 1 else { return suspects.first }
        let half = suspects.count / 2
        if let found = try single(suspects.prefix(half), area) { return found }
        return try single(suspects.dropFirst(half), area)
    }

    /// The suspects that open the path together with others, preferring earlier ones; none of them
    /// can be left out unless the examinations were used up (QuickXplain, U. Junker, 2004). Finding
    /// k of n takes about 2k·log(n/k) examinations.
    private mutating func needed(
        of suspects: ArraySlice<String>, besides others: [String], isNew: Bool = false,
        _ area: Polygon
    ) throws(Refusal) -> [String] {
        guard looks > 0 else { return Array(suspects) }
        if isNew, try isOpen(others, area) { return [] }
        guard suspects.count > 1 else { return Array(suspects) }
        let half = suspects.count / 2
        let (first, last) = (suspects.prefix(half), suspects.dropFirst(half))
        let far = try needed(of: last, besides: others + first, isNew: true, area)
        let near = try needed(of: first, besides: others + far, isNew: !far.isEmpty, area)
        return near + far
    }

    /// The doors that are too narrow for the chair, then elements, then other doors; each group
    /// with the nearest first.
    private func suspects(near place: Vector) -> [String] {
        var suspects: [(rank: Int, distance: Double, id: String)] = dwelling.removable.map {
            (1, $0.place.distance(to: place), $0.id)
        }
        for opening in dwelling.plan.openings.values where opening.isPassable {
            let isClosed =
                Double(dwelling.passage(of: opening)) < chair.width
                || !dwelling.isLow(opening)
            let middle = dwelling.hole(opening)?.bounds.centre ?? place
            suspects.append((isClosed ? 0 : 2, middle.distance(to: place), opening.id))
        }
        return suspects.sorted { ($0.rank, $0.distance, $0.id) < ($1.rank, $1.distance, $1.id) }
            .map(\.id)
    }
}
