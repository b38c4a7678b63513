import Foundation
import TestSupport
import Testing

/// Tests days on which the clock is changed, with the service and the command line.
struct ClockChangeTests {
    /// The date, and Oslo's offset from UTC after the change of that night.
    private static let nights = [("2027-03-28", "+02:00"), ("2027-10-31", "+01:00")]

    @Test(arguments: nights)
    func `what has a fixed time stays where the clock on the wall shows it`(
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
        try eventually("nothing is to come") {
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
}
