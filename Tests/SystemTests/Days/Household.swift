import Bus
import Foundation
import Messages
import TestSupport

/// A home where people plan their days: the services, a clock that a test can set, and people at
/// the command line.
final class Household: CommandLineUser {
    private(set) var service: Program
    private let others: [Program]
    private let clock: String

    /// Creates a home in Oslo whose clock shows a local time of Monday, 2027-02-01.
    ///
    /// - Parameters:
    ///   - time: the local time.
    ///   - hasAccounts: whether its people have accounts to log in with.
    init(at time: String = "06:00", hasAccounts: Bool = false) throws {
        let system = try System()
        clock = system.path("clock")
        try "0".write(toFile: clock, atomically: true, encoding: .utf8)
        let environment = Self.environment(clock)
        others = try (["notifier"] + (hasAccounts ? ["account-service"] : []))
            .map { try system.launch($0, adding: environment) }
        service = try system.launch("routine-service", adding: environment)
        super.init(of: system, device: "tablet", adding: environment)
        try setClock(to: time)
        for program in others + [service] { try program.waitUntilReady() }
    }

    private static func environment(_ clock: String) -> [String: String] {
        [
            "LD_PRELOAD": "\(System.executables)/libShiftedClock.so", "SHIFTED_CLOCK": clock,
            "TZ": "Europe/Oslo",
        ]
    }

    /// Sets the clock of all programs to a local time of a date.
    ///
    /// - Parameters:
    ///   - time: the local time.
    ///   - date: the date, in ISO 8601.
    ///   - offset: Oslo's offset from UTC at that time.
    func setClock(
        to time: String, on date: String = "2027-02-01", offset: String = "+01:00"
    ) throws {
        let wanted = try Date("\(date)T\(time):00\(offset)", strategy: .iso8601)
        let seconds = Int(wanted.timeIntervalSince1970) - Int(WallClock.milliseconds() / 1000)
        try "\(seconds)".write(toFile: clock, atomically: true, encoding: .utf8)
    }

    /// Kills routine-service, as a power cut would.
    func killService() { service.kill() }

    /// Starts routine-service again.
    func startService() throws {
        service = try system.launch("routine-service", adding: Self.environment(clock))
        try service.waitUntilReady()
    }

    /// Starts another service.
    func launch(_ name: String) throws -> Program {
        let program = try system.launch(name, adding: Self.environment(clock))
        try program.waitUntilReady()
        return program
    }

    /// Signs a person up and logs them in on a device of the same name.
    func person(_ name: String) throws { try signUp(name, .crew) }

    /// Creates the routines that most tests use: a morning and a walk.
    func makeRoutines(device: String? = nil) throws {
        try run(
            "routine create Morning --tag morning --action 'Brush your teeth:5' "
                + "--action 'Eat breakfast:20'", device: device)
        try run("routine create Out --tag afternoon --action 'Go for a walk:30:2'", device: device)
    }

    /// Returns a day as a command prints it with `--json`.
    func day(_ line: String = "day show", device: String? = nil) throws -> [String: Any] {
        try answer(line, device: device)
    }

    /// Returns the ids and the states of a day's actions, in order.
    func states(_ day: [String: Any]) -> [String] {
        (day["items"] as? [[String: Any]] ?? []).flatMap { item in
            (item["steps"] as? [[String: Any]] ?? []).map { step in
                "\(step["id"] ?? "") \(step["state"] ?? "")"
            }
        }
    }

    /// Returns the error of a command that must be refused.
    func refusal(of line: String, device: String? = nil) throws -> String {
        let said = try say(line, device: device)
        guard [.exited(1), .exited(64)].contains(said.end) else {
            throw Complaint("steward \(line): \(said.end)\n\(said.out)\(said.err)")
        }
        return said.err
    }

    /// Returns the lines of the open alerts.
    func alerts(device: String? = nil) throws -> [String] {
        try run("alerts list", device: device).split(separator: "\n").dropFirst().map(String.init)
    }
}
