import Foundation
import RideEvaluation

/// What the alarm has to reach on rides on which no constant was chosen, by what a passenger knows.
enum Bars {
    /// What a row of the table misses, in words; nothing for rows that have no bar of their own,
    /// such as those of things that befall a ride.
    ///
    /// - Parameters:
    ///   - report: the row.
    ///   - rule: what the row is about.
    static func missed(by report: EvaluationReport, _ rule: String) -> [String] {
        let parts = rule.components(separatedBy: ", ")
        guard RideTrials.Knowledge(rawValue: parts[0]) != nil,
            parts.dropFirst().allSatisfy(["a day taught", "a week taught", "dark"].contains),
            report.cases > 0
        else { return [] }
        let (isWeek, isDark) = (parts.contains("a week taught"), parts.contains("dark"))
        let (share, most) = (isDark ? 0.98 : 0.995, isWeek ? 360.0 : 370)
        var missed: [String] = []
        if report.shareInTime < share { missed.append("in time \(percent(share))") }
        guard !isDark else { return missed }
        if report.missed > 0 { missed.append("missed 0") }
        if report.lead(0.5) > most { missed.append("median at most \(Int(most)) s") }
        if Double(report.early) > 0.08 * Double(report.cases) {
            missed.append("over ten minutes at most 8 %")
        }
        if report.shareNowInTime < 0.9 { missed.append("NOW 20-120 s before in 90 %") }
        return missed
    }

    private static func percent(_ share: Double) -> String {
        String(format: "%.1f %%", 100 * share)
    }
}
