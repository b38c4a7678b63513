import Bus
import Messages
import TestSupport
import Testing

/// Absurd numbers: the service of days answers every message, whatever is in it.
@Suite struct ExtremeDayTests {
    /// Planned days must not end during the test.
    private static let zone = zoneInTheMorning()
    private static let action = RoutineAction(name: "Read", minutes: 10, priority: 3)
    private static let visit = Appointment(
        name: "Doctor", from: 700, until: 730, preparation: 15)

    private static let changes: [ChangeDay.Change] = [
        .confirm(true), .skip(""), .undo(true), .pause(true),
        .more(MoreTime(minutes: 5)), .addRoutine("Evening"), .addAppointment(visit),
        .remove("Morning"), .move(MoveItem(item: "Morning", start: 800)),
        .swap(SwapItems(one: "Morning", other: "Evening")),
        // What is done stays done when the day is planned again, so this comes last.
        .done(""),
    ]

    /// Messages with a value in each field.
    private static var messages: [any ProtobufMessage] {
        let others: [any ProtobufMessage] = [
            KeepAction(action: action), ListOwnActions(), ListRoutines(), ListDayTemplates(),
            KeepRoutine(
                routine: Routine(
                    name: "Evening", actions: [action, action], from: 1_000, until: 1_440,
                    changed: 1, deleted: 1)),
            ChangeDaySettings(timeZone: zone, wake: 400, sleep: 1_300, warning: 5),
            PlanDay(
                date: "tomorrow", appointments: [visit], routines: ["Morning"], wake: 400,
                sleep: 1_300, anew: true),
            ChangeRhythm(
                days: [RhythmDay(weekday: 1, template: "Usual")],
                addHolidays: [DayHoliday(from: "2027-01-01", until: "2027-01-02")], evening: 1_200),
            ReadDayStatistics(days: 7), ReadDay(), ReadRhythm(), ListMeasuredActions(),
        ]
        return others + changes.map { ChangeDay(change: $0) as any ProtobufMessage }
    }

    @Test func `no number in a message about days stops the service`() throws {
        let system = try System()
        var service = try system.start("routine-service")
        let client = try system.client(of: .routine)
        for name in ["Morning", "Evening"] {
            _ = try client.ask(
                KeepRoutine(routine: Routine(name: name, actions: [Self.action], until: 1_440)),
                for: Routine.self)
        }
        let day = PlanDay(
            routines: ["Morning"], wake: 0, sleep: 1_440, timeZone: Self.zone, anew: true)
        _ = try client.ask(day, for: Day.self)
        _ = try client.ask(KeepTemplate(name: "Usual"), for: DayTemplate.self)

        let wrong = try client.answersToExtremes(
            of: Self.messages, from: { service },
            prepare: { message in
                // Each change is made to a day that is under way.
                guard message is ChangeDay else { return message }
                _ = try client.ask(day, for: Day.self)
                _ = try client.ask(ChangeDay(change: .confirm(true)), for: Day.self)
                return message
            })

        #expect(wrong == [])
        // Nor does anything that was kept stop it when its time comes.
        service.kill()
        service = try system.start("routine-service")
        #expect(try !client.ask(ListRoutines(), for: Routines.self).routines.isEmpty)
        _ = try client.ask(day, for: Day.self)
        #expect(service.isRunning)
    }
}
