import Messages
import Speech

extension FoundShift {
    /// A shift for programs.
    package struct Report: Encodable {
        let shift: Extended<Shift>?
        let totals: ShiftTotals?
        /// The words that were looked for, as they stand in it; empty when none were.
        let excerpt: String

        package init(_ found: FoundShift) {
            shift = found.shift.map(\.report)
            (totals, excerpt) = (found.totals, found.excerpt)
        }
    }

    /// Shifts for people.
    package static func table(_ shifts: [FoundShift]) -> TextTable {
        let ids = shifts.compactMap { $0.shift?.id }
        let length = ShortID.length(telling: ids)
        let hasExcerpt = shifts.contains { !$0.excerpt.isEmpty }
        var table = TextTable(
            [
                .id("ID"), .time("DATE"), .text("PART"), .text("SITE"), .text("MANAGER"),
                .time("FROM"), .time("TO"), .number("OK"), .number("NOT OK"), .number("TASKS"),
                .number("TP"),
            ] + (hasExcerpt ? [.text("WORDS")] : []))
        for found in shifts {
            let shift = found.shift ?? Shift()
            let totals = found.totals
            table.add([
                .init(String(shift.id.prefix(length))), .init(shift.date),
                .init(shift.dayPartWord), .init(shift.siteName), .init(shift.managerName),
                .init(Wording.time(shift.started, in: shift.timeZone)),
                shift.ended == 0
                    ? .init("open", .green) : .init(Wording.time(shift.ended, in: shift.timeZone)),
                .init(totals.map { "\($0.ok)" } ?? ""),
                .init(totals.map { "\($0.notOk)" } ?? ""),
                .init(totals.map { "\($0.tasks)" } ?? ""),
                .init(
                    totals.map {
                        "\($0.travelPathsDone + $0.travelPathsLate)/\($0.travelPathsDue)"
                    } ?? ""), .init(found.excerpt),
            ])
        }
        return table
    }
}
