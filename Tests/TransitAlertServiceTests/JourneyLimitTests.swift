import Foundation
import GRDB
import Messages
import ServiceRuntime
import Testing

@testable import TransitAlertService

/// How many journeys a person may have.
@Suite struct JourneyLimitTests {
    private let store: DatabaseQueue

    init() throws {
        store = try DatabaseQueue()
        try TransitStore.migrator.migrate(store)
    }

    /// Adds the journeys of a person with numbers up to one.
    private func add(_ last: Int, of owner: String, active: Bool, _ db: Database) throws {
        try db.execute(
            sql: """
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
                INSERT OR IGNORE INTO journey (id, owner, file, isActive, journey, lines)
                SELECT ?2 || ?3 || ' ' || i, ?2, '', ?3, x'', '[]' FROM n
                """, arguments: [last, owner, active ? 1 : 0])
    }

    /// The reason for which another journey is refused; empty if it isn't.
    private func refused(_ owner: String, _ db: Database) throws -> String {
        do {
            let machine = Principal.machineOwner
            let principal =
                owner == machine.account ? machine : .account(owner, organisation: "o")
            try JourneyLimits.requireRoom(for: principal, db)
            return ""
        } catch let refusal as Refusal { return refusal.reason }
    }

    @Test func `a person has at most 20 journeys under way`() throws {
        #expect(JourneyLimits.mostActive == 20)
        try store.write { db in
            try add(100, of: "ann", active: false, db)
            try add(JourneyLimits.mostActive - 1, of: "ann", active: true, db)
            #expect(try refused("ann", db) == "")
            try add(JourneyLimits.mostActive, of: "ann", active: true, db)
            #expect(try refused("ann", db) == "journey.active")
            #expect(try refused("bob", db) == "")

            let machine = Principal.machineOwner.account
            try add(JourneyLimits.mostActive, of: machine, active: true, db)
            #expect(try refused(machine, db) == "")
        }
    }

    @Test func `a person has at most 1,000 journeys, until they are erased`() throws {
        #expect(JourneyLimits.most == 1_000)
        try store.write { db in
            try add(1, of: "ann", active: true, db)
            try add(JourneyLimits.most - 2, of: "ann", active: false, db)
            #expect(try refused("ann", db) == "")
            try add(JourneyLimits.most - 1, of: "ann", active: false, db)
            #expect(try refused("ann", db) == "journey.limit")
            #expect(try refused("bob", db) == "")

            try JourneyWatch.deleteAll(of: "ann", db)
            #expect(try refused("ann", db) == "")
        }
    }

    @Test func `kept positions are deleted with their journey, however it is deleted`() throws {
        try store.write { db in
            try add(1, of: "ann", active: false, db)
            for owner in ["bob", "eve"] { try add(1, of: owner, active: true, db) }
            for (owner, id) in [("ann", "ann0 1"), ("bob", "bob1 1"), ("eve", "eve1 1")] {
                try KeptFix.add([Fix(time: 1)], to: id, of: owner, db)
            }
            let kept = "SELECT journey FROM keptFix ORDER BY journey"

            _ = try JourneyWatch.prune(endedBefore: 1, db)
            #expect(try !KeptFix.gone.sweep(db))
            #expect(try String.fetchAll(db, sql: kept) == ["bob1 1", "eve1 1"])
            try JourneyWatch.deleteAll(of: "bob", db)
            #expect(try !KeptFix.gone.sweep(db))
            #expect(try String.fetchAll(db, sql: kept) == ["eve1 1"])
        }
    }

    @Test func `very many positions are deleted in stretches, and none can be read meanwhile`()
        throws
    {
        try store.write { db in
            func count(_ rows: String) throws -> Int {
                try Int.fetchOne(db, sql: "SELECT count(*) FROM \(rows)") ?? 0
            }
            func keep(_ rows: Int, bytes: Int, of journey: String) throws {
                for number in 0..<rows {
                    try db.execute(
                        sql: "INSERT INTO keptFix VALUES (?, ?, 1, zeroblob(?))",
                        arguments: [journey, number, bytes])
                }
            }
            try add(3, of: "ann", active: true, db)
            try add(1, of: "bob", active: true, db)
            let most = GoneRows.mostRows
            try keep(most + 10, bytes: 20, of: "ann1 1")
            try keep(most - 20, bytes: 20, of: "ann1 2")
            try keep(10, bytes: 500_000, of: "ann1 3")
            try keep(10, bytes: 20, of: "bob1 1")

            try KeptFix.giveUpUnderWay(of: "ann", db)
            #expect(try KeptFix.read("ann1 1", after: 0, db).fixes.isEmpty)
            try JourneyWatch.deleteAll(of: "ann", db)

            var left = [try count("keptFix")]
            while try KeptFix.gone.sweep(db) { left.append(try count("keptFix")) }
            let steps = zip(left, left.dropFirst()).map { $0 - $1 }
            // Five of the largest rows are more than the bytes of a stretch, and four are less.
            #expect(steps == [most, most - 5, 5])
            #expect(try count("keptFix") == 10 && count("keptFix WHERE journey = 'bob1 1'") == 10)
            #expect(try count("goneFix") == 0)
        }
    }

    @Test func `positions of at most 200 journeys of a person are kept`() throws {
        #expect(JourneyLimits.mostWithPositions == 200)
        try store.write { db in
            let most = JourneyLimits.mostWithPositions
            for owner in ["ann", "bob"] { try add(most + 1, of: owner, active: true, db) }
            func keep(_ number: Int, of owner: String) throws -> Int {
                let journey = "\(owner)1 \(number)"
                try KeptFix.add([Fix(time: 1)], to: journey, of: owner, db)
                return try Int.fetchOne(
                    db, sql: "SELECT count(*) FROM keptFix WHERE journey = ?",
                    arguments: [journey]) ?? 0
            }
            for number in 1...most { #expect(try keep(number, of: "ann") == 1) }

            #expect(try keep(most + 1, of: "ann") == 0)
            #expect(try keep(most, of: "ann") == 2)
            #expect(try keep(1, of: "bob") == 1)
            try db.execute(sql: "DELETE FROM journey WHERE id = 'ann1 1'")
            #expect(try keep(most + 1, of: "ann") == 1)
        }
    }
}
