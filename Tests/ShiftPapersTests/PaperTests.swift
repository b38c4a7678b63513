import Foundation
import Messages
import ShiftLog
import Testing

@testable import Papers
@testable import ShiftPapers

/// What papers say, in each of their forms.
struct PaperTests {
    /// The text of a PDF document as `pdftotext` reads it, with single spaces; the number of its
    /// pages; and the text of each.
    static func read(_ document: [UInt8]) throws -> (
        text: String, pages: Int, each: [String]
    ) {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "papers-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "paper.pdf")
        try Foundation.Data(document).write(to: file)
        let reader = Process()
        reader.executableURL = URL(filePath: "/usr/bin/env")
        reader.arguments = ["pdftotext", "-raw", "-enc", "UTF-8", file.path, "-"]
        let output = Pipe()
        reader.standardOutput = output
        try reader.run()
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        reader.waitUntilExit()
        #expect(reader.terminationStatus == 0)
        let pages = text.split(separator: "\u{0C}").map { Self.words(String($0)) }
        return (pages.joined(separator: " "), text.count { $0 == "\u{0C}" }, pages)
    }

    static func words(_ text: String) -> String {
        text.split { $0.isWhitespace }.joined(separator: " ")
    }

    @Test func `notes of an earlier shift have their date, and those of this one only the time`()
        throws
    {
        var printed = try PrintedShift([])
        let day: Int64 = 86_400_000
        let before = PrintedShift.started - day
        let mop = CarriedTodo(
            id: "0192e4a1-7b3c-7def-8123-456789abcdef",
            content: AddTodo(
                title: "Mop", area: "kitchen", priority: "immediate", number: 1_001,
                due: before + 3_600_000),
            made: TodoDeed(name: "Siv", time: before), mark: .open,
            notes: [TodoDeed(name: "Siv", time: before, text: "Bucket is broken")])
        printed.add(0, .begun(ShiftBegun(shift: printed.state.shift, todos: [mop])))
        printed.add(5, .noteTodo(NoteTodo(todo: mop.id, text: "Bucket came")))
        let state = printed.state

        let notes = [
            "Bucket is broken (2026-03-13 09:00 Siv)", "Bucket came (09:05 Åse)",
        ]
        for paper in [state.handoverPaper(), state.todoPaper(area: "kitchen")] {
            #expect(Set(notes).isSubset(of: Self.texts(paper)), "\(paper)")
        }
        #expect(state.moment(before + 3_600_000) == "2026-03-13 10:00")
        #expect(state.moment(PrintedShift.started) == "09:00")
    }

    private static func texts(_ paper: Paper) -> [String] {
        [paper.title, paper.site]
            + paper.blocks.flatMap { block in
                switch block {
                case .heading(let text), .remark(let text): [text]
                case .item(let item): [item.title] + item.notes
                case .table(let table): table.rows.flatMap(\.self).filter { !$0.isEmpty }
                case .paragraph(let text): [text]
                case .drawing(let drawing): [drawing.title]
                case .photos(let photos): photos.map(\.title)
                }
            }
    }

    private static func papers(_ state: ShiftState) throws -> [Paper] {
        let now = PrintedShift.started + 4 * 3_600_000
        return state.todoPapers() + [
            try #require(state.listPaper("pre-shift-day")),
            try #require(state.listPaper("pre-shift-day", securityRoundAlone: true)),
            state.travelPathPaper(at: now), state.salesPaper(at: now),
        ]
    }

    @Test(arguments: ["en", "nb", "sv"])
    func `a PDF document has every task and every note`(language: String) throws {
        let papers = try Self.papers(PrintedShift.restaurant(language: language).state)
        for paper in papers {
            let text = try Self.read(PDFPaper.document(of: [paper])).text
            for wanted in Self.texts(paper) {
                #expect(text.contains(Self.words(wanted)), "\(paper.title)")
            }
        }
    }

    @Test(arguments: ["en", "nb", "sv"])
    func `plain text and HTML have every task and every note`(language: String) throws {
        let papers = try Self.papers(PrintedShift.restaurant(language: language).state)
        let wide = Self.words(PlainPaper.text(of: papers, width: 400))
        let page = HTMLPaper.page(of: papers)
        for wanted in papers.flatMap(Self.texts) {
            #expect(wide.contains(Self.words(wanted)))
            #expect(page.contains(HTMLPaper.escaped(wanted)))
        }
        let narrow = PlainPaper.text(of: papers, width: 40)
        #expect(narrow.split(separator: "\n").allSatisfy { $0.count <= 40 })
    }

    @Test func `the same shift gives the same bytes`() throws {
        let papers = try (0..<2).map { _ in
            try Self.papers(PrintedShift.restaurant(language: "nb").state)
        }
        #expect(papers[0] == papers[1])
        #expect(try PDFPaper.document(of: papers[0]) == PDFPaper.document(of: papers[1]))
        #expect(HTMLPaper.page(of: papers[0]) == HTMLPaper.page(of: papers[1]))
    }

    @Test func `sixty to-dos fill several pages, each with its number and the group's name`() throws
    {
        let shift = try PrintedShift.busy(
            (0..<60).map { ("Task number \($0) of the kitchen", "A note of its own") })
        let paper = shift.state.todoPaper(area: "kitchen")
        let document = try Self.read(PDFPaper.document(of: [paper]))
        #expect((4...8).contains(document.pages))
        for page in 1...document.pages {
            #expect(document.text.contains("Page \(page) of \(document.pages)"))
        }
        #expect(document.text.contains("(continued)"))
    }

    @Test(arguments: 10...30)
    func `a heading is never the last thing on a page`(count: Int) throws {
        let shift = try PrintedShift.busy((0..<count).map { ("Task number \($0)!", "") })
        let paper = shift.state.todoPaper(area: "kitchen")
        let pages = try Self.read(PDFPaper.document(of: [paper])).each
        let page = try #require(pages.first { $0.contains("Before the rush") })
        #expect(page.contains("Task number 1!"))
    }

    @Test func `long titles and notes are broken, not cut`() throws {
        let title = (1...40).map { "word\($0)" }.joined(separator: " ").prefix(200)
        let letters = String(repeating: "Å", count: 200)
        let note = (1...150).map { "note\($0)" }.joined(separator: " ")
        let shift = try PrintedShift.busy([
            (String(title), note), (letters, note + "\n" + note), ("Short", ""),
        ])
        let document = try Self.read(
            PDFPaper.document(of: [shift.state.todoPaper(area: "kitchen")]))
        #expect(document.text.contains(Self.words(String(title))))
        #expect(document.text.contains(Self.words(note)))
        #expect(document.text.count { $0 == "Å" } >= 200)
    }

    @Test func `a note that is longer than a page continues on the next`() throws {
        let lines = (0..<120).map { "line \($0) of the note" }
        let shift = try PrintedShift.busy([("Task", lines.joined(separator: "\n"))])
        let document = try Self.read(
            PDFPaper.document(of: [shift.state.todoPaper(area: "kitchen")]))
        #expect(document.pages >= 2)
        for line in lines { #expect(document.text.contains(line)) }
    }

    @Test func `an area without to-dos has a page that says so`() throws {
        let shift = try PrintedShift.busy([])
        for (language, words) in [("en", "Nothing to do."), ("nb", "Ingenting å gjøre.")] {
            let paper = try PrintedShift([], language: language).state.todoPaper(area: "service")
            let document = try Self.read(PDFPaper.document(of: [paper]))
            #expect(document.pages == 1)
            #expect(document.text.contains(words))
        }
        #expect(shift.state.todoPapers().map(\.title).count == 3)
        #expect(HTMLPaper.page(of: []).contains("</html>"))
        #expect(PlainPaper.text(of: [], width: 80).isEmpty)
        #expect(try !PDFPaper.document(of: []).isEmpty)
    }

    static let hostile = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "&lt;b&gt; &amp;",
        "' onmouseover='x", "</style></section>", "\u{1B}[31mred\u{7}", "\u{202E}evil", "a\0b",
        "=HYPERLINK(\"x\")", "🍔👨‍🍳", "日本語テスト", "e\u{301}\u{301}\u{301}", "%s%n", "مرحبا",
    ]

    @Test(arguments: hostile)
    func `no text can control the program that shows it`(text: String) throws {
        var shift = try PrintedShift.busy([(text, text)])
        shift.add(
            9,
            .addTodo(
                AddTodo(
                    title: text, section: text, area: text, priority: text, note: text)), by: text)
        let papers = shift.state.todoPapers() + [try #require(shift.state.listPaper("list"))]
        let page = HTMLPaper.page(of: papers)
        let tags = Set(page.matches(of: /<\/?([a-zA-Z0-9!]+)/).map { String($0.1) })
        #expect(tags.isSubset(of: Self.tags), "\(tags.subtracting(Self.tags))")
        #expect(!page.contains(/<[^>]*\son[a-z]+=/))
        let plain = PlainPaper.text(of: papers, width: 60)
        for shown in [page, plain] {
            #expect(!shown.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
            #expect(!shown.unicodeScalars.contains("\u{202E}"))
        }
        #expect(try Self.read(PDFPaper.document(of: papers)).pages == papers.count)
    }

    private static let tags: Set = [
        "!DOCTYPE", "html", "head", "meta", "title", "style", "body", "section", "header", "h1",
        "h2", "p", "ul", "li", "span", "div", "br", "table", "thead", "tbody", "tr", "th", "td",
    ]

    @Test func `in the security round a task's state follows from the subtasks that are shown`()
        throws
    {
        var shift = try PrintedShift.restaurant(language: "en")
        let list = "pre-shift-day"
        shift.add(90, .mark(MarkTask(list: list, task: "fryer-oil", finding: .notOk)))
        shift.add(90, .mark(MarkTask(list: list, task: "fryer-lids", finding: .ok)))
        func sign(_ paper: Paper?) -> Paper.Sign? {
            paper?.blocks.compactMap { block in
                if case .item(let item) = block, item.title == "Fryers" { item.sign } else { nil }
            }.first
        }
        #expect(sign(shift.state.listPaper(list)) == .notOk)
        #expect(sign(shift.state.listPaper(list, securityRoundAlone: true)) == .ok)
    }

    @Test func `every state has its own sign`() {
        let signs: [Paper.Sign] = [.open, .ok, .notOk, .notApplicable, .uncertain]
        #expect(Set(signs.map(\.character)).count == signs.count)
    }
}
