import Messages
import Speech

extension FoundShift {
    /// A shift in JSON.
    package struct Report: Encodable {
        let shift: Extended<Shift>?
        let totals: ShiftTotals?
        /// The text around the words searched for; empty if there were none.
        let excerpt: String

        package init(_ found: FoundShift) {
            shift = found.shift.map(\.report)
            (totals, excerpt) = (found.totals, found.excerpt)
        }
    }

    /// Shifts as a table.
    package static func table(_ shifts: [FoundShift]) -> TextTable {
        let ids = shifts.compactMap { $0.shift?.id }
        let length = ShortID.length(telling: ids)
        let hasExcerpt = shifts.contains { !$0.excerpt.isEmpty }
        // If there is only one site, its name isn't needed in each line.
        let hasSites = Set(shifts.compactMap { $0.shift?.site }).count > 1
        let zones = shifts.map { found in
            found.shift.flatMap { SiteClock(zone: $0.timeZone).foreignZone(at: $0.started) } ?? ""
        }
        let hasZones = zones.contains { !$0.isEmpty }
        var table = TextTable(
            [
                .id("ID"), .time("DATE"), .text("PART"),
            ] + (hasSites ? [.text("SITE")] : []) + [
                .text("MANAGER"), .time("FROM"), .time("TO"), .number("OK"), .number("NOT OK"),
                .number("TASKS"),
                .number("TP"),
            ] + (hasZones ? [.text("ZONE")] : []) + (hasExcerpt ? [.text("WORDS")] : []))
        for (found, zone) in zip(shifts, zones) {
            let shift = found.shift ?? Shift()
            let totals = found.totals
            var cells: [TextTable.Cell] = [
                .init(String(shift.id.prefix(length))), .init(shift.date),
                .init(shift.dayPartWord),
            ]
            if hasSites { cells.append(.init(shift.siteName)) }
            cells += [
                .init(shift.managerName),
                .init(Wording.time(shift.started, in: shift.timeZone)),
                shift.ended == 0
                    ? .init("open", .green) : .init(Wording.time(shift.ended, in: shift.timeZone)),
                .init(totals.map { "\($0.ok)" } ?? ""),
                .init(totals.map { "\($0.notOk)" } ?? ""),
                .init(totals.map { "\($0.tasks)" } ?? ""),
                .init(
                    totals.map {
                        "\($0.travelPathsDone + $0.travelPathsLate)/\($0.travelPathsDue)"
                    } ?? ""),
            ]
            if hasZones { cells.append(.init(zone)) }
            table.add(cells + [.init(found.excerpt)])
        }
        return table
    }
}
