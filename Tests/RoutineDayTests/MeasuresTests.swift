import Messages
import RoutineDay
import Testing

/// How long actions really took.
struct MeasuresTests {
    private static let begin: Int64 = 1_800_000_000_000

    /// An action of five minutes that was begun, and was done after this number of seconds.
    private static func step(
        _ id: String, seconds: Int64, _ change: (inout DayStep) -> Void = { _ in }
    )
        -> DayStep
    {
        var step = DayStep(
            id: id, action: RoutineAction(library: "hygiene.brushTeeth", minutes: 5, priority: 3),
            state: .done, start: begin, end: begin + 300_000, ended: begin + seconds * 1_000,
            began: begin, isMeasured: true)
        change(&step)
        return step
    }

    private static func day(_ steps: [DayStep], appointments: [DayStep] = []) -> Day {
        let fixed = appointments.map { DayItem(id: "9", name: "Call", steps: [$0]) }
        return Day(
            person: "ada", date: "2027-01-15", state: .confirmed,
            items: [DayItem(id: "1", routine: "r", name: "Morning", steps: steps)] + fixed)
    }

    @Test func `an action took from its start to its end, less pauses and interruptions`() {
        let call = DayStep(
            id: "9.1", action: RoutineAction(name: "Call", minutes: 2), state: .done,
            start: Self.begin + 60_000, end: Self.begin + 180_000)
        let day = Self.day(
            [
                Self.step("1.1", seconds: 480),
                Self.step("1.2", seconds: 600) { $0.rested = 60_000 },
            ], appointments: [call])
        #expect(day.measures.map(\.length) == [360_000, 420_000])
        #expect(day.measures.map(\.action) == ["hygiene.brushTeeth", "hygiene.brushTeeth"])
    }

    @Test func `an action that doesn't show how long it took isn't measured`() {
        let day = Self.day([
            // Marked all at once.
            Self.step("1.1", seconds: 2),
            // Forgotten for hours.
            Self.step("1.2", seconds: 4 * 3_600),
            Self.step("1.3", seconds: 300) { $0.isMeasured = false },
            Self.step("1.4", seconds: 300) { $0.state = .skipped },
            Self.step("1.5", seconds: 300) { $0.began = 0 },
            Self.step("1.6", seconds: -5),
        ])
        #expect(day.measures.isEmpty)
    }

    @Test func `the usual duration is the median, in whole minutes`() {
        #expect(Measure.minutes(of: []) == nil)
        #expect(Measure.minutes(of: [480_000, 60_000, 500_000, 470_000, 9_000_000]) == 8)
        #expect(Measure.minutes(of: [60_000, 120_000]) == 2)
        #expect(Measure.minutes(of: [1]) == 1)
    }

    @Test func `a person's own action is known by its name, ignoring case`() {
        #expect(RoutineAction(name: "Feed ").measureKey == RoutineAction(name: "feed").measureKey)
        #expect(RoutineAction(emoji: "🧸").measureKey != RoutineAction(name: "feed").measureKey)
    }

    @Test func `statistics show what was kept up, and nothing that was not`() {
        var other = Self.day([
            Self.step("1.1", seconds: 300), Self.step("1.2", seconds: 300) { $0.state = .skipped },
        ])
        other.date = "2027-01-16"
        let none = Self.day([Self.step("1.1", seconds: 300) { $0.state = .skipped }])
        let whole = Self.day([Self.step("1.1", seconds: 300), Self.step("1.2", seconds: 360)])
        let found = DayStatistics(
            of: [whole, other, none], from: "2027-01-01", until: "2027-01-31")
        #expect(found.routines.count == 1)
        let morning = found.routines[0]
        #expect(morning.days == 2 && morning.actions == 3 && morning.minutes == 11)
        #expect(DayStatistics(of: [none], from: "", until: "").routines.isEmpty)
    }
}
