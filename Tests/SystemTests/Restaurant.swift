import Bus
import Foundation
import Messages
import TestSupport
import Testing

/// A restaurant with everything that its shifts need: the services, a clock that a test sets, and
/// people who use the command line.
final class Restaurant: CommandLineUser {
    private(set) var checklist: Program
    private let others: [Program]
    private let clock: String

    /// A restaurant in Berlin whose clock shows a local time of Saturday, 2026-11-21.
    init(at time: String = "09:00") throws {
        let system = try System()
        clock = system.path("clock")
        try "0".write(toFile: clock, atomically: true, encoding: .utf8)
        let environment = Self.environment(clock)
        others = [
            try system.launch("account-service", adding: environment),
            try system.launch("notifier", adding: environment),
        ]
        checklist = try system.launch("checklist-service", adding: environment)
        super.init(of: system, device: "till", adding: environment)
        try setClock(to: time)
        for program in others + [checklist] { try program.waitUntilReady() }
        try run("site add Harbour --zone Europe/Berlin")
        try eventually("the service knows the site") {
            try say("site settings").end == .exited(0)
        }
        try run("template restaurant")
    }

    private static func environment(_ clock: String) -> [String: String] {
        ["LD_PRELOAD": "\(System.executables)/libShiftedClock.so", "SHIFTED_CLOCK": clock]
    }

    /// Sets the clock of everyone to a local time of 2026-11-21.
    func setClock(to time: String) throws {
        let wanted = try Date("2026-11-21T\(time):00+01:00", strategy: .iso8601)
        let seconds = Int(wanted.timeIntervalSince1970) - Int(realTime())
        try "\(seconds)".write(toFile: clock, atomically: true, encoding: .utf8)
    }

    private func realTime() -> Int { Int(WallClock.milliseconds() / 1000) }

    /// Ends checklist-service as a power cut does.
    func killService() { checklist.kill() }

    /// Starts it again.
    func startService() throws {
        checklist = try system.launch("checklist-service", adding: Self.environment(clock))
        try checklist.waitUntilReady()
    }

    /// Someone with a role at the restaurant, logged in on a device of the same name.
    func person(_ name: String, _ role: String) throws {
        let code = try run("user invite --role \(role) --site Harbour")
            .trimmingCharacters(in: .newlines)
        for (line, input) in [
            ("user sign-up \(name) --called \(name.capitalized)", "\(code)\n\(Self.password)\n"),
            ("login \(name)", "\(Self.password)\n"),
        ] {
            let said = try feed(line, input, device: name)
            guard said.end == .exited(0) else { throw Complaint("steward \(line):\n\(said.err)") }
        }
    }

    private static let password = "correct horse battery"

    /// The id of the newest ended shift.
    func endedShift() throws -> String {
        let found = try answer("archive find")["shifts"] as? [[String: Any]]
        let shift = found?.first?["shift"] as? [String: Any]
        guard let id = shift?["id"] as? String else { throw Complaint("no shift has ended") }
        return id
    }

    /// Numbers of the tasks of a list that can be marked, in order.
    func tasks(of list: String, device: String? = nil) throws -> [Int] {
        let all = try rows("checklist show '\(list)'", device: device)
        let text = try run("checklist show '\(list)'", device: device)
        let parents = Set(
            text.split(separator: "\n").compactMap { line -> Int? in
                let words = line.split(separator: " ")
                return words.count > 1 && words[1].hasPrefix("(") ? Int(words[0]) : nil
            })
        return all.compactMap { $0["number"] as? Int }.filter { !parents.contains($0) }
    }
}
