import GRDB
import Messages
import ServiceRuntime

/// How many journeys a person has, and whether there is room for another.
enum JourneyLimits {
    /// The maximum number of journeys of a person that are under way.
    static let mostActive = 20
    /// The maximum number of journeys of a person, including those of the last 30 days.
    static let most = 1_000
    /// The maximum number of journeys of a person whose positions are kept.
    static let mostWithPositions = 200

    /// Makes the index that counts a person's journeys under way without reading any others.
    static func makeIndex(_ db: Database) throws {
        try db.execute(
            sql: "CREATE INDEX activeJourneyByOwner ON journey (owner) WHERE isActive = 1")
    }

    /// Refuses another journey when an account has too many. The owner of the machine may fill the
    /// disk anyway.
    static func requireRoom(for principal: Principal, _ db: Database) throws {
        guard principal.kind == .account else { return }
        let owner = principal.account
        let active = try Int.fetchOne(
            db.cachedStatement(
                sql: "SELECT count(*) FROM journey WHERE owner = ? AND isActive = 1"),
            arguments: [owner])
        guard active ?? 0 < mostActive else {
            throw Refusal.conflict(
                "you have \(mostActive) journeys under way, and no more are possible; finish one: "
                    + "steward transit finish"
            ).because(.journeyActive, ["most": "\(mostActive)"])
        }
        let all = try Int.fetchOne(
            db.cachedStatement(sql: "SELECT count(*) FROM journey WHERE owner = ?"),
            arguments: [owner])
        guard all ?? 0 < most else {
            throw Refusal.conflict(
                "you have begun \(most) journeys in the last 30 days, and no more are possible; "
                    + "have them erased: steward transit erase"
            ).because(.journeyLimit, ["most": "\(most)"])
        }
    }

    /// True if positions of another journey may be kept for a person.
    static func hasRoomForPositions(of owner: String, _ db: Database) throws -> Bool {
        let count = try Int.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT count(*) FROM journey WHERE owner = ?
                        AND EXISTS (SELECT 1 FROM keptFix WHERE keptFix.journey = journey.id)
                    """), arguments: [owner])
        return count ?? 0 < mostWithPositions
    }
}
