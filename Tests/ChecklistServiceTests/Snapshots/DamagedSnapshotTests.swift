import Foundation
import GRDB
import Messages
import TestStore
import Testing

@testable import ChecklistService

/// Snapshots of a store in which some rows can't be read.
struct DamagedSnapshotTests {
    private let store: MemoryStore

    /// Makes two sites with a row of each kind.
    init() throws {
        store = try MemoryStore(of: .checklist, ChecklistStore.migrator)
        try store.run { transaction in
            for site in ["a", "b"] { try Self.fill(site, transaction.db) }
        }
    }

    private static func fill(_ site: String, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO template (id, organisation, site, name, version, removed)
                VALUES (?, 'o', '', ?, 1, 0)
                """, arguments: [site, site])
        try db.execute(
            sql: """
                INSERT INTO templateVersion (template, version, digest, body)
                VALUES (?, 1, x'00', ?)
                """, arguments: [site, Data(ChecklistTemplate(id: site).packed())])
        try SiteSettings(site: site).save(db)
        try ScheduleRow.save(ScheduledShift(id: site, site: site), db)
        try ReportRow.save(SiteReport(id: site), db)
        try StandingTodo.keep(CarriedTodo(id: site), at: site, isArchived: true, db)
        try Equipment(id: site, site: site, name: site)
            .save(EquipmentEntry(text: "new"), namedBy: "ann", db)
        try ShiftRow(shift: Shift(id: site, site: site, started: 1)).save(db)
        var end = try ArchiveEnd.of(site, db)
        for number in 1...2 {
            try end.append(
                ShiftOperation(
                    id: Array(site.utf8) + [UInt8(number)], shift: site,
                    sequence: UInt64(number)), isContradiction: false, db)
        }
    }

    /// The events of a snapshot, each with its subject.
    private func told() throws -> [String] {
        try store.run { transaction in
            var told: [String] = []
            try ChecklistService.pass(transaction) { event, subject in
                var name = "\(type(of: event)) \(subject)"
                if let event = event as? ShiftAdvanced { name += " \(event.operations.count)" }
                told.append(name)
            }
            return told
        }
    }

    private func whole(_ site: String) -> [String] {
        let kinds = ["Template", "Settings", "Equipment", "StandingTodo", "ScheduledShift"]
        return kinds.map { "\($0)Changed \(site)" }
            + ["SiteReportChanged \(site)", "ShiftAdvanced \(site) 2"]
    }

    @Test func `a row that can't be read keeps no other out of a snapshot`() throws {
        #expect(try Set(told()) == Set(whole("a") + whole("b")))

        try store.run { transaction in
            for (table, column, key) in [
                ("templateVersion", "body", "template"), ("settings", "settings", "site"),
                ("equipment", "equipment", "site"), ("standingTodo", "todo", "site"),
                ("scheduledShift", "shift", "site"), ("siteReport", "report", "id"),
                ("shift", "shift", "site"),
            ] {
                try transaction.db.execute(
                    sql: "UPDATE \(table) SET \(column) = x'FF' WHERE \(key) = 'a'")
            }
            try transaction.db.execute(
                sql: "UPDATE operation SET body = x'FF' WHERE site = 'a' AND sequence = 1")
        }

        // What happened in a shift is known without its own row.
        #expect(try Set(told()) == Set(["ShiftAdvanced a 1"] + whole("b")))
    }

    @Test func `sites and people that account-service can't read are kept, and no others`() throws {
        let known = try store.run { transaction -> [String] in
            for (organisation, site) in [("o", "a"), ("p", "b"), ("q", "c")] {
                try SiteRow(organisation: organisation, site: Site(id: site, name: site))
                    .save(transaction.db)
            }
            for id in ["ann", "bob"] {
                try Person(account: Account(id: id, name: id, organisation: "o"))
                    .save(transaction.db)
            }
            let leftOut = ["a", "q", "bob"].map {
                Envelope(type: SetAside.protobufName, subject: $0)
            }
            try ChecklistService.forget(.account, except: leftOut, transaction)
            return try String.fetchAll(
                transaction.db, sql: "SELECT id FROM site UNION ALL SELECT id FROM person")
        }
        #expect(known.sorted() == ["a", "bob", "c"])
    }
}
