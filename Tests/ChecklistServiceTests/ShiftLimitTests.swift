import GRDB
import Messages
import ServiceRuntime
import Testing

@testable import ChecklistService

/// How many shifts may begin.
struct ShiftLimitTests {
    private let store: DatabaseQueue

    init() throws {
        store = try DatabaseQueue()
        try ChecklistStore.migrator.migrate(store)
    }

    @Test func `people begin at most 50 shifts at a site within 24 hours`() throws {
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
}
