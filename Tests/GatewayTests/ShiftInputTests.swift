import LocalTime
import Messages
import Testing

@testable import Gateway

/// Values of a shift as they are typed and printed.
struct ShiftInputTests {
    @Test func `figures may be typed with a point or a comma`() {
        #expect(FigureArgument(argument: "2345.5")?.scaled(by: 100) == 234_550)
        #expect(FigureArgument(argument: "14,5")?.scaled(by: 60) == 870)
        #expect(FigureArgument(argument: "94")?.scaled(by: 1000) == 94_000)
        for wrong in ["", ".5", "1.2345", "-1", "1e3", "12345678901", "٣"] {
            #expect(FigureArgument(argument: wrong) == nil)
        }
    }

    @Test func `a due time may be typed with or without its day`() throws {
        let oslo = try #require(LocalTime(zone: "Europe/Oslo"))
        let noon: Int64 = 1_780_308_000_000  // 2026-06-01 12:00 in Oslo
        let time = { (text: String) in
            DueArgument(argument: text).map { $0.time(in: oslo, after: noon) }
        }
        #expect(time("12:30") == noon + 30 * 60_000)
        #expect(time("11:30") == noon + 23 * 3_600_000 + 30 * 60_000)
        #expect(time("2026-06-02 12:00") == noon + 24 * 3_600_000)
        #expect(time("2026-06-01") == noon + (11 * 60 + 59) * 60_000)
        #expect(time("none") == 0)
        for wrong in ["", "soon", "25:00", "2026-06-31", "2026-06-01 none", "2026-06-01  1"] {
            #expect(DueArgument(argument: wrong) == nil, "\(wrong)")
        }
    }

    @Test func `times of day and dates may be typed as people write them`() {
        #expect(TimeArgument(argument: "9:05")?.minutes == 545)
        #expect(TimeArgument(argument: "none")?.minutes == .some(nil))
        #expect(TimeArgument(argument: "24:00") == nil)
        #expect(DayArgument(argument: "2026-11-21")?.text == "2026-11-21")
        #expect(DayArgument(argument: "21.11.2026") == nil)
    }

    @Test func `a first or last day of statistics has to exist`() throws {
        for wrong in ["2026-02-31", "2025-02-29", "2026-11-31", "soon"] {
            for command in [["stats"], ["transit", "stats"], ["archive", "find"]] {
                for end in ["--from", "--to"] {
                    #expect(throws: (any Error).self, "\(command) \(end) \(wrong)") {
                        _ = try Steward.parseAsRoot(command + [end, wrong])
                    }
                }
            }
        }
        for right in ["2024-02-29", "today", "yesterday"] {
            _ = try Steward.parseAsRoot(["stats", "--from", right])
            _ = try Steward.parseAsRoot(["transit", "stats", "--from", right])
        }
    }

    @Test func `a last day before the first is wrong usage`() throws {
        for command in [["stats"], ["transit", "stats"], ["archive", "find"]] {
            for days in [["2026-12-01", "2026-11-30"], ["today", "yesterday"]] {
                #expect(throws: (any Error).self, "\(command) \(days)") {
                    _ = try Steward.parseAsRoot(command + ["--from", days[0], "--to", days[1]])
                }
                _ = try Steward.parseAsRoot(command + ["--from", days[1], "--to", days[0]])
                _ = try Steward.parseAsRoot(command + ["--from", days[0], "--to", days[0]])
            }
        }
    }

    @Test func `an hour may be typed as the sales report shows it`() {
        #expect(HourArgument(argument: "9")?.hour == 9)
        #expect(HourArgument(argument: "09:00")?.hour == 9)
        #expect(HourArgument(argument: "23.00")?.hour == 23)
        for wrong in ["", "24", "24:00", "-1", "9:30", "9:0", "009", "٣"] {
            #expect(HourArgument(argument: wrong) == nil, "\(wrong)")
        }
    }

    @Test func `a language without texts is wrong usage in every command`() throws {
        let report = ["site", "report", "add", "--on", "mon", "--at", "07:00", "--to", "a@b.org"]
        let book = [
            "meet", "book", "Kari", "--at", "2027-03-02 10:00", "--title", "Kickoff",
            "--organizer", "Kari", "--length", "30m",
        ]
        for command in [report, book, ["day", "print", "day.pdf"], ["plan", "check"]] {
            _ = try Steward.parseAsRoot(command + ["--language", "nb"])
            #expect(throws: (any Error).self, "\(command)") {
                _ = try Steward.parseAsRoot(command + ["--language", "de"])
            }
        }
    }

    @Test func `CSV keeps quotation marks and commas in names`() {
        let lines = StatisticsCommand.csv([StatisticsRow(name: "Ann \"A\", jr", shifts: 2)])

        #expect(lines.count == 2)
        #expect(lines[1].hasPrefix("\"Ann \"\"A\"\", jr\",2,0,"))
        #expect(lines[0].split(separator: ",").count == 21)
        #expect(lines[1].split(separator: ",", omittingEmptySubsequences: false).count == 22)
    }

    @Test func `weekdays are shown as they are typed`() {
        for text in ["all", "mon-fri", "sat,sun", "mon,wed", "mon-wed,fri-sun", "tue"] {
            let days = WeekdaysArgument(argument: text)?.days ?? []
            #expect(WeekdaysArgument.words(days) == text)
        }
    }
}
