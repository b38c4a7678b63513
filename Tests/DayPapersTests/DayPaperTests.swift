import Dates
import Foundation
import FoundationXML
import Papers
import Pictures
import Testing

@testable import DayPapers

/// The texts of a day's papers, and their files.
struct DayPaperTests {
    private static func texts(_ pages: [Drawing]) -> [String] {
        pages.flatMap { Geometry($0).texts }.compactMap { $0.text?.words }
    }

    /// The output of one of poppler's programs for a document.
    private static func poppler(_ program: String, _ options: [String], _ document: [UInt8]) throws
        -> String
    {
        let file = FileManager.default.temporaryDirectory.appending(
            path: "day-\(UUID().uuidString).pdf")
        try Data(document).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + options + [file.path, "-"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: ["en", "nb", "sv"], DayPaper.Kind.allCases)
    func `a PDF reader finds the words where the page has room for them`(
        language: String, kind: DayPaper.Kind
    ) throws {
        let day = SomeDay.day(12, language, isBegun: false)
        let paper = DayPaper(day, as: kind, DayPaperOptions(paper: .a4, language: language))
        let boxes = try Self.poppler("pdftotext", ["-bbox"], paper.pdf())
        let page = try #require(boxes.firstMatch(of: /<page width="([\d.]+)" height="([\d.]+)"/))
        let (width, height) = (try #require(Double(page.1)), try #require(Double(page.2)))
        let word =
            /<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">([^<]*)</
        let found = try boxes.matches(of: word).map { match in
            (
                x: try #require(Double(match.1)), right: try #require(Double(match.3)),
                y: try #require(Double(match.2)), bottom: try #require(Double(match.4)),
                word: String(match.5)
            )
        }
        #expect(found.allSatisfy { $0.x >= 14 && $0.right <= width - 14 })
        #expect(found.allSatisfy { $0.y >= 0 && $0.bottom <= height })
        let wanted = kind == .firstThen ? Array(day.items.prefix(2)) : Array(day.items)
        let words = Set(found.map(\.word))
        for item in wanted where item.name.count < 30 {
            for part in item.name.split(separator: " ") { #expect(words.contains(String(part))) }
        }
    }

    @Test(arguments: DayPaper.Kind.allCases)
    func `an SVG file is valid XML and contains the pictures`(kind: DayPaper.Kind) throws {
        var day = SomeDay.day(12, "nb")
        day.title = "<Åse & \"co\">\u{1}\u{202E}"
        day.items[2].name = "<script>alert('&')</script>"
        for page in DayPaper(day, as: kind, DayPaperOptions(language: "nb")).svg() {
            let parser = XMLParser(data: Data(page.utf8))
            #expect(parser.parse(), "\(String(describing: parser.parserError))")
            let pictures = page.matches(of: /href="data:image\/png;base64,([^"]+)"/)
            #expect(!pictures.isEmpty)
            for picture in pictures {
                let file = try #require(Data(base64Encoded: String(picture.1)))
                #expect(throws: Never.self) { try Picture(preparing: [UInt8](file)) }
            }
            #expect(!page.contains("<script"))
        }
    }

    @Test(arguments: DayPaper.Kind.allCases)
    func `without colours everything is grey, and a day always gives the same bytes`(
        kind: DayPaper.Kind
    ) throws {
        let day = SomeDay.day(3, "sv")
        let paper = DayPaper(day, as: kind, DayPaperOptions(isGrey: true, language: "sv"))
        for file in try paper.png(resolution: 2) {
            #expect(!(try Picture(preparing: file).raster().isColoured))
        }
        let again = DayPaper(day, as: kind, DayPaperOptions(isGrey: true, language: "sv"))
        #expect(try paper.pdf() == again.pdf())
        #expect(paper.svg() == again.svg())
    }

    @Test func `nothing is drawn in red`() {
        for kind in DayPaper.Kind.allCases {
            for page in DayPaper(SomeDay.day(12, "en"), as: kind, DayPaperOptions()).pages {
                var colours: [Colour] = []
                for mark in page.parts.flatMap(\.marks) {
                    switch mark.shape {
                    case .path(_, let pen):
                        if let fill = pen.fill { colours.append(fill) }
                        if let stroke = pen.stroke { colours.append(stroke) }
                    case .text(let text): colours.append(text.colour)
                    case .image: break
                    }
                }
                for colour in colours {
                    let others = max(colour.green, colour.blue)
                    #expect(colour.red <= 0.5 || colour.red <= 1.5 * others)
                }
            }
        }
    }

    @Test(arguments: [
        ("en", "Monday 23 November 2026", "done", "not today"),
        ("nb", "Mandag 23. november 2026", "gjort", "ikke i dag"),
        ("sv", "Måndag 23 november 2026", "klart", "inte i dag"),
    ])
    func `a sheet shows the day and what became of each item`(
        language: String, date: String, done: String, skipped: String
    ) {
        let options = DayPaperOptions(language: language)
        let texts = Self.texts(DayPaper(SomeDay.day(3, language), as: .sheet, options).pages)
        for text in ["Åse", date, done, skipped, "07:00", "07:17", "– 07:32"] {
            #expect(texts.contains(text), "\(text)")
        }
        let cards = Self.texts(DayPaper(SomeDay.day(3, language), as: .cards, options).pages)
        #expect(!cards.contains(done) && !cards.contains(skipped))
    }

    @Test(arguments: DayPaper.Kind.allCases)
    func `a sheet without times shows none`(kind: DayPaper.Kind) {
        let options = DayPaperOptions(hasTimes: false)
        let texts = Self.texts(DayPaper(SomeDay.day(12, "en"), as: kind, options).pages)
        #expect(!texts.contains { $0.contains(":") })
        if kind == .sheet { #expect((1...12).allSatisfy { texts.contains("\($0)") }) }
    }

    @Test func `first and then are the next two open items`() {
        let day = SomeDay.day(4, "en")
        let texts = Self.texts(DayPaper(day, as: .firstThen, DayPaperOptions()).pages).joined(
            separator: " ")
        #expect(texts.contains("First") && texts.contains("Then"))
        #expect(texts.contains("Brush your teeth") && texts.contains("Take medicine"))
        #expect(!texts.contains("Get up") && !texts.contains("shower"))

        let last = SomeDay.day(3, "en")
        let end = Self.texts(DayPaper(last, as: .firstThen, DayPaperOptions()).pages).joined(
            separator: " ")
        #expect(end.contains("Brush your teeth") && end.contains("Everything is done."))
    }

    @Test func `a day with nothing on it, or nothing left, says so`() {
        let empty = PaperDay(title: "", items: [])
        for kind in DayPaper.Kind.allCases {
            let pages = DayPaper(empty, as: kind, DayPaperOptions()).pages
            #expect(Self.texts(pages).joined(separator: " ") == "Nothing is planned.")
        }
        let done = PaperDay(title: "", items: [.init(name: "Lunch", emoji: "🥪", mark: .done)])
        let pages = DayPaper(done, as: .firstThen, DayPaperOptions(language: "nb")).pages
        #expect(Self.texts(pages).joined(separator: " ") == "Alt er gjort.")
    }

    @Test func `a person's own picture replaces the emoji`() throws {
        var pixels: [UInt8] = []
        for _ in 0..<(40 * 30) { pixels += [20, 120, 200, 255] }
        let raster = try #require(Raster(width: 40, height: 30, pixels: pixels))
        let picture = try Picture(preparing: raster.png())
        let day = PaperDay(
            title: "", items: [.init(name: "Cat", emoji: "🐈", picture: picture)])
        let page = try #require(DayPaper(day, as: .sheet, DayPaperOptions()).pages.first)
        let images = page.parts.flatMap(\.marks).compactMap { mark in
            if case .image(let image) = mark.shape { image } else { nil }
        }
        #expect(images.map(\.raster) == [raster])
        // The picture keeps its proportions.
        let frame = try #require(images.first).frame
        #expect(abs(frame.width / frame.height - 4.0 / 3) < 0.001)
    }

    @Test func `an emoji is one picture in colour, however many characters it has`() throws {
        for emoji in ["🚿", "👵🏽", "👩‍🍳", "🇳🇴", "☀️", "1️⃣"] {
            let raster = try #require(Raster.ofEmoji(emoji), "\(emoji)")
            #expect(raster.width <= 140 && raster.height <= 140, "\(emoji) is more than one")
            #expect(raster.isColoured, "\(emoji) has no colours")
        }
    }

    @Test(arguments: ["", " ", "\n", "a" + String(repeating: "\u{301}", count: 5_000)])
    func `text that isn't an emoji has no picture`(text: String) {
        #expect(Raster.ofEmoji(text) == nil)
    }
}
