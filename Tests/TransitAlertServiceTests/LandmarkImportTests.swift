import GRDB
import Messages
import Testing

@testable import TransitAlertService

/// Tests that the parts of one import of landmarks never mix with those of another.
@Suite struct LandmarkImportTests {
    private let store: DatabaseQueue

    init() throws {
        store = try DatabaseQueue()
        try TransitStore.migrator.migrate(store)
    }

    /// Sends a part with one landmark, which is named after its import and its number.
    private func send(_ part: UInt32, of id: String, last: Bool = false, _ db: Database) throws {
        var incoming = try IncomingLandmarks.of("town", id: id, part: part, db)
        try incoming.add(
            [
                Landmark(
                    type: "park", name: "\(id) \(part)",
                    place: Coordinate(latitudeE7: 1, longitudeE7: 1))
            ], db)
        if last { _ = try incoming.finish(at: 1_000, db) }
    }

    /// The names of the landmarks in use.
    private func names(_ db: Database) throws -> [String] {
        try NumberedLandmark.all(
            in: [Cell(Coordinate(latitudeE7: 1, longitudeE7: 1))], limit: 99, db
        ).map(\.landmark.name)
    }

    /// The reason for which a part is refused; empty if it isn't.
    private func refusal(_ body: () throws -> Void) throws -> String {
        do {
            try body()
            return ""
        } catch let refusal as Refusal { return refusal.message }
    }

    @Test func `of two imports at once the later one counts, and the other is told why`() throws {
        try store.write { db in
            try send(0, of: "a", db)
            try send(0, of: "b", db)

            let refused = try refusal { try send(1, of: "a", last: true, db) }
            try send(1, of: "b", last: true, db)

            #expect(refused.contains("another import of the landmarks “town” has begun"))
            #expect(try names(db) == ["b 0", "b 1"])
        }
    }

    @Test func `a part of an import that another one has replaced is refused`() throws {
        try store.write { db in
            try send(0, of: "a", db)
            try send(0, of: "b", last: true, db)

            let refused = try refusal { try send(1, of: "a", last: true, db) }

            #expect(refused.contains("another import"))
            #expect(try names(db) == ["b 0"])
        }
    }

    @Test func `an interrupted import keeps the former landmarks, and can be begun again`() throws {
        try store.write { db in
            try send(0, of: "a", last: true, db)
            try send(0, of: "b", db)
            #expect(try names(db) == ["a 0"])
            #expect(try refusal { try send(2, of: "b", db) }.contains("part 1 is next"))

            try send(0, of: "c", db)
            try send(1, of: "c", last: true, db)

            #expect(try names(db) == ["c 0", "c 1"])
        }
    }
}
