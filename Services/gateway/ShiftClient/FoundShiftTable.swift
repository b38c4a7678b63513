import Messages
import Speech

extension FoundShift {
    /// A shift in JSON.
    package struct Report: Encodable {
        let shift: Extended<Shift>?
        let totals: ShiftTotals?
        /// The text around the words searched for; empty if there were none.
        let excerpt: String
        /// Why a scheduled shift did not begin.
        let missed: ScheduledStart?

        package init(_ found: FoundShift) {
            shift = found.shift.map(\.report)
            (totals, excerpt, missed) = (found.totals, found.excerpt, found.missed)
        }
    }

    /// Shifts as a table.
    package static func table(_ shifts: [FoundShift]) -> TextTable {
        let ids = shifts.compactMap { $0.shift?.id }.filter { !$0.isEmpty }
        let length = ShortID.length(telling: ids)
        let hasExcerpt = shifts.contains { !$0.excerpt.isEmpty }
        let hasMissed = shifts.contains { $0.missed != nil }
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
            ] + (hasZones ? [.text("ZONE")] : []) + (hasMissed ? [.text("WHY")] : [])
                + (hasExcerpt ? [.text("WORDS")] : []))
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
                end(of: found, shift),
                .init(totals.map { "\($0.ok)" } ?? ""),
                .init(totals.map { "\($0.notOk)" } ?? ""),
                .init(totals.map { "\($0.tasks)" } ?? ""),
                .init(
                    totals.map {
                        "\($0.travelPathsDone + $0.travelPathsLate)/\($0.travelPathsDue)"
                    } ?? ""),
            ]
            if hasZones { cells.append(.init(zone)) }
            if hasMissed { cells.append(.init(found.missed?.words(shift) ?? "")) }
            table.add(cells + [.init(found.excerpt)])
        }
        return table
    }

    private static func end(of found: FoundShift, _ shift: Shift) -> TextTable.Cell {
        if let missed = found.missed {
            return missed.outcome == .waiting ? .init("waits", .yellow) : .init("missed", .red)
        }
        return shift.ended == 0
            ? .init("open", .green) : .init(Wording.time(shift.ended, in: shift.timeZone))
    }
}

extension ScheduledStart {
    /// Why it did not begin, in words.
    fileprivate func words(_ shift: Shift) -> String {
        if outcome == .waiting {
            return "the shift of \(text) is still open; waits until "
                + Wording.time(latest, in: shift.timeZone)
        }
        return switch reason {
        case .open: "the shift of \(text) was still open"
        case .manager: "\(shift.managerName) may not run shifts there any more"
        case .refused: text
        default: "Steward wasn't running at that time"
        }
    }
}
