import Dates
import Foundation
import FoundationXML
import Papers
import Phrases
import ProjectNetwork
import TestSupport
import Testing
import WorkCalendar

@testable import GanttChart

/// What a chart shows, and where.
struct ChartPictureTests {
    private func drawing(
        _ chart: GanttChart, _ options: ChartOptions = ChartOptions()
    ) throws -> Drawing {
        try ChartPicture(chart, options: options).drawing()
    }

    /// The middle of the name of a day, week or month.
    private func middle(_ drawing: Drawing, _ name: String) throws -> Double {
        let texts = drawing.texts("frame").filter { $0.words == name }
        #expect(texts.count == 1)
        return try #require(texts.first).place.x
    }

    @Test func `a bar is below its days, and its filled part is what is done`() throws {
        let drawing = try drawing(
            chart(
                [issue(1, "03-04", "03-06"), issue(2, "03-02", "03-20")], [],
                [1: ChartIssue(title: "Paint", done: 50)]))
        let bars = drawing.paths("bars", of: "1")
        let bar = try #require(bars.first).path.across
        let third = try middle(drawing, "3")
        let (fourth, sixth) = (try middle(drawing, "4"), try middle(drawing, "6"))
        let seventh = try middle(drawing, "7")
        #expect(abs(bar.lowerBound - (third + fourth) / 2) < 0.01)
        #expect(abs(bar.upperBound - (sixth + seventh) / 2) < 0.01)
        let done = try #require(bars.dropFirst().first)
        #expect(done.path.across.lowerBound == bar.lowerBound)
        #expect(abs(done.path.across.upperBound - (bar.lowerBound + bar.upperBound) / 2) < 0.01)
        #expect(done.pen.fill == ChartColours.barLine)
    }

    @Test func `critical, closed, open and late issues differ without colours too`() throws {
        let drawing = try drawing(
            chart(
                [
                    issue(1, "03-02", "03-20"), issue(2, "03-02", "03-06"),
                    issue(3, "03-16", nil), issue(4, "03-02", "03-10"),
                ], [],
                [
                    2: ChartIssue(title: "Late", person: "Åsa", done: 20),
                    4: ChartIssue(title: "Closed", done: 100, isClosed: true),
                ], today: "03-11"))
        func outline(_ id: String) throws -> Drawing.Pen {
            try #require(drawing.paths("bars", of: id).map(\.pen).first { $0.stroke != nil })
        }
        #expect(try outline("1").width > outline("4").width)
        #expect(try outline("3").dash != [])
        #expect(try outline("4").dash == [])
        let notes = drawing.texts("notes").map(\.words)
        #expect(notes.contains("3 d late"))
        #expect(notes.contains("Åsa · 20 %"))
        #expect(!notes.contains { $0.contains("100 %") })
        let legend = Set(drawing.texts("legend").map(\.words))
        #expect(legend.isSuperset(of: ["no due date", "closed", "may slip", "today"]))
        #expect(!legend.contains("as it was planned") && !legend.contains("no start date"))
        let openBegin = try self.drawing(chart([issue(1, nil, "03-06")]))
        #expect(openBegin.texts("legend").map(\.words).contains("no start date"))
    }

    @Test func `bars end with the days that are shown, and those beyond them are named`() throws {
        let drawing = try drawing(
            chart([
                issue(1, "03-02", "06-12"), issue(2, "05-04", "05-05"), issue(3, "01-05", "01-09"),
            ]), ChartOptions(first: day("03-02"), last: day("03-06"), scale: .day))
        let clips = drawing.parts.filter { ["bars", "links"].contains($0.name) }.compactMap(\.clip)
        #expect(clips.count == 2)
        let last = try middle(drawing, "6")
        #expect(clips.allSatisfy { $0.right > last && $0.right < last + 6 })
        #expect(drawing.texts("notes").map(\.words) == ["2026-05-04 »"])
        // The third has only its slack in these days.
        #expect(drawing.paths("bars", of: "3").count == 2)
    }

    @Test func `an arrow ends at the bar that is waiting`() throws {
        let drawing = try drawing(
            chart(
                [
                    issue(1, "03-02", "03-04"), issue(2, "03-05", "03-06"),
                    issue(3, "03-03", "03-04"),
                ],
                [.init(id: 1, from: 1, to: 2), .init(id: 2, from: 1, to: 3, delay: -2)]))
        let links = try #require(drawing.parts.first { $0.name == "links" })
        #expect(links.marks.count == 4, "a line and a head each")
        let heads = links.marks.compactMap { mark -> Drawing.Path? in
            if case .path(let path, let pen) = mark.shape, pen.fill != nil { path } else { nil }
        }
        #expect(heads.count == 2)
        for (head, id) in zip(heads, ["2", "3"]) {
            let bar = try #require(drawing.paths("bars", of: id).first).path.across
            #expect(head.across.lowerBound >= bar.lowerBound - 1.6)
            #expect(head.across.upperBound <= bar.upperBound)
        }
    }

    @Test func `the baseline is drawn below a bar, and the slip is written beside it`() throws {
        let before = try ProjectNetwork(
            issues: [issue(1, "03-02", "03-04")], relations: [], calendar: try WorkCalendar())
        let drawing = try drawing(
            chart([issue(1, "03-04", "03-06")], baseline: Baseline("Kick-off", of: before)))
        let now = try #require(drawing.paths("bars", of: "1").first).path.across
        let then = try #require(drawing.paths("baseline", of: "1").first).path.across
        #expect(abs(then.upperBound - then.lowerBound - now.upperBound + now.lowerBound) < 0.01)
        #expect(then.lowerBound < now.lowerBound)
        #expect(drawing.texts("notes").map(\.words).contains("+2 d"))
        #expect(drawing.texts("title").contains { $0.words == "compared with Kick-off: +2 d" })
    }

    @Test(arguments: Language.allCases)
    func `a chart is in the requested language`(language: Language) throws {
        let drawing = try drawing(
            chart([issue(1, "05-04", "05-29"), issue(2)], today: "05-20"),
            ChartOptions(scale: .week, language: language))
        let texts = Set(drawing.texts().map(\.words))
        let expected: Set<String> =
            switch language {
            case .english: ["May 2026", "W20", "no dates", "As of 2026-05-20"]
            case .norwegian: ["mai 2026", "U20", "uten datoer", "Per 2026-05-20"]
            case .swedish: ["maj 2026", "V20", "utan datum", "Per 2026-05-20"]
            }
        #expect(expected.subtracting(texts) == [])
    }

    @Test func `each sheet has the names of its rows, and the sheets together have all rows`()
        throws
    {
        let issues = (1...70).map { PlannedIssue(id: $0, span: span("03-02", "06-30")) }
        let chart = try chart(issues, today: "03-10")
        let options = ChartOptions(scale: .day, isWide: false)
        let sheets = try ChartPicture(chart, options: options).sheets()

        #expect(sheets.count > 4)
        #expect(sheets.allSatisfy { $0.width == 210 && $0.height == 297 })
        let labels = sheets.map { Set($0.texts("labels").map(\.words)) }
        #expect(labels.reduce(into: Set()) { $0.formUnion($1) }.count == 70)
        #expect(labels[0] == labels[1], "the second sheet goes on to the right")
        #expect(labels.first?.isDisjoint(with: labels.last ?? []) == true)
        for (number, sheet) in sheets.enumerated() {
            #expect(
                sheet.texts("title").contains {
                    $0.words == "Page \(number + 1) of \(sheets.count)"
                })
        }
        #expect(try ChartPicture(chart, options: ChartOptions(paper: .a3)).sheets().count == 2)
    }

    @Test func `a short project fills a sheet, unless an end was chosen`() throws {
        let chart = try chart([issue(1, "03-02", "03-04")])
        let whole = try ChartPicture(chart, options: ChartOptions()).sheets()
        #expect(whole.count == 1)
        #expect(whole[0].texts("frame").filter { !$0.isBold }.count > 20)
        let chosen = try ChartPicture(
            chart, options: ChartOptions(last: day("03-04"), scale: .day)
        ).sheets()
        #expect(chosen[0].texts("frame").filter { !$0.isBold }.map(\.words) == ["2", "3", "4"])
    }

    @Test(arguments: [PaperSize.a4, .a3, .a2], [true, false])
    func `each day on paper has its number`(paper: PaperSize, isWide: Bool) throws {
        let options = ChartOptions(
            first: day("01-01"), last: day("12-31"), scale: .day, paper: paper, isWide: isWide)
        let sheets = try ChartPicture(chart([issue(1, "01-01", "12-31")]), options: options)
            .sheets()
        let numbers = sheets.map { $0.texts("frame").count { Int($0.words) != nil } }
        #expect(numbers.reduce(0, +) == 365)
    }

    @Test(arguments: Seed.some(60))
    func `no text leaves its sheet, and each row is on one sheet`(seed: Seed) throws {
        var seed = seed
        let chart = try GanttChart.any(&seed)
        let options = ChartOptions(
            scale: seed.oneIn(2) ? nil : TimeScale.allCases[seed.below(3)],
            paper: seed.oneIn(2) ? .a4 : .a3, isWide: seed.oneIn(2),
            language: Language.allCases[seed.below(3)])
        guard chart.days != nil else {
            #expect(throws: ChartError.noDates) { try ChartPicture(chart, options: options) }
            return
        }
        let picture = try ChartPicture(chart, options: options)
        let (sheets, whole) = (try picture.sheets(), try picture.drawing())
        for sheet in sheets + [whole] {
            for text in sheet.texts() {
                let length = text.length
                let left =
                    switch text.anchor {
                    case .start: text.place.x
                    case .middle: text.place.x - length / 2
                    case .end: text.place.x - length
                    }
                #expect(left >= 0 && left + length <= sheet.width + 0.01, "\(text.words)")
                #expect(text.place.y > 0 && text.place.y <= sheet.height, "\(text.words)")
            }
            for part in sheet.parts where ["bars", "baseline", "links"].contains(part.name) {
                #expect(part.clip != nil)
            }
        }
        func named(on sheet: Drawing) -> [String] {
            sheet.parts.filter { $0.name == "labels" }.flatMap(\.marks).map(\.item)
        }
        let rows = chart.rows.map { row in row.issue.map { "\($0)" } ?? "" }
        #expect(named(on: whole) == rows)
        // Sheets side by side have the same rows.
        let areOnOne = sheets.indices.contains { last in
            let places = stride(from: 0, to: sheets.count, by: last + 1)
            return places.flatMap { named(on: sheets[$0]) } == rows
        }
        #expect(areOnOne)
    }

    @Test func `a chart becomes valid SVG, PNG and PDF`() throws {
        let chart = try chart(
            [issue(1, "03-02", "03-04")], [], [1: ChartIssue(title: "Walls <&> \"floors\"")])
        let picture = try ChartPicture(chart, options: ChartOptions())
        let parser = XMLParser(data: Data(try picture.drawing().svg().utf8))
        #expect(parser.parse())
        #expect(try picture.drawing().png().starts(with: [0x89, 0x50, 0x4E, 0x47]))
        #expect(try picture.pdf().starts(with: Array("%PDF-".utf8)))
    }
}
