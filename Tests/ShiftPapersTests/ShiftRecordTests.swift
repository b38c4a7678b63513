import Foundation
import Messages
import ShiftLog
import Testing

@testable import ShiftPapers

/// A shift exported for other programs.
struct ShiftRecordTests {
    @Test func `a shift as JSON is read back unchanged`() throws {
        let record = ShiftRecord(try PrintedShift.restaurant(language: "sv").state)
        let json = try JSONEncoder().encode(record)
        #expect(try JSONDecoder().decode(ShiftRecord.self, from: json) == record)
        #expect(record.started == "2026-03-14T08:00:00.000Z")
        #expect(record.lists.map(\.version) == [3, 3])
    }

    @Test func `CSV has a row for each task, with who checked it and when`() throws {
        let state = try PrintedShift.restaurant(language: "en").state
        let rows = ShiftRecord(state).csv.split(separator: "\r\n")
        #expect(rows.count == state.lists.tasks.count + 1)
        #expect(rows.contains { $0.contains(",ok,2026-03-14T08:02:00.000Z,Åse,") })
    }

    @Test func `a cell is never a formula and always one cell`() throws {
        let shift = try PrintedShift.busy([
            ("=HYPERLINK(\"http://x\")", "@a, \"b\"\nc"), ("-1+1", ""), ("Plain", ""),
        ])
        let csv = ShiftRecord(shift.state).csv
        #expect(csv.contains("\"'=HYPERLINK(\"\"http://x\"\")\""))
        #expect(csv.contains(",'-1+1,"))
        #expect(csv.contains("\"'@a, \"\"b\"\"\nc\""))
    }
}
