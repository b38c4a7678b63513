import Testing

@testable import Speech

@Suite struct TextTableTests {
    private func table() -> TextTable {
        var table = TextTable([.text("ID"), .text("STOP"), .number("TRIPS"), .text("FEED")])
        table.add(["4131", "General Hospital", "124", "harbour-line"])
        table.add(["7", "駅前", "9"])
        return table
    }

    @Test func `columns are aligned, numbers on the right`() {
        let lines = table().lines(width: nil, isColoured: false)

        #expect(
            lines == [
                "ID    STOP              TRIPS  FEED",
                "4131  General Hospital    124  harbour-line",
                "7     駅前                  9",
            ])
    }

    @Test func `a table fits in the window by narrowing its widest columns`() {
        let lines = table().lines(width: 40, isColoured: false)

        #expect(lines.allSatisfy { $0.columns <= 40 })
        #expect(lines[1] == "4131  General Hosp…    124  harbour-line")
    }

    @Test func `in a narrow window a row continues on indented lines`() {
        let lines = table().lines(width: 22, isColoured: false)

        #expect(
            lines == [
                "ID    STOP       TRIPS", "    FEED", "4131  General …    124",
                "    harbour-line", "7     駅前           9",
            ])
    }

    @Test func `names with the same beginning stay distinct when they are cut`() {
        var table = TextTable([.text("NAME"), .number("N")])
        let names = [
            "Pre-shift, evening, kitchen", "Pre-shift, evening, service", "Closing",
            "Pre-shift, evening, kitchen, cold side", "Pre-shift, evening, kitchen, hot side",
        ]
        for name in names { table.add([.init(name), "1"]) }

        for width in [20, 24, 30, 40] {
            let lines = table.lines(width: width, isColoured: false)
            #expect(Set(lines).count == names.count + 1, "\(lines)")
            #expect(lines.allSatisfy { $0.columns <= width })
            for (name, line) in zip(names, lines.dropFirst()) {
                #expect(line.hasPrefix(name) || line.contains("…"), "\(line)")
            }
        }
    }

    @Test func `measures aren't cut in a narrow window: they have a line of their own`() {
        var table = TextTable([.id("ID"), .text("CALLED"), .whole("MEASURES")])
        table.add(["wall-1", "Outer wall", "4100 mm long, 120 thick"])

        #expect(
            table.lines(width: 30, isColoured: false) == [
                "ID      CALLED", "    MEASURES", "wall-1  Outer wall",
                "    4100 mm long, 120 thick",
            ])
    }

    @Test func `a row that has too many numbers for a line loses none of them`() {
        var table = TextTable([.text("NAME")] + (1...30).map { .number("COLUMN\($0)") })
        table.add([.init("all")] + (1...30).map { .init("\($0 * 1000)") })

        let lines = table.lines(width: 80, isColoured: false)

        #expect(lines.allSatisfy { $0.columns <= 80 })
        let words = lines.flatMap { $0.split(separator: " ").map(String.init) }
        #expect((1...30).allSatisfy { words.contains("\($0 * 1000)") })
    }

    @Test func `a line on a screen marks what is left out, even a whole piece`() {
        var line = StyledLine("12345")
        line.add("678", .red)
        let look = Look(hasColours: false, isUnicode: true)

        #expect(line.text(width: 8, look) == "12345678")
        #expect(line.text(width: 7, look) == "123456…")
        #expect(line.text(width: 5, look) == "1234…")
        #expect(line.text(width: 0, look) == "")
        #expect(line.fitted(to: 5).text(isColoured: false) == "1234…")
        #expect(line.text(width: 5, Look(hasColours: false, isUnicode: false)) == "1234~")
    }

    @Test func `keys for which there is no room are left out, but not how to close`() {
        let keys = "space done  m more time  s skip  f first-then  q close"

        #expect(keys.keys(fitting: 80) == keys)
        #expect(keys.keys(fitting: 46) == "space done  m more time  f first-then  q close")
        #expect(keys.keys(fitting: 40) == "space done  f first-then  q close")
        #expect(keys.keys(fitting: 30) == "f first-then  q close")
        #expect(keys.keys(fitting: 9) == "q close")
        #expect(keys.keys(fitting: -1) == "q close")
    }

    @Test func `dates, times and numbers aren't broken, however narrow the window`() {
        var table = TextTable([.time("RAISED"), .text("TITLE"), .number("BYTES")])
        table.add(["2026-11-21 10:15:00", "The travel path is late", "1234567890123"])

        let lines = table.lines(width: 44, isColoured: false)

        #expect(lines[1].hasPrefix("2026-11-21 10:15:00  "))
        #expect(lines[1].contains("…") && lines[1].hasSuffix("  1234567890123"))
        #expect(lines[1].columns <= 44)
    }

    @Test func `text to be typed elsewhere isn't broken, however narrow the window`() {
        var table = TextTable([.id("ID"), .text("WHAT")])
        table.add(["room-1-wall-12", "partition of the hall"])

        #expect(
            table.lines(width: 20, isColoured: false) == [
                "ID", "    WHAT", "room-1-wall-12", "    partition of th…",
            ])
        #expect(table.lines(width: 26, isColoured: false)[1] == "room-1-wall-12  partition…")
    }

    @Test func `colours change no position`() {
        var table = TextTable([.text("A"), .text("B")])
        table.add([.init("red", .red), "x"])

        let line = table.lines(width: nil, isColoured: true)[1]

        #expect(line == "\u{1B}[31mred\u{1B}[0m  x")
    }

    @Test func `a table without rows is just its head`() {
        #expect(TextTable([.text("A")]).lines(width: nil, isColoured: false) == ["A"])
    }
}
