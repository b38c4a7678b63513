import Messages
import Papers
import Phrases

/// What a weekly report about sites says.
package struct SiteComparison: Sendable {
    /// A scheduled shift that did not begin.
    package struct Missed: Sendable {
        /// The local date and time at which it should have begun.
        package let time: String
        /// Where, and why not.
        package let reason: String

        package init(time: String, reason: String) {
            self.time = time
            self.reason = reason
        }
    }

    /// The names of the sites.
    package let sites: [String]
    /// The figures of each week and site, in order.
    package let rows: [StatisticsRow]
    /// The tasks that were most often not ok, in order.
    package let tasks: [StatisticsRow]
    /// The scheduled shifts that did not begin, newest first.
    package let missed: [Missed]
    /// The first and the last date, ISO 8601.
    package let (from, to): (String, String)
    /// Its language, ISO 639-1.
    package let language: String

    package init(
        sites: [String], rows: [StatisticsRow], tasks: [StatisticsRow], missed: [Missed],
        from: String, to: String, language: String
    ) {
        (self.sites, self.rows, self.tasks, self.missed) = (sites, rows, tasks, missed)
        (self.from, self.to, self.language) = (from, to, language)
    }

    /// The report as a paper.
    package var paper: Paper {
        let words = Words<PaperPhrase>(.of(language))
        var blocks: [Paper.Block] = [
            rows.isEmpty ? .remark(words.say(.noShifts)) : .table(comparison(words))
        ]
        if !missed.isEmpty {
            blocks.append(.heading(words.say(.missedShifts)))
            blocks += missed.map {
                .item(Paper.Item(sign: .notOk, title: $0.time, detail: $0.reason.shown))
            }
        }
        if !tasks.isEmpty {
            blocks += [.heading(words.say(.oftenNotOk)), .table(often(words))]
        }
        return Paper(
            title: words.say(.weeklyReport), site: sites.joined(separator: ", ").shown,
            occasion: words.say(.fromTo, ["from": from, "to": to]), summary: "", size: .hand,
            language: language, dated: "\(to)T23:59:00", blocks: blocks)
    }

    private func comparison(_ words: Words<PaperPhrase>) -> Paper.Table {
        let numbers: [PaperPhrase] = [
            .shifts, .missedCount, .lookedAt, .notOkRate, .overdueCount, .travelPaths,
        ]
        return Paper.Table(
            columns: [
                .init(title: words.say(.week), weight: 5),
                .init(title: words.say(.site), weight: 8),
            ] + numbers.map { .init(title: words.say($0), isNumber: true, weight: 4) },
            rows: rows.map { row in
                let totals = row.totals ?? ShiftTotals()
                let looked = totals.ok + totals.notOk + totals.notApplicable
                return [
                    row.week, row.site.shown, "\(row.shifts)", "\(row.missed)",
                    percent(looked, totals.tasks), percent(totals.notOk, looked),
                    "\(totals.overdue)",
                    "\(totals.travelPathsDone + totals.travelPathsLate)/\(totals.travelPathsDue)",
                ]
            })
    }

    private func often(_ words: Words<PaperPhrase>) -> Paper.Table {
        Paper.Table(
            columns: [
                .init(title: words.say(.task), weight: 12),
                .init(title: words.say(.notOkRate), isNumber: true, weight: 3),
                .init(title: words.say(.shifts), isNumber: true, weight: 3),
            ],
            rows: tasks.map { row in
                let totals = row.totals ?? ShiftTotals()
                return [
                    row.name.shown, percent(totals.notOk, totals.ok + totals.notOk),
                    "\(totals.notOk)/\(row.shifts)",
                ]
            })
    }

    private func percent(_ part: UInt32, _ whole: UInt32) -> String {
        whole == 0 ? "" : "\((Int(part) * 200 + Int(whole)) / (2 * Int(whole)))\u{A0}%"
    }
}
