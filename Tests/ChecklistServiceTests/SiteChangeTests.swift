import GRDB
import Messages
import ServiceRuntime
import TestStore
import Testing

@testable import ChecklistService

/// What follows when account-service says that sites have changed.
struct SiteChangeTests {
    private let store: MemoryStore

    init() throws { store = try MemoryStore(of: .checklist, ChecklistStore.migrator) }

    /// Applies a change of sites.
    ///
    /// - Returns: the sites whose scheduled shifts are then reviewed.
    private func woken(byChangeOf sites: [Site]) throws -> [String] {
        try store.run { transaction in
            try transaction.db.execute(sql: "DELETE FROM timer")
            try Sites.changed(
                OrganisationChanged(organisation: Organisation(id: "o", sites: sites)), Envelope(),
                in: transaction)
            return try String.fetchAll(
                transaction.db,
                sql: "SELECT subject FROM timer WHERE kind = 'schedule' ORDER BY subject")
        }
    }

    @Test func `a site that has changed is woken only if shifts are scheduled there`() throws {
        let sites = ["a", "b"].map { Site(id: $0, name: $0, timeZone: "Etc/UTC") }
        try store.run { transaction in
            try ScheduleRow.save(ScheduledShift(id: "1", site: "b"), transaction.db)
        }

        #expect(try woken(byChangeOf: sites) == ["b"])
        let moved = ["a", "b"].map { Site(id: $0, name: $0, timeZone: "Europe/Oslo") }
        #expect(try woken(byChangeOf: moved) == ["b"])
        let zones = try store.run { transaction in
            try SiteRow.all(of: .all, transaction.db).map(\.site.timeZone)
        }
        #expect(zones == ["Europe/Oslo", "Europe/Oslo"])
    }

    @Test func `a site is found without reading the others`() throws {
        try store.run { transaction in
            let db = transaction.db
            try SiteRow(organisation: "o", site: Site(id: "a", name: "A")).save(db)
            try db.execute(sql: "INSERT INTO site VALUES ('b', 'o', 'b', x'FF')")

            #expect(try SiteRow.ofID("a", db)?.site.name == "A")
            #expect(try SiteRow.ofID("c", db)?.site == nil)
        }
    }

    @Test(arguments: [false, true])
    func `the machine's owner may do everything, or what the roles say where others reach the bus`(
        isShared: Bool
    ) throws {
        var store = store
        if isShared { store.settings = ["STEWARD_BUS": "tcp://127.0.0.1:5560"] }
        let owner = Principal.machineOwner.account
        let lead = ShiftLead(account: owner, accountName: owner, name: "Ann")
        let row = SiteRow(organisation: "o", site: Site(id: "a", name: "A"))
        func mayRunShifts(_ grants: Grant...) throws -> Bool {
            try store.run { transaction in
                try Person(
                    account: Account(id: owner, name: owner, organisation: "o", grants: grants)
                )
                .save(transaction.db)
                return try lead.mayRunShifts(at: row, in: transaction)
            }
        }

        #expect(try store.run { try lead.mayRunShifts(at: row, in: $0) })
        #expect(try mayRunShifts() == !isShared)
        #expect(try mayRunShifts(Grant(role: .owner)))
    }
}
