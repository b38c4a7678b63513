import Messages

extension PlanReach {
    /// About how many bytes an answer about where a chair can go may have: it is one message.
    static let mostBytes = 600_000
    /// How many of these may describe what blocks rooms, and doors that are too narrow.
    private static let mostObstructionBytes = 250_000
    private static let mostDoorBytes = 150_000

    /// The same if it fits into an answer. Otherwise it leaves out the obstructions that don't fit,
    /// the least narrow doors and, if that isn't enough, the rooms that the chair reaches, first
    /// those in which it also turns, then the names. Rooms that it doesn't or may not reach stay.
    ///
    /// - Throws: a refusal if even the rooms that it doesn't reach are too many.
    func bounded() throws(Refusal) -> PlanReach {
        guard isTooLarge else { return self }
        var reach = self
        reach.shorten()
        if reach.isTooLarge {
            reach.rooms.removeAll { $0.reached == .pass && $0.turned == .pass }
        }
        if reach.isTooLarge { reach.rooms.removeAll { $0.reached == .pass } }
        if reach.isTooLarge {
            for index in reach.rooms.indices { reach.rooms[index].name = "" }
        }
        guard !reach.isTooLarge else { throw Refusal.tooManyRooms }
        return reach
    }

    private var isTooLarge: Bool { packed().count > Self.mostBytes }

    private mutating func shorten() {
        var bytes = 0
        for index in rooms.indices {
            let room = rooms[index]
            let size = room.blockedBy.reduce(room.obstruction.utf8.count) { $0 + $1.utf8.count }
            if bytes + size <= Self.mostObstructionBytes {
                bytes += size
            } else {
                (rooms[index].obstruction, rooms[index].blockedBy) = ("", [])
            }
        }
        var doorBytes = 0
        doors = Array(
            doors.prefix {
                doorBytes += $0.packed().count
                return doorBytes <= Self.mostDoorBytes
            })
    }
}

extension Refusal {
    /// The refusal for a plan with more unreachable rooms than an answer can name.
    fileprivate static let tooManyRooms = Refusal(
        code: .tooLarge,
        message: "the chair doesn't reach more rooms than an answer can name; divide the plan, "
            + "e.g. a plan for each dwelling"
    ).because(.planWork)
}
