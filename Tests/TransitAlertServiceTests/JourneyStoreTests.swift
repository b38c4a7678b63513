import Foundation
import GRDB
import Messages
import TestStore
import Testing

@testable import ServiceRuntime
@testable import TransitAlertService

/// Which journeys are found in the store.
@Suite struct JourneyStoreTests {
    private let store: DatabaseQueue

    init() throws {
        store = try DatabaseQueue()
        try TransitStore.migrator.migrate(store)
    }

    /// Keeps journeys of a person that have ended.
    private func keep(
        _ ids: some Sequence<String>, to stop: Messages.Stop? = nil, _ db: Database
    ) throws {
        for id in ids {
            let journey = Journey(id: id, stop: stop, owner: "ann", stage: .finished, ended: 1)
            try JourneyWatch(journey: journey, file: "", lines: []).save(db)
        }
    }

    /// The newest journeys before one.
    private func newest(before id: String = "", _ db: Database) throws -> [Journey] {
        try JourneyWatch.newest(owner: "ann", activeOnly: false, before: id, db).map(\.journey)
    }

    @Test func `no more journeys are listed than fit into an answer, and then the others`() throws {
        let ids = (10..<40).map { "\($0)" }
        // 100 kB for each.
        let signs = (0..<1_000).map { "\($0) " + String(repeating: "x", count: 100) }
        try store.write { db in
            try keep(ids, to: Messages.Stop(headsigns: signs), db)
            var listed: [String] = []
            while case let page = try newest(before: listed.last ?? "", db), !page.isEmpty {
                #expect(Messages.Journeys(journeys: page).packed().count < 1 << 20)
                #expect(page.count < ids.count)
                listed += page.map(\.id)
            }

            #expect(listed == ids.reversed())
        }
    }

    @Test func `a journey that can't be read hides no other, and is deleted like them`() throws {
        try store.write { db in
            try keep(["1", "2", "3"], db)
            try db.execute(
                sql: """
                    UPDATE journey SET isActive = 1, file = 'city', journey = x'FF' WHERE id = '2'
                    """)

            #expect(try newest(db).map(\.id) == ["3", "1"])
            #expect(try JourneyWatch.activeIDs(db) == ["2"])
            #expect(try JourneyWatch.isRidden("city", db))
            try JourneyWatch.abandon("2", at: 1, db)
            #expect(try !JourneyWatch.isRidden("city", db))
            _ = try JourneyWatch.prune(endedBefore: 2, db)
            #expect(try JourneyWatch.ids(owner: "ann", db) == [])
        }
    }

    @Test func `the files of the store lose the journeys that are deleted for their age`() throws {
        let memory = try MemoryStore(of: .transitAlert, TransitStore.migrator)
        try memory.run { transaction in
            try JourneyHandling.prune("", due: 0, in: transaction)
            #expect(!transaction.turn.mustErase)
        }
        try memory.run { transaction in
            try keep(["1"], transaction.db)
            try JourneyHandling.prune("", due: 0, in: transaction)

            #expect(try JourneyWatch.ids(owner: "ann", transaction.db) == [])
            #expect(transaction.turn.mustErase)
        }
    }

    @Test func `at most 50 journeys are listed at a time`() throws {
        try store.write { db in
            try keep((100..<160).map { "\($0)" }, db)

            #expect(try newest(db).count == 50)
            #expect(try newest(before: "110", db).count == 10)
        }
    }
}
