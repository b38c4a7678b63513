import Foundation

/// How far from a stop past rides were at given times before they reached it: the cautious
/// (far) end of what was seen, so that an alarm at this distance comes in time.
package struct NoticeDistance: Hashable, Sendable, Codable {
    /// `metres` to go along the line, `notice` milliseconds before the arrival.
    package struct Point: Hashable, Sendable, Codable {
        package var notice: Int64
        package var metres: Double

        package init(notice: Int64, metres: Double) {
            self.notice = notice
            self.metres = metres
        }
    }

    /// In rising order of notice.
    package let points: [Point]

    package init(points: [Point]) {
        self.points = points.filter { $0.notice > 0 && $0.metres > 0 }
            .sorted { $0.notice < $1.notice }
    }

    /// Metres to go at a notice: between two points by the straight line, outside them in
    /// proportion to the nearest one. Nothing when nothing was learned.
    package func metres(at notice: Int64) -> Double? {
        guard let first = points.first, let last = points.last else { return nil }
        guard notice > first.notice else {
            return first.metres * Double(notice) / Double(first.notice)
        }
        guard let after = points.firstIndex(where: { $0.notice >= notice }) else {
            return last.metres * Double(notice) / Double(last.notice)
        }
        let (low, high) = (points[after - 1], points[after])
        let share = Double(notice - low.notice) / Double(high.notice - low.notice)
        return low.metres + share * (high.metres - low.metres)
    }
}
