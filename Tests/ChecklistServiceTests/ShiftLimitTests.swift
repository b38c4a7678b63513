import Foundation
import GRDB
import Messages
import ServiceRuntime
import TestStore
import Testing

@testable import ChecklistService

/// How many shifts may begin, who gets numbers for to-dos, and how many figures are in an answer.
struct ShiftLimitTests {
    private let store: DatabaseQueue

    init() throws {
        store = try DatabaseQueue()
        try ChecklistStore.migrator.migrate(store)
    }

    @Test func `an account gets at most 500 blocks of numbers at a site, and keeps those it has`()
        throws
    {
        try store.write { db in
            func block(
                _ device: String, by account: String, at site: String = "s"
            ) throws -> UInt32 {
                try NumberBlock.of(device, at: site, by: account, db)
            }
            let given = try (1...500).map { try block("\($0)", by: "cook") }
            #expect(given == Array(1...500))
            #expect(try block("501", by: "cook") == 0)
            #expect(try block("7", by: "cook") == 7)
            #expect(try block("1", by: "cook", at: "t") == 1)
            #expect(try block("phone", by: "ann") == 501)
            // Everyone on the machine acts as its owner.
            for number in 1...501 {
                let block = try block("own \(number)", by: Principal.machineOwner.account)
                #expect(block == UInt32(501 + number))
            }
        }
    }

    @Test func `devices leave a block of numbers for the service`() throws {
        try store.write { db in
            try db.execute(
                sql: """
                    INSERT INTO numberBlock (site, device, block, used, account)
                    VALUES ('s', 'phone', ?, 0, 'ann')
                    """, arguments: [NumberBlock.last - 1])
            #expect(try NumberBlock.of("tablet", at: "s", by: "bob", db) == 0)
            #expect(try NumberBlock.next(at: "s", db) == 9_999_001)
            #expect(try NumberBlock.next(at: "s", db) == 9_999_002)
        }
    }

    @Test func `people begin at most 50 shifts at a site within 24 hours`() throws {
        #expect(ShiftRow.mostInDay == 50)
        let now: Int64 = 1_700_000_000_000
        try store.write { db in
            func begin(_ number: Int, at time: Int64) throws {
                try ShiftRow(
                    shift: Shift(
                        id: "\(number)", site: "s", started: time, ended: time + 1)
                ).save(db)
            }
            func isRefused(
                _ principal: Principal = .account("ann", organisation: "o"), at site: String = "s"
            ) throws -> Bool {
                do {
                    try ShiftRow.requireRoom(at: site, for: principal, at: now, db)
                    return false
                } catch let refusal as Refusal { return refusal.isBecause(.shiftLimit) }
            }
            for number in 1..<ShiftRow.mostInDay { try begin(number, at: now - Int64(number)) }
            try begin(100, at: now - 86_400_000)
            // The clock was ahead.
            try begin(101, at: now + 1)
            #expect(try !isRefused())

            try begin(102, at: now - 86_399_999)
            #expect(try isRefused())
            #expect(try !isRefused(at: "t"))
            #expect(try !isRefused(.machineOwner))
        }
    }

    @Test func `statistics of many weeks and sites have as many rows as fit`() throws {
        let name = String(repeating: "x", count: 80)
        try MemoryStore(of: .checklist, ChecklistStore.migrator).run { transaction in
            let insert = try transaction.db.cachedStatement(
                sql: """
                    INSERT INTO shiftFigures
                        (shift, site, siteName, date, manager, managerName, text, totals)
                    VALUES (?, ?, ?, ?, 'Ann', 'ann', ?, ?)
                    """)
            let totals = Data(ShiftTotals(tasks: 1).packed())
            var shifts: Int64 = 0
            for site in 10..<60 {
                try SiteRow(organisation: "o", site: Site(id: "\(site)", name: "\(name) \(site)"))
                    .save(transaction.db)
                for month in 0..<36 {
                    let number = month % 12 + 1
                    let prefix = "\(2024 + month / 12)-\(number < 10 ? "0" : "")\(number)"
                    for day in ["01", "08", "15", "22"] {
                        shifts += 1
                        try insert.execute(arguments: [
                            "\(shifts)", "\(site)", "\(name) \(site)", "\(prefix)-\(day)", shifts,
                            totals,
                        ])
                    }
                }
            }

            let all = try ShiftStatistics.read(ReadStatistics(by: .siteWeek), in: transaction)
            let one = try ShiftStatistics.read(
                ReadStatistics(site: "10", by: .siteWeek), in: transaction)

            #expect(all.packed().count < 1 << 20)
            #expect(all.rows.count > 1_000 && all.leftOut > 0)
            #expect(all.rows.count + Int(all.leftOut) == Int(shifts))
            #expect(all.rows.first?.week == "2024-W01" && all.rows.first?.shifts == 1)
            #expect(one.rows.count == 144 && one.leftOut == 0)
        }
    }
}
