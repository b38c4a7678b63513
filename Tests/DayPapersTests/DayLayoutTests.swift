import Papers
import Pictures
import Testing

@testable import DayPapers

/// The layout of the papers of a day.
struct DayLayoutTests {
    /// A paper of each kind, in each size and language, with few items and with many.
    struct Trial: Sendable, CustomTestStringConvertible {
        let kind: DayPaper.Kind
        let count: Int
        let options: DayPaperOptions
        var testDescription: String {
            "\(kind) \(count) \(options.paper) \(options.language) \(options.hasTimes)"
        }

        static let all: [Trial] = DayPaper.Kind.allCases.flatMap { kind in
            [1, 3, 12, 40, 41].flatMap { count in
                [PaperSize.a4, .a5].flatMap { size in
                    ["en", "nb", "sv"].enumerated().map { index, language in
                        Trial(
                            kind: kind, count: count,
                            options: DayPaperOptions(
                                paper: size, hasTimes: (index + count).isMultiple(of: 2),
                                isGrey: index == 1, language: language))
                    }
                }
            }
        }
    }

    @Test(arguments: Trial.all)
    func `nothing leaves its space or the page, or covers a text or a picture`(
        trial: Trial
    ) {
        let day = SomeDay.day(trial.count, trial.options.language)
        for page in DayPaper(day, as: trial.kind, trial.options).pages {
            let geometry = Geometry(page)
            let paper = Drawing.Box(x: 5, y: 5, width: page.width - 10, height: page.height - 10)
            #expect(geometry.pieces.filter { !paper.holds($0.box) }.map(\.item) == [])
            let loose = geometry.pieces.filter { !($0.clip?.holds($0.box) ?? true) }
            #expect(loose.map { "\($0.item) \($0.text?.words ?? "")" } == [])

            let seen = geometry.texts + geometry.pieces.filter(\.isImage)
            for (index, piece) in seen.enumerated() {
                for other in seen[(index + 1)...] where piece.box.overlaps(other.box) {
                    Issue.record(
                        "\(piece.text?.words ?? "image") over \(other.text?.words ?? "image")")
                }
            }
            let tiles = page.parts.compactMap(\.clip)
            for (index, tile) in tiles.enumerated() {
                #expect(!tiles[(index + 1)...].contains { $0.overlaps(tile) })
            }
        }
    }

    @Test(arguments: Trial.all.filter { $0.kind != .firstThen })
    func `each item is there once, in order, with its words and its picture together`(
        trial: Trial
    ) {
        let day = SomeDay.day(trial.count, trial.options.language)
        let pages = DayPaper(day, as: trial.kind, trial.options).pages
        let parts = pages.flatMap(\.parts).filter { $0.clip != nil }
        #expect(parts.count == trial.count)
        for (index, part) in parts.enumerated() {
            let item = day.items[index]
            #expect(part.marks.allSatisfy { $0.item == "item-\(index + 1)" })
            let texts = part.marks.compactMap { mark in
                if case .text(let text) = mark.shape { text.words } else { nil }
            }
            let images = part.marks.filter { if case .image = $0.shape { true } else { false } }
            let words = item.name.split(separator: " ").map(String.init)
            #expect(texts.joined(separator: " ").contains(words[0].prefix(4)))
            #expect(images.count == (item.emoji.isEmpty ? 0 : 1))
            if item.emoji.isEmpty { #expect(texts.contains(item.name.prefix(1).uppercased())) }
        }
        // No page has a single item while others are full.
        if trial.kind == .sheet, pages.count > 1 {
            let counts = pages.map { $0.parts.filter { $0.clip != nil }.count }
            #expect((counts.max() ?? 0) - (counts.min() ?? 0) < pages.count)
        }
    }

    @Test(arguments: ["en", "nb", "sv"])
    func `the names in a full day can be read from a metre away`(language: String) {
        for (size, least) in [(PaperSize.a4, 5.0), (.a5, 4.5)] {
            let options = DayPaperOptions(paper: size, language: language)
            let day = SomeDay.day(12, language, isBegun: false)
            // Longer names get smaller letters instead of being cut.
            let short = Set(
                day.items.indices.filter { day.items[$0].name.count < 20 }.map { "item-\($0 + 1)" })
            let names = DayPaper(day, as: .sheet, options).pages.flatMap { Geometry($0).texts }
                .filter { short.contains($0.item) && $0.text?.isBold == true }
            #expect(names.count >= short.count)
            #expect(names.allSatisfy { ($0.text?.size ?? 0) >= least })
        }
    }

    @Test(arguments: DayPaper.Kind.allCases)
    func `a name that is much too long is cut, marked, and keeps within its space`(
        kind: DayPaper.Kind
    ) {
        let names = [
            String(repeating: "Donaudampfschifffahrt", count: 9),
            String(repeating: "so many words ", count: 30), String(repeating: "👩‍👩‍👧‍👦", count: 60),
            "a\u{301}\u{302}\u{303}\u{304}", "مرحبا بالعالم", "line\nbreak\u{2028}and\ttab", "   ",
            "",
            "漢字かな交じり文の長い名前をここに書いてみる試験の行",
        ]
        for name in names {
            let items = [
                PaperDay.Item(name: name, emoji: name, start: Int.min, end: Int.max),
                PaperDay.Item(name: name, start: -1, end: 1_441, mark: .open),
            ]
            let day = PaperDay(title: name, items: items)
            for page in DayPaper(day, as: kind, DayPaperOptions(paper: .a5)).pages {
                let geometry = Geometry(page)
                let paper = Drawing.Box(x: 0, y: 0, width: page.width, height: page.height)
                #expect(geometry.texts.allSatisfy { paper.holds($0.box) }, "\(name)")
                #expect(
                    geometry.texts.allSatisfy { $0.clip?.holds($0.box) ?? true }, "\(name)")
                if name.count > 150 {
                    #expect(geometry.texts.contains { $0.text?.words.hasSuffix("…") ?? false })
                }
            }
        }
    }

    @Test func `a long word is set smaller before it is broken`() {
        let ruler = TextRuler()
        let room = FittedText.Room(
            width: 60, height: 20, largest: 10, smallest: 4, mostLines: 2)
        let short = FittedText("Dusje", in: room, ruler)
        #expect(short.lines == ["Dusje"] && short.size == 10)
        let long = FittedText("Arbetsterapeut", in: room, ruler)
        #expect(long.lines == ["Arbetsterapeut"] && long.size < 10 && long.size > 4)
        let wrapped = FittedText("Brush your teeth well", in: room, ruler)
        #expect(
            wrapped.lines.count == 2
                && wrapped.lines.joined(separator: " ") == "Brush your teeth well")
        let broken = FittedText(String(repeating: "abcdefgh", count: 5), in: room, ruler)
        #expect(broken.lines.count == 2 && broken.lines[0].hasSuffix("-") && broken.size == 4)
        #expect(
            broken.lines.joined().replacing("-", with: "")
                == String(repeating: "abcdefgh", count: 5))
    }
}
