/// How long closed issues took, compared with their estimates.
package struct EstimateSpread: Hashable, Sendable {
    /// The minimum number of issues from which something can be concluded.
    package static let fewest = 5

    /// The number of issues.
    package let issues: Int
    /// The time they took, in percent of the estimate: of ten issues, about nine took at least the
    /// low part, and about nine at most the high one; half of them took at most the median.
    package let low: Int
    package let median: Int
    package let high: Int

    /// The spread of these times, in percent and in order; nil if they are too few.
    package init?(_ percents: [Int]) {
        let count = percents.count
        guard count >= Self.fewest else { return nil }
        issues = count
        low = percents[(count - 1) / 10]
        median = percents[count / 2]
        high = percents[9 * count / 10]
    }

    /// The time that each closed issue of a project took, in percent of its estimate and in order.
    /// An issue without an estimate or without time worked isn't counted, nor is one with parts.
    package static func percents(of record: ProjectRecord) -> [Int] {
        var spent: [Int: Int] = [:]
        for entry in record.entries.values { spent[entry.issue, default: 0] += entry.minutes }
        let wholes = Set(record.issues.values.compactMap(\.parent))
        let percents = record.issues.values.compactMap { issue -> Int? in
            guard record.isClosed(issue), !wholes.contains(issue.id),
                let estimate = issue.estimate, estimate > 0,
                let minutes = spent[issue.id], minutes > 0
            else { return nil }
            return min(max(minutes * 100 / estimate, 1), 10_000)
        }
        return percents.sorted()
    }
}
