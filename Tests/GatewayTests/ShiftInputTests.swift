import Messages
import Testing

@testable import Gateway

/// Values of a shift as they are typed and printed.
struct ShiftInputTests {
    @Test func `figures are typed with a point or a comma`() {
        #expect(FigureArgument(argument: "2345.5")?.scaled(by: 100) == 234_550)
        #expect(FigureArgument(argument: "14,5")?.scaled(by: 60) == 870)
        #expect(FigureArgument(argument: "94")?.scaled(by: 1000) == 94_000)
        for wrong in ["", ".5", "1.2345", "-1", "1e3", "12345678901", "٣"] {
            #expect(FigureArgument(argument: wrong) == nil)
        }
        #expect(SalesSheet.decimal(234_505, 100) == "2345.05")
        #expect(SalesSheet.decimal(94_000, 1000) == "94")
        #expect(SalesSheet.decimal(94_250, 1000) == "94.25")
    }

    @Test func `times of day and dates are typed as people write them`() {
        #expect(TimeArgument(argument: "9:05")?.minutes == 545)
        #expect(TimeArgument(argument: "none")?.minutes == .some(nil))
        #expect(TimeArgument(argument: "24:00") == nil)
        #expect(DateArgument(argument: "2026-11-21")?.text == "2026-11-21")
        #expect(DateArgument(argument: "21.11.2026") == nil)
    }

    @Test func `CSV keeps quotation marks and commas of names`() {
        let lines = StatisticsCommand.csv([StatisticsRow(name: "Ann \"A\", jr", shifts: 2)])

        #expect(lines.count == 2)
        #expect(lines[1].hasPrefix("\"Ann \"\"A\"\", jr\",2,0,"))
        #expect(lines[0].split(separator: ",").count == 18)
    }
}
