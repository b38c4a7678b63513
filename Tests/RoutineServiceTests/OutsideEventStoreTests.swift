import GRDB
import LocalTime
import Messages
import TestStore
import Testing

@testable import RoutineService
@testable import ServiceRuntime

/// How meetings get into many days at once, in a real store.
struct OutsideEventStoreTests {
    private static let day: Int64 = 86_400_000
    /// The morning of 2027-01-15.
    private static let now: Int64 = 1_800_000_000_000

    private let store: MemoryStore

    init() throws {
        store = try MemoryStore(of: .routine, RoutineStore.migrator)
    }

    private func run<R>(at now: Int64, _ body: (Transaction) throws -> R) throws -> R {
        try store.run(at: now, body)
    }

    /// Plans days that follow each other, each with an appointment, and a meeting in each of them.
    private func plan(days: Int) throws {
        let local = try #require(LocalTime(zone: "UTC"))
        try run(at: Self.now) { transaction in
            let person = transaction.principal.account
            for number in 1...days {
                let begin = (Self.now / Self.day + Int64(number)) * Self.day
                let date = local.reading(at: begin).date
                let tea = Appointment(name: "Tea", from: 600, until: 660)
                _ = try Days.plan(
                    PlanDay(date: date, appointments: [tea], timeZone: "UTC"), in: transaction)
                try DayEvent(
                    kind: .meeting, id: "\(number)", person: person, name: "Talk",
                    start: begin + 12 * 3_600_000, end: begin + 13 * 3_600_000
                ).save(transaction.db)
            }
        }
    }

    /// The number of days with a meeting, and when the others follow.
    private func state() throws -> (days: Int, due: Int64?) {
        try run(at: Self.now) { transaction in
            let person = transaction.principal.account
            let days = try Day.all(
                of: person, from: "2027-01-01", until: "2027-12-31", transaction.db)
            return (
                days.count { day in day.items.contains { !$0.event.isEmpty } },
                try transaction.timerDue(OutsideEvents.timer, subject: person)
            )
        }
    }

    @Test func `meetings get into five days at once, and soon into all others`() throws {
        try plan(days: 12)
        try run(at: Self.now) { transaction in
            _ = try People.change(ChangeDaySettings(withMeetings: true), in: transaction)
        }
        for days in [5, 10] {
            let (found, due) = try state()
            #expect(found == days)
            let next = try #require(due)
            #expect(next > Self.now)
            try run(at: next) { transaction in
                let person = transaction.principal.account
                try transaction.cancelTimer(OutsideEvents.timer, subject: person)
                for handler in OutsideEvents.timers {
                    try handler.handle(person, next, transaction)
                }
            }
        }
        let (all, due) = try state()
        #expect(all == 12 && due == nil)
    }

    /// Gives each guest a day like the planned one. Meetings are wanted in them.
    private func invite(_ guests: [String]) throws {
        try run(at: Self.now) { transaction in
            let planned = try Day.all(
                of: transaction.principal.account, from: "2027-01-01", until: "2027-12-31",
                transaction.db)
            var day = try #require(planned.first)
            for guest in guests {
                var settings = DaySettings.usual(of: guest)
                settings.withMeetings = true
                try PersonRow(account: guest, organisation: "local", settings: settings)
                    .save(transaction.db)
                day.person = guest
                try day.save(transaction.db)
            }
        }
    }

    @Test(arguments: ["day SET day", "person SET settings"])
    func `unreadable data of one guest keeps no other from a meeting`(damaged: String) throws {
        try plan(days: 1)
        try invite(["ann", "bob"])
        let begin = (Self.now / Self.day + 1) * Self.day
        let meeting = ProjectMeeting(
            id: "m", title: "Talk", start: begin + 14 * 3_600_000, end: begin + 15 * 3_600_000,
            guests: [MeetingGuest(account: "ann"), MeetingGuest(account: "bob")])

        let names = try run(at: Self.now) { transaction -> [String] in
            let key = damaged.hasPrefix("day") ? "person" : "account"
            try transaction.db.execute(sql: "UPDATE \(damaged) = x'FF' WHERE \(key) = 'ann'")
            try OutsideEvents.meetingChanged(
                MeetingChanged(meeting: meeting, project: "p"), Envelope(), in: transaction)
            let days = try Day.all(
                of: "bob", from: "2027-01-01", until: "2027-12-31", transaction.db)
            return days.flatMap { $0.items.map(\.name) }
        }

        #expect(names == ["Tea", "Talk"])
    }
}
