import Foundation
import RideTracking

/// How many rides got their signals in time, and how long before the arrival.
package struct EvaluationReport: Sendable, CustomStringConvertible {
    /// One ride to one stop: the milliseconds before the arrival at which each signal came.
    package struct Outcome: Hashable, Sendable {
        package var ride: String
        package var stop: String
        package var ready: Int64?
        package var now: Int64?
        package var passed: Int64?
        package var wrongDirection: Int64?
        package var offRoute: Int64?

        package init(
            ride: String, stop: String, ready: Int64? = nil, now: Int64? = nil,
            passed: Int64? = nil, wrongDirection: Int64? = nil, offRoute: Int64? = nil
        ) {
            (self.ride, self.stop, self.ready, self.now) = (ride, stop, ready, now)
            (self.passed, self.wrongDirection) = (passed, wrongDirection)
            self.offRoute = offRoute
        }
    }

    package let notice: Int64
    package private(set) var outcomes: [Outcome] = []

    package init(notice: Int64) {
        self.notice = notice
    }

    package mutating func add(_ outcome: Outcome) {
        outcomes.append(outcome)
    }

    package var cases: Int { outcomes.count }
    /// GET READY came at least `notice` before the arrival.
    package var inTime: Int { count { ($0.ready ?? -1) >= notice } }
    /// GET READY came before the arrival, but less than `notice` before it.
    package var late: Int { count { (0..<notice).contains($0.ready ?? -1) } }
    /// GET READY didn't come before the arrival.
    package var missed: Int { count { ($0.ready ?? -1) < 0 } }
    /// GET READY came more than seven minutes before it was due.
    package var early: Int { count { ($0.ready ?? -1) > notice + 420_000 } }
    /// NOW came at any time before the arrival.
    package var nowGiven: Int { count { ($0.now ?? -1) >= 0 } }
    /// NOW came 20 to 120 seconds before the arrival.
    package var nowInTime: Int { count { (20_000...120_000).contains($0.now ?? -1) } }
    /// NOW came more than 120 seconds before the arrival.
    package var nowEarly: Int { count { ($0.now ?? -1) > 120_000 } }
    /// PASSED came before the stop was reached.
    package var passedEarly: Int { count { ($0.passed ?? -1) >= 0 } }
    package var wrongDirections: Int { count { $0.wrongDirection != nil } }
    package var offRoutes: Int { count { $0.offRoute != nil } }

    /// The fraction of cases in time, 0 to 1.
    package var shareInTime: Double { share(inTime) }
    package var shareNowGiven: Double { share(nowGiven) }
    package var shareNowInTime: Double { share(nowInTime) }

    /// The seconds between GET READY and the arrival that this fraction of the cases doesn't
    /// exceed.
    package func lead(_ share: Double) -> Double {
        Self.quantile(outcomes.map { Double($0.ready ?? -1_000) / 1_000 }, share)
    }

    /// The same for NOW.
    package func nowLead(_ share: Double) -> Double {
        Self.quantile(outcomes.map { Double($0.now ?? -1_000) / 1_000 }, share)
    }

    package var description: String {
        guard cases > 0 else { return "no cases" }
        let rides = Set(outcomes.map(\.ride)).count
        return """
            notice reached in \(inTime) of \(cases) cases (\(percent(inTime)) %, \(rides) rides), \
            late \(late), missed \(missed); lead p5 \(Int(lead(0.05))) median \(Int(lead(0.5))) \
            p95 \(Int(lead(0.95))) s, over notice + 7 min \(percent(early)) %; \
            NOW given \(percent(nowGiven)) %, 20-120 s before \(percent(nowInTime)) %, \
            earlier \(percent(nowEarly)) %, lead p5 \(Int(nowLead(0.05))) \
            median \(Int(nowLead(0.5))) p95 \(Int(nowLead(0.95))) s; passed too early \
            \(passedEarly); wrong direction \(wrongDirections), off route \(offRoutes)
            """
    }

    private func count(_ counts: (Outcome) -> Bool) -> Int {
        outcomes.reduce(0) { $0 + (counts($1) ? 1 : 0) }
    }

    private func share(_ part: Int) -> Double {
        cases == 0 ? 0 : Double(part) / Double(cases)
    }

    private func percent(_ part: Int) -> String {
        String(format: "%.1f", 100 * share(part))
    }

    private static func quantile(_ values: [Double], _ share: Double) -> Double {
        guard !values.isEmpty else { return .nan }
        let sorted = values.sorted()
        return sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
    }
}
