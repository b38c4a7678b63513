import Dates
import Papers
import Phrases
import TestSupport
import Testing

@testable import GanttChart

/// Who has more planned work than time.
struct LoadChartTests {
    private let rows = [
        LoadChart.Row(
            name: "Kari",
            weeks: [
                .init(planned: 1_200, available: 2_400), .init(planned: 2_401, available: 2_400),
                .init(planned: 0, available: 0),
            ]),
        LoadChart.Row(
            name: "Ola\u{1B}[2J",
            weeks: [
                .init(planned: 0, available: 2_400), .init(planned: 60, available: 0),
                .init(planned: .max, available: 1),
            ]),
    ]

    @Test func `a week shows its share, and is marked if that is more than there is`() throws {
        let chart = try LoadChart("Load", from: day("03-02"), rows)
        let lines = try chart.lines(columns: 80, isColoured: false)
        #expect(
            lines.prefix(5) == [
                "Load", "         Mar 2026", "         W10  W11  W12",
                "Kari      50  101!   -", "Ola [2J    ·  999! 999!",
            ])
    }

    @Test func `weeks that don't fit are counted, and those with too much planned`() throws {
        func notes(_ last: LoadChart.Week) throws -> [String] {
            let free = LoadChart.Week(planned: 0, available: 2_400)
            let row = LoadChart.Row(
                name: "Kari", weeks: Array(repeating: free, count: 51) + [last])
            let chart = try LoadChart("Load", from: day("03-02"), [row])
            return Array(try chart.lines(columns: 40, isColoured: false).dropFirst(5).dropLast())
        }
        #expect(
            try notes(.init(planned: 2_401, available: 2_400)) == [
                "Later weeks that don't fit: 46", "Of these, with too much planned: 1",
            ])
        #expect(
            try notes(.init(planned: 2_400, available: 2_400)) == [
                "Later weeks that don't fit: 46"
            ])
    }

    @Test func `the name of a month ends before that of the next begins`() throws {
        let weeks = Array(repeating: LoadChart.Week(planned: 0, available: 60), count: 3)
        // The Thursday of the first week is the last day of the year.
        let monday = try #require(CivilDate(iso: "2026-12-28"))
        let chart = try LoadChart("Load", from: monday, [LoadChart.Row(name: "Kari", weeks: weeks)])
        let lines = try chart.lines(columns: 80, isColoured: false)
        #expect(lines[1] == "         Dec  Jan 2027")
        let names = chart.drawing().texts().filter { ["Dec", "Jan 2027"].contains($0.words) }
        try #require(names.count == 2)
        #expect(names[0].place.x + names[0].length < names[1].place.x)
    }

    @Test func `the drawing frames overload`() throws {
        let drawing = try LoadChart("Load", from: day("03-02"), rows, language: .swedish).drawing()
        let texts = drawing.texts().map(\.words)
        #expect(texts.contains("50") && texts.contains("101"))
        #expect(texts.contains("mar 2026") && texts.contains("V10"))
        let frames = drawing.parts.filter { $0.name == "over" }.flatMap(\.marks).filter {
            if case .path(_, let pen) = $0.shape {
                pen.stroke == ChartColours.criticalLine
            } else {
                false
            }
        }
        #expect(frames.count == 3)
        for text in drawing.texts() {
            #expect(text.place.x >= 0 && text.place.x + text.length <= drawing.width)
        }
    }

    @Test(arguments: Seed.some(30))
    func `no line is wider than the terminal`(seed: Seed) throws {
        var seed = seed
        let rows = (0..<seed.below(6)).map { _ in
            LoadChart.Row(
                name: seed.oneIn(2) ? "Åsa" : String(repeating: "Name ", count: 30),
                weeks: (0..<seed.below(60)).map { _ in
                    .init(planned: seed.below(9_000), available: seed.below(3_000))
                })
        }
        let chart = try LoadChart("Load", from: day("03-02"), rows)
        let columns = 40 + seed.below(120)
        let lines = try chart.lines(columns: columns, isColoured: false)
        #expect(lines.allSatisfy { $0.count <= columns && !$0.hasSuffix(" ") })
        #expect(throws: ChartError.narrow(39)) {
            try chart.lines(columns: 39, isColoured: false)
        }
    }
}
