import Messages
import Phrases
import RoutineDay
import ServiceRuntime
import TestStore
import Testing

@testable import RoutineService

/// The times that people give to the routines of a day.
struct DayMoveTests {
    @Test(arguments: [DayState.confirmed, .proposed])
    func `nothing is moved to a time that has passed`(state: DayState) throws {
        var (day, time) = try DayRunningTests.day()
        let now = time.instant(840) + DayTime.minute / 2
        try day.settle(at: time.instant(700), time)
        day.state = state
        let before = day

        let refusal = #expect(throws: Refusal.self) {
            try day.move(MoveItem(item: "Out", start: 839), time, at: now)
        }

        #expect(refusal?.message == "13:59 has passed; give a time that is still to come")
        #expect(day == before)
        // The present minute has not passed.
        _ = try day.move(MoveItem(item: "Out", start: 840), time, at: now)
        #expect(day.items.contains { $0.wanted == 840 })
    }

    @Test func `what begins later because its time has passed says so`() throws {
        var (day, time) = try DayRunningTests.day()
        try day.settle(at: time.instant(430), time, mustFit: true)
        let teeth = day[try day.place("1.1", at: time.instant(430))]
        #expect(time.clock(teeth.start) == "07:10")
        #expect(teeth.reason?.text(in: .english) == "Moved: the planned time had passed.")
    }

    @Test func `what would be done before the person gets up is left out because of its time`()
        throws
    {
        var (day, time) = try DayRunningTests.day()
        (day.state, day.wake) = (.proposed, 660)
        day = try DayFitting(day, time, at: time.begin).fitted(isNew: true)
        let teeth = day[try day.place("1.1", at: time.begin)]
        #expect(teeth.state == .leftOut)
        #expect(teeth.reason?.text(in: .english) == "Its time was over at 11:00.")
    }

    @Test func `what a person has moved needs no reason`() throws {
        let store = try MemoryStore(of: .routine, RoutineStore.migrator)
        // 2027-01-15, 08:00 in UTC.
        let reasons = try store.run(at: 1_800_000_000_000) { transaction -> [[String?]] in
            for (name, from) in [("Read", UInt32(600)), ("Walk", 780)] {
                let action = RoutineAction(name: name, minutes: 30, priority: 3)
                try Routine(
                    id: name, name: name, actions: [action, action], from: from, until: from + 120
                ).save(of: transaction.principal.account, transaction.db)
            }
            let date = "2027-01-15"
            _ = try Days.plan(
                PlanDay(date: date, routines: ["Read", "Walk"], timeZone: "UTC"), in: transaction)
            _ = try DayChanges.change(
                ChangeDay(date: date, change: .confirm(true)), in: transaction)
            let changes: [ChangeDay.Change] = [
                .move(MoveItem(item: "Walk", start: 990)),
                .swap(SwapItems(one: "Read", other: "Walk")),
            ]
            return try changes.map { change in
                let day = try DayChanges.change(
                    ChangeDay(date: date, change: change), in: transaction)
                return day.places.map { day[$0].reason?.text(in: .english) }
            }
        }

        #expect(reasons == [[nil, nil, nil, nil], [nil, nil, nil, nil]])
    }
}
