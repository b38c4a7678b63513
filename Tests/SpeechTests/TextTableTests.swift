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

    @Test func `a table fits into the window, its widest columns give way`() {
        let lines = table().lines(width: 40, isColoured: false)

        #expect(lines.allSatisfy { $0.columns <= 40 })
        #expect(lines[1] == "4131  General Hosp…    124  harbour-line")
    }

    @Test func `a narrow window does not cut a column to nothing`() {
        let lines = table().lines(width: 10, isColoured: false)

        #expect(lines[1] == "4131  General…    124  harbour…")
    }

    @Test func `dates, times and numbers stay whole, however narrow the window`() {
        var table = TextTable([.time("RAISED"), .text("TITLE"), .number("BYTES")])
        table.add(["2026-11-21 10:15:00", "The travel path is late", "1234567890123"])

        let lines = table.lines(width: 44, isColoured: false)

        #expect(lines[1].hasPrefix("2026-11-21 10:15:00  "))
        #expect(lines[1].contains("…") && lines[1].hasSuffix("  1234567890123"))
        #expect(lines[1].columns <= 44)
    }

    @Test func `what is typed elsewhere stays whole, however narrow the window`() {
        var table = TextTable([.id("ID"), .text("WHAT")])
        table.add(["room-1-wall-12", "partition of the hall"])

        #expect(table.lines(width: 20, isColoured: false)[1] == "room-1-wall-12  partiti…")
    }

    @Test func `colours change no position`() {
        var table = TextTable([.text("A"), .text("B")])
        table.add([.init("red", .red), "x"])

        let line = table.lines(width: nil, isColoured: true)[1]

        #expect(line == "\u{1B}[31mred\u{1B}[0m  x")
    }

    @Test func `a table without rows is its head`() {
        #expect(TextTable([.text("A")]).lines(width: nil, isColoured: false) == ["A"])
    }
}
