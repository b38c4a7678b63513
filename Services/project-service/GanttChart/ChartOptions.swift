import Dates
import Papers
import Phrases

/// How to draw a chart.
package struct ChartOptions: Hashable, Sendable {
    /// The first and the last day; nil for those of the issues.
    package var first: CivilDate?
    package var last: CivilDate?
    /// The scale; nil for the finest that fits.
    package var scale: TimeScale?
    package var paper: PaperSize
    /// Whether the paper is in landscape orientation.
    package var isWide: Bool
    package var language: Language

    package init(
        first: CivilDate? = nil, last: CivilDate? = nil, scale: TimeScale? = nil,
        paper: PaperSize = .a4, isWide: Bool = true, language: Language = .english
    ) {
        self.first = first
        self.last = last
        self.scale = scale
        self.paper = paper
        self.isWide = isWide
        self.language = language
    }

    /// The days of a chart.
    ///
    /// - Throws: a ``ChartError`` when there are none.
    func days(of chart: GanttChart) throws(ChartError) -> ClosedRange<Int> {
        var known = chart.days
        // Days that are all beyond a chosen end don't determine the other.
        if let days = known {
            let begin = self.first?.daysSince1970 ?? days.lowerBound
            let end = self.last?.daysSince1970 ?? days.upperBound
            if days.upperBound < begin || end < days.lowerBound { known = nil }
        }
        let near = chart.today.map(\.daysSince1970)
        // A month from a chosen end, if nothing else determines the other.
        let first = first?.daysSince1970 ?? known?.lowerBound ?? last.map { $0.daysSince1970 - 30 }
        guard let first else { throw .noDates }
        var begin = first
        var end = last?.daysSince1970 ?? known?.upperBound ?? first + 30
        guard begin <= end else {
            throw .backwards(CivilDate(daysSince1970: begin), CivilDate(daysSince1970: end))
        }
        // Include today if it is near.
        if let near {
            if self.first == nil, near < begin, begin - near <= Self.near { begin = near }
            if last == nil, near > end, near - end <= Self.near { end = near }
        }
        return begin...end
    }

    /// How close today must be for a chart to include it, in days.
    private static let near = 31
}
