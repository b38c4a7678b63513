import GRDB
import Messages
import TestStore
import Testing

@testable import ServiceRuntime
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

    // MARK: Deletion

    private func count(_ rows: String, _ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM \(rows)") ?? 0
    }

    /// Imports ten landmarks more than are deleted in a stretch.
    private func fill(_ db: Database) throws {
        try send(0, of: "a", last: true, db)
        try db.execute(
            sql: """
                WITH RECURSIVE counter (i) AS (
                    SELECT 1 UNION ALL SELECT i + 1 FROM counter WHERE i < ?)
                INSERT INTO landmark (name, version, north, east, type, landmark)
                SELECT name, version, north, east, type, landmark FROM landmark, counter
                """, arguments: [GoneRows.mostRows + 9])
    }

    @Test func `very many landmarks are deleted in stretches, and none is found meanwhile`() throws
    {
        try store.write { db in
            try fill(db)
            #expect(try LandmarkSet.delete("town", db))

            #expect(try names(db).isEmpty)
            #expect(try !LandmarkSet.delete("town", db))
            // Nor does a new set of that name have any of them.
            try send(0, of: "b", last: true, db)
            #expect(try names(db) == ["b 0"])
            #expect(try GoneLandmarks.rows.sweep(db))
            #expect(try count("landmark", db) == 11)
            #expect(try !GoneLandmarks.rows.sweep(db))
            #expect(try names(db) == ["b 0"])
            #expect(try count("landmark", db) == 1)
            #expect(try count("goneLandmark", db) == 0)
        }
    }

    @Test func `what an import replaces, and what arrived of one that was begun again, is deleted`()
        throws
    {
        try store.write { db in
            try send(0, of: "a", last: true, db)
            try send(0, of: "b", db)
            try send(0, of: "c", db)
            try send(1, of: "c", last: true, db)

            while try GoneLandmarks.rows.sweep(db) {}

            #expect(try names(db) == ["c 0", "c 1"])
            #expect(try count("landmark", db) == 2)
        }
    }

    @Test func `removing very many landmarks deletes a stretch of them, and a timer the rest`()
        throws
    {
        let memory = try MemoryStore(of: .transitAlert, TransitStore.migrator)
        try memory.run { transaction in
            let db = transaction.db
            try fill(db)

            let sets = try Landmarks.remove(RemoveLandmarks(set: "town"), in: transaction).sets

            #expect(sets.isEmpty)
            #expect(try count("landmark", db) == 10)
            #expect(try count("timer WHERE kind = 'landmarks'", db) == 1)
            #expect(TransitAlertService.timers.contains { $0.kind == "landmarks" })
        }
    }
}
