import Foundation
import Messages
import Testing

@testable import AccessRules

/// The rooms of `rooms.txt`, each decided by hand.
struct RoomTableTests {
    private struct Row {
        let finding: String
        let clause: Substring
        let verdict: Substring
        /// The margin as it is written: `-1`, `0~1` if it is exact to 1 mm, `-` for none.
        let margin: Substring
        let room: Substring
        let line: Int

        var standard: String { String(finding.prefix { $0 != "/" }) }
        var rule: String { finding.split(separator: "/").prefix(2).joined(separator: "/") }

        func isMargin(_ found: Int32?) -> Bool {
            let parts = margin.split(separator: "~")
            guard let number = parts.first.flatMap({ Int32($0) }) else {
                return margin == "0.." ? found.map { $0 >= 0 } ?? false : margin == "-"
            }
            let play = parts.count > 1 ? Int32(parts[1]) ?? 0 : 0
            return found.map { abs($0 - number) <= play } ?? false
        }
    }

    private static func rows() throws -> [Row] {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
        let text = try String(contentsOf: file.appending(path: "rooms.txt"), encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return try lines.enumerated().compactMap { number, line in
            guard !line.isEmpty, !line.hasPrefix("#") else { return nil }
            let cells = line.split(separator: " | ")
            try #require(cells.count == 5, "line \(number + 1): \(line)")
            let decided = cells[2].split(separator: " ")
            try #require(decided.count == 2, "line \(number + 1): \(line)")
            return Row(
                finding: String(cells[0]), clause: cells[1], verdict: decided[0],
                margin: decided[1], room: cells[3], line: number + 1)
        }
    }

    @Test func `each room gets the verdict that was worked out by hand`() throws {
        let rows = try Self.rows()
        #expect(rows.count >= 200)
        for row in rows {
            let room = try DrawnRoom(row.room)
            let found = try Drawing.inspection(room.items, [row.standard]).finding(row.finding)
            let finding = try #require(found, "line \(row.line): nothing is found")
            #expect(
                finding.verdict.description == row.verdict && row.isMargin(finding.margin)
                    && finding.clause == row.clause,
                """
                line \(row.line), \(row.finding), \(row.room): \(finding.verdict) \
                \(finding.margin ?? 9_999), not \(row.verdict) \(row.margin)
                """)
        }
    }

    @Test func `each clause has one room that passes and one that fails`() throws {
        let rows = Dictionary(grouping: try Self.rows(), by: \.rule)
        for set in RuleBook.sets + [RuleBook.aids] {
            for rule in set.rules {
                let verdicts = Set((rows["\(set.standard)/\(rule.id)"] ?? []).map(\.verdict))
                #expect(
                    verdicts.contains("pass") && verdicts.contains { $0 != "pass" },
                    "\(set.standard)/\(rule.id) has \(verdicts)")
            }
        }
    }
}
