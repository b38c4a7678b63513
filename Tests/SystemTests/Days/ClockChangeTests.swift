import Foundation
import TestSupport
import Testing

/// Tests days on which the clock is changed, with the service and the command line.
struct ClockChangeTests {
    /// The date, and Oslo's offset from UTC after the change of that night.
    private static let nights = [("2027-03-28", "+02:00"), ("2027-10-31", "+01:00")]

    @Test(arguments: nights)
    func `items with a fixed time keep their local time`(
        date: String, offset: String
    ) throws {
        let home = try Household()
        try home.makeRoutines()
        let month = String(date.prefix(7))
        let before = month == "2027-03" ? ("2027-03-27", "+01:00") : ("2027-10-30", "+02:00")
        try home.setClock(to: "12:00", on: before.0, offset: before.1)
        try home.run(
            "day plan --tag morning --appointment '10:00-10:30 +20 Doctor' --wake 1:00 "
                + "--date \(date)")
        try home.run("day confirm --date \(date)")
        // The machine is off when the clock is changed.
        home.killService()
        try home.setClock(to: "10:01", on: date, offset: offset)
        try home.startService()
        try eventually("it is time for the doctor") {
            try home.alerts().contains { $0.contains("Now: Doctor") }
        }
        let day = try home.run("day show")
        #expect(
            day.split(separator: "\n").contains { $0.contains("10:00") && $0.contains("Doctor") })
        try home.setClock(to: "23:59", on: date, offset: offset)
        try eventually("nothing is left to do") {
            home.states(try home.day()).allSatisfy { !$0.hasSuffix("unspecified") }
        }
        let states = home.states(try home.day("day show"))
        #expect(
            states.allSatisfy {
                $0.hasSuffix(" done") || $0.hasSuffix(" skipped") || $0.hasSuffix(" leftOut")
            }, "\(states)")
        let items = try #require(try home.day()["items"] as? [[String: Any]])
        for step in items.flatMap({ $0["steps"] as? [[String: Any]] ?? [] }) {
            #expect((step["reason"] is [String: Any]) == (step["state"] as? String != "done"))
        }
    }

    /// A zone, when the person gets there by Oslo's clock, and the date of today there.
    private static let journeys = [
        ("America/New_York", "12:00", "2027-02-01"), ("Pacific/Auckland", "12:30", "2027-02-02"),
        ("Pacific/Kiritimati", "07:10", "2027-02-01"), ("Pacific/Pago_Pago", "09:00", "2027-01-31"),
    ]

    @Test(arguments: journeys)
    func `for a traveller each action is done, skipped or left out, with its reason`(
        zone: String, time: String, today: String
    ) throws {
        let home = try Household()
        try home.makeRoutines()
        try home.run("day settings --zone Europe/Oslo")
        try home.run(
            "day plan --tag morning --tag afternoon --appointment '15:00-16:00 Doctor' "
                + "--appointment '07:40-10:50 School'")
        try home.run("day confirm")
        try home.setClock(to: "07:02")
        try home.run("day done")

        // The machine is off while the person is on the way.
        home.killService()
        try home.setClock(to: time)
        try home.startService()
        try home.run("day settings --zone \(zone)")
        #expect(try home.run("day show --date 2027-02-01").contains("15:00"))
        let plan = "day plan --tag morning --tag afternoon --wake 0:00 --sleep 24:00 --anew"
        #expect(try home.run(plan).contains(today))
        try home.run("day confirm")

        home.killService()
        try home.setClock(to: "13:00", on: "2027-02-04")
        try home.startService()
        for date in Set(["2027-02-01", today]) {
            var steps: [[String: Any]] = []
            try eventually("\(date) is over") {
                let day = try home.day("day show --date \(date)")
                steps = (day["items"] as? [[String: Any]] ?? [])
                    .flatMap { $0["steps"] as? [[String: Any]] ?? [] }
                return steps.allSatisfy { $0["state"] as? String != "unspecified" }
            }
            #expect(steps.count >= 3)
            for step in steps {
                let state = step["state"] as? String ?? ""
                #expect(["done", "skipped", "leftOut"].contains(state), "\(step)")
                #expect((step["reason"] is [String: Any]) == (state != "done"), "\(step)")
            }
            #expect(
                try home.refusal(of: "day done --date \(date)").contains("is over; it stays as"))
        }
    }
}
