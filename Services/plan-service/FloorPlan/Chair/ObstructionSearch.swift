import Messages

/// What keeps a chair out of a room.
package struct Obstruction: Hashable, Sendable {
    /// The doors that would have to be wide, and the elements that would have to go; together they
    /// open the way. Without any, no door leads there or walls stand in the way, or what stands in
    /// the way is too much to be named.
    package let ids: [String]
    /// True when the way is then surely open.
    package let isCertain: Bool
    /// True when none of them can be left out; false when so much stands there that the search
    /// ended before that was known.
    package let isLeast: Bool
}

extension Dwelling {
    /// What keeps a chair out of a room: one thing where one is enough, otherwise several of which
    /// none can be left out. Nothing when the room can perhaps be reached.
    /// - Throws: when there is no such room, or no door is marked as an entrance.
    package func obstruction(of room: String, for chair: Chair) throws(Refusal) -> Obstruction? {
        var search = try ObstructionSearch(self, chair)
        return try search.obstruction(of: room)
    }
}

/// Looks for what keeps a chair out of the rooms of a dwelling, for a bounded number of looks at
/// the floor, however much stands there.
package struct ObstructionSearch {
    /// How many things and doors are looked at in all looks for one dwelling together: some 500
    /// looks at a furnished flat, some seconds where thousands of things stand.
    package static let mostSeen = 100_000
    /// Looks for one dwelling however much stands there: enough to find one thing among thousands.
    package static let fewestLooks = 24
    /// More things are not told, unless none of them can be left out.
    package static let mostNamed = 20
    /// How many coarse looks are as dear as the one that makes sure.
    private static let sureLook = 8
    /// Twice as coarse as usual: all that is asked is which of many things are worth a closer look.
    private static let coarse = ChairSpace.Resolution(cell: 50, headings: 36)

    private let dwelling: Dwelling
    private let chair: Chair
    private let closed: Look
    /// Looks that are left, and how many of them are for finding several things.
    private var looks: Int
    private var reserve = 0
    /// Single things that were found to keep the chair out of other rooms.
    private var known: [String] = []

    /// - Parameter seen: how many things and doors may be looked at in all looks together.
    /// - Throws: when no door is marked as an entrance.
    package init(
        _ dwelling: Dwelling, _ chair: Chair, seen: Int = Self.mostSeen
    ) throws(Refusal) {
        (self.dwelling, self.chair) = (dwelling, chair)
        closed = try dwelling.trip(of: chair).look(.standard, .possibly)
        let things = dwelling.barriers.count + dwelling.plan.openings.count
        looks = max(seen / max(things, 1), Self.fewestLooks)
    }

    /// What keeps the chair out of a room; nothing when it can perhaps be reached.
    /// - Throws: when there is no such room.
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

    /// Whether a room is perhaps reached without some things.
    private mutating func isOpen(
        _ without: some Sequence<String>, _ area: Polygon
    ) throws(Refusal) -> Bool {
        looks -= 1
        return try dwelling.trip(of: chair, without: Set(without)).look(Self.coarse, .possibly)
            .reaches(area)
    }

    /// What keeps the chair out of another room often keeps it out of this one too.
    private mutating func known(_ area: Polygon) throws(Refusal) -> String? {
        for one in known where looks > reserve {
            if try isOpen([one], area) { return one }
        }
        return nil
    }

    /// The first that opens the way alone. Where all of some don't, none of them does.
    private mutating func single(
        _ suspects: ArraySlice<String>, _ area: Polygon
    ) throws(Refusal) -> String? {
        guard looks > reserve, try isOpen(suspects, area) else { return nil }
        guard suspects.count > 1 else { return suspects.first }
        let half = suspects.count / 2
        if let found = try single(suspects.prefix(half), area) { return found }
        return try single(suspects.dropFirst(half), area)
    }

    /// Those of some suspects that open the way together with others, the first of them preferred;
    /// none of them can be left out unless the looks have come to an end (QuickXplain, U. Junker,
    /// 2004). For k of n it takes some 2k·log(n/k) looks.
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

    /// The doors that don't let the chair through, then elements, then other doors; each the nearer
    /// the sooner.
    private func suspects(near place: Vector) -> [String] {
        let terms = dwelling.terms
        var suspects: [(rank: Int, distance: Double, id: String)] = dwelling.barriers.map {
            (1, $0.place.distance(to: place), $0.id)
        }
        for opening in dwelling.plan.openings.values where opening.isPassable {
            let isClosed =
                Double(opening.passage.width) < chair.width || opening.threshold > terms.threshold
            let middle = dwelling.hole(opening)?.bounds.centre ?? place
            suspects.append((isClosed ? 0 : 2, middle.distance(to: place), opening.id))
        }
        return suspects.sorted { ($0.rank, $0.distance, $0.id) < ($1.rank, $1.distance, $1.id) }
            .map(\.id)
    }
}
