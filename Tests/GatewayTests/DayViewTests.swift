import Foundation
import Messages
import Phrases
import RoutineDay
import Speech
import Testing

@testable import Gateway

/// The view of a day, without a terminal.
struct DayViewTests {
    private static let size = WindowSize(columns: 80, rows: 24)

    /// A confirmed day with this number of ten-minute actions, from eight in the morning.
    private static func day(_ count: Int) throws -> (Day, DayTime) {
        let time = try #require(DayTime(date: "2027-02-01", zone: "UTC"))
        let keys = [
            "hygiene.brushTeeth", "meals.breakfast", "household.dishwasher", "rest.blanket",
        ]
        let steps = (0..<count).map { index in
            DayStep(
                id: "1.\(index + 1)",
                action: RoutineAction(
                    library: keys[index % 4], emoji: "🪥", minutes: 10, priority: 3),
                start: time.instant(elapsed: 480 + 10 * index),
                end: time.instant(elapsed: 490 + 10 * index))
        }
        let item = DayItem(id: "1", routine: "r", name: "Morning", steps: steps, until: 1_440)
        let day = Day(
            person: "ada", date: "2027-02-01", timeZone: "UTC", state: .confirmed, wake: 420,
            sleep: 1_320, items: [item])
        return (day, time)
    }

    private static func text(_ lines: [StyledLine]) -> String {
        lines.map { $0.text(isColoured: false) }.joined(separator: "\n")
    }

    @Test(arguments: [3, 12, 40], Language.allCases)
    func `the current action, the next one and the keys are shown, and nothing is cut`(
        count: Int, language: Language
    ) throws {
        let (day, time) = try Self.day(count)
        let view = DayView(day: day, now: time.instant(elapsed: 484), language: language)
        let lines = view.lines(Self.size)
        #expect(lines.count == Self.size.rows)
        let text = Self.text(lines)
        let words = Words<DayPhrase>(language)
        for said in [
            words.say(.now), words.say(.next), words.say(.keys),
            day.items[0].steps[0].action?.title(in: language) ?? "",
            day.items[0].steps[1].action?.title(in: language) ?? "",
            words.say(.atClock, ["clock": "08:10"]), words.say(.minutesLeft, ["count": "6"]), "🪥",
        ] {
            #expect(text.contains(said), "\(said) in\n\(text)")
        }
        #expect(!text.contains("…"))
    }

    @Test func `the bar stands still in a pause, unless it is that of an appointment`() throws {
        var (day, time) = try Self.day(1)
        func shown(_ minutes: Int) -> String {
            Self.text(
                DayView(day: day, now: time.instant(elapsed: minutes), language: .english)
                    .lines(Self.size))
        }
        func bar(_ minutes: Int) -> Int { shown(minutes).count { $0 == "█" } }
        let words = Words<DayPhrase>(.english)
        let whole = bar(483)

        day.paused = time.instant(elapsed: 483)
        #expect(whole > 0 && bar(483) == whole && bar(488) == whole)
        #expect(shown(488).contains(words.say(.isPaused)))

        day.items[0].routine = ""
        #expect(bar(488) < whole && bar(488) > 0)
        #expect(shown(488).contains(words.say(.minutesLeft, ["count": "2"])))
    }

    @Test func `the bar shrinks as time passes, and is empty at the end`() throws {
        let (day, time) = try Self.day(3)
        let lengths = [480, 482, 485, 489, 490].map { minutes in
            let view = DayView(day: day, now: time.instant(elapsed: minutes), language: .english)
            return Self.text(view.lines(Self.size)).count { $0 == "█" }
        }
        #expect(lengths == lengths.sorted(by: >) && Set(lengths).count == 5)
        #expect(lengths.first == 60 && lengths.last == 0)
    }

    @Test func `nothing is red, and no line hurries anyone or counts what wasn't done`() throws {
        var (day, time) = try Self.day(12)
        for index in 0..<6 {
            day.items[0].steps[index].state = index % 2 == 0 ? .skipped : .leftOut
        }
        for minutes in stride(from: 400, to: 1_500, by: 25) {
            for isFirstThen in [false, true] {
                var view = DayView(
                    day: day, now: time.instant(elapsed: minutes), language: .english)
                view.isFirstThen = isFirstThen
                for line in view.lines(Self.size) {
                    let coloured = line.text(isColoured: true)
                    #expect(!coloured.contains("\u{1B}[31m") && !coloured.contains("\u{1B}[1;31m"))
                    let said = coloured.lowercased()
                    for word in ["late", "overdue", "missed", "failed", "hurry", "streak", "!"] {
                        #expect(!said.contains(word), "\(said)")
                    }
                }
            }
        }
    }

    @Test func `first-then shows two things and nothing else`() throws {
        let (day, time) = try Self.day(3)
        var view = DayView(day: day, now: time.instant(elapsed: 484), language: .english)
        view.isFirstThen = true
        let text = Self.text(view.lines(Self.size))
        #expect(text.contains("First") && text.contains("Then") && !text.contains("█"))
        #expect(text.contains("Brush your teeth") && text.contains("Eat breakfast"))
        #expect(!text.contains("Empty the dishwasher"))
    }

    @Test func `a finished day, an unplanned day and free time say so`() throws {
        var (day, time) = try Self.day(1)
        let before = DayView(day: day, now: time.instant(elapsed: 400), language: .swedish)
        #expect(Self.text(before.lines(Self.size)).contains("Fri tid"))
        day.items[0].steps[0].state = .done
        let after = DayView(day: day, now: time.instant(elapsed: 500), language: .norwegian)
        #expect(Self.text(after.lines(Self.size)).contains("Ferdig for i dag"))
        let none = DayView(day: nil, now: 0, language: .english)
        #expect(Self.text(none.lines(Self.size)).contains("No plan for today"))
    }

    @Test(arguments: Language.allCases)
    func `only keys that do something at the moment are named`(language: Language) throws {
        let (day, time) = try Self.day(2)
        let words = Words<DayPhrase>(language)
        for (minutes, keys) in [(400, DayPhrase.keysFree), (475, .keysFree), (484, .keys)] {
            let view = DayView(day: day, now: time.instant(elapsed: minutes), language: language)
            let foot = try #require(view.lines(Self.size).last?.text(isColoured: false))
            #expect(foot.trimmingCharacters(in: .whitespaces) == words.say(keys))
        }
    }

    @Test(arguments: Language.allCases)
    func `a narrow window still says how to close the view`(language: Language) throws {
        let (day, time) = try Self.day(2)
        let view = DayView(day: day, now: time.instant(elapsed: 484), language: language)
        let lines = view.lines(WindowSize(columns: 60, rows: 24))
        let foot = try #require(lines.last?.text(isColoured: false))
        let close = try #require(Words<DayPhrase>(language).say(.keys).split(separator: "  ").last)
        #expect(foot.hasSuffix(close) && !foot.contains("…"))
    }

    @Test(arguments: Language.allCases)
    func `the list of a day says what is current`(language: Language) throws {
        let (day, time) = try Self.day(2)
        let sheet = DaySheet(day, at: time.instant(elapsed: 484), language: language)
        let words = Words<DayPhrase>(language)
        #expect(
            day.places.map { sheet.state(of: $0) }
                == [words.say(.stateNow), words.say(.stateOpen)])
    }

    @Test(arguments: [DayState.proposed, .confirmed])
    func `an appointment whose time is over is not to come, even before anyone has said so`(
        state: DayState
    ) throws {
        var (day, time) = try Self.day(1)
        day.state = state
        for (id, start) in [("2", 400), ("3", 470), ("4", 500)] {
            let step = DayStep(
                id: "\(id).1", action: RoutineAction(name: "Talk", minutes: 30),
                start: time.instant(elapsed: start), end: time.instant(elapsed: start + 30))
            day.items.append(DayItem(id: id, name: "Talk", steps: [step]))
        }

        let sheet = DaySheet(day, at: time.instant(elapsed: 475), language: .english)

        #expect(
            day.places.map { sheet.state(of: $0) } == ["to come", "done", "now", "to come"])
    }

    @Test func `before the next action its picture and a shrinking bar are shown`() throws {
        let (day, time) = try Self.day(2)
        let lengths = [451, 460, 470, 479].map { minutes in
            let view = DayView(day: day, now: time.instant(elapsed: minutes), language: .english)
            let text = Self.text(view.lines(Self.size))
            #expect(text.contains("Waiting for") && text.contains("Brush your teeth"))
            return text.count { $0 == "█" }
        }
        #expect(lengths == lengths.sorted(by: >) && Set(lengths).count == 4)
        let long = DayView(day: day, now: time.instant(elapsed: 440), language: .english)
        #expect(!Self.text(long.lines(Self.size)).contains("Waiting for"))
    }

    @Test func `a change by someone else is shown, with the key that undoes it`() throws {
        var (day, time) = try Self.day(1)
        let said = Said<DayPhrase>(.added, ["name": .text("Doctor")])
        day.changes = [DayChange(text: Phrase(said), account: "kari", by: "Kari")]
        let view = DayView(day: day, now: time.instant(elapsed: 484), language: .english)
        #expect(
            Self.text(view.lines(Self.size)).contains(
                "Kari changed your day: added: Doctor. Press u to take it back."))
    }

    @Test(arguments: Language.allCases)
    func `a message is shown in full, in the language of the person`(language: Language) throws {
        let (day, time) = try Self.day(2)
        for message in [
            Said<DayPhrase>(.notPossible), Said(.needsContact),
            Said(.staysHere, ["date": .text("2027-02-01")]),
        ] {
            var view = DayView(day: day, now: time.instant(elapsed: 484), language: language)
            view.message = message
            let text = Self.text(view.lines(Self.size))
            #expect(text.contains(Words<DayPhrase>(language).say(message)))
        }
    }

    @Test(arguments: [(20, 6), (40, 12), (200, 60), (1, 1)])
    func `a window of any size is filled exactly`(columns: Int, rows: Int) throws {
        let (day, time) = try Self.day(12)
        for isFirstThen in [false, true] {
            var view = DayView(day: day, now: time.instant(elapsed: 484), language: .english)
            view.isFirstThen = isFirstThen
            #expect(view.lines(WindowSize(columns: columns, rows: rows)).count == rows)
        }
    }
}
