import Bus
import Foundation
import Messages
import TestSupport
import Testing

/// A restaurant with everything that its shifts need: the services, a clock that a test sets, and
/// people who use the command line.
final class Restaurant {
    let system: System
    private(set) var checklist: Program
    private let others: [Program]
    private let clock: String

    /// What a command has said.
    struct Said {
        let end: Program.End
        let out: String
        let err: String

        /// What it printed with `--json`.
        var json: Any { get throws { try JSONSerialization.jsonObject(with: Data(out.utf8)) } }
    }

    /// A restaurant in Berlin whose clock shows a local time of Saturday, 2026-11-21.
    init(at time: String = "09:00") throws {
        system = try System()
        clock = system.path("clock")
        try "0".write(toFile: clock, atomically: true, encoding: .utf8)
        let environment = Self.environment(clock)
        others = [
            try system.launch("account-service", adding: environment),
            try system.launch("notifier", adding: environment),
        ]
        checklist = try system.launch("checklist-service", adding: environment)
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

    /// The environment of a command on a device of a person's own.
    func environment(device: String = "till") throws -> [String: String] {
        try system.makeFolder(device)
        return system.environment(
            adding: Self.environment(clock).merging(
                ["HOME": system.path(device), "LC_ALL": "C.UTF-8"]
            ) { $1 })
    }

    /// Words of a command line; those in single quotes are one.
    static func words(_ line: String) -> [String] {
        line.split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap {
            $0 % 2 == 1 ? [String($1)] : $1.split(separator: " ").map(String.init)
        }
    }

    /// Begins a command without waiting for its end.
    func begin(_ line: String, device: String = "till") throws -> Program {
        try system.spawn(
            ["\(System.executables)/steward"] + Self.words(line),
            environment: environment(device: device))
    }

    /// Runs a command to its end, whatever that is.
    func say(_ line: String, device: String = "till") throws -> Said {
        let program = try begin(line, device: device)
        return Said(end: try program.waitForEnd(), out: program.out, err: program.err)
    }

    /// Runs a command that has to succeed, and returns what it printed.
    @discardableResult
    func run(_ line: String, device: String = "till") throws -> String {
        let said = try say(line, device: device)
        guard said.end == .exited(0) else {
            throw Complaint("steward \(line): \(said.end)\n\(said.out)\(said.err)")
        }
        return said.out
    }

    /// Runs a command with `--json` that has to succeed.
    func rows(_ line: String, device: String = "till") throws -> [[String: Any]] {
        let object = try JSONSerialization.jsonObject(
            with: Data(try run(line + " --json", device: device).utf8))
        return object as? [[String: Any]] ?? []
    }

    /// The same for an answer that is no list.
    func answer(_ line: String, device: String = "till") throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(
            with: Data(try run(line + " --json", device: device).utf8))
        return object as? [String: Any] ?? [:]
    }

    /// A command at a terminal.
    func terminal(
        _ line: String, device: String = "till", columns: Int = 80, rows: Int = 24
    ) throws -> TerminalProgram {
        let environment = try environment(device: device).merging(["TERM": "xterm"]) { $1 }
        return try TerminalProgram(
            ["\(System.executables)/steward"] + Self.words(line), environment: environment,
            columns: columns, rows: rows)
    }

    /// Someone with a role at the restaurant, logged in on a device of the same name.
    func person(_ name: String, _ role: String) throws {
        let code = try run("user invite --role \(role) --site Harbour")
            .trimmingCharacters(in: .newlines)
        let input = system.path("typed-\(name)")
        try "\(code)\ncorrect horse battery\n".write(
            toFile: input, atomically: true, encoding: .utf8)
        try feed("user sign-up \(name) --called \(name.capitalized)", input, device: name)
        try "correct horse battery\n".write(toFile: input, atomically: true, encoding: .utf8)
        try feed("login \(name)", input, device: name)
    }

    /// Runs a command with a file as its standard input.
    private func feed(_ line: String, _ input: String, device: String) throws {
        let words = Self.words(line).map { "'\($0)'" }.joined(separator: " ")
        let program = try system.spawn(
            ["/bin/sh", "-c", "exec '\(System.executables)/steward' \(words) < '\(input)'"],
            environment: environment(device: device))
        guard try program.waitForEnd() == .exited(0) else {
            throw Complaint("steward \(line):\n\(program.err)")
        }
    }

    /// The id of the newest ended shift.
    func endedShift() throws -> String {
        let found = try answer("archive find")["shifts"] as? [[String: Any]]
        let shift = found?.first?["shift"] as? [String: Any]
        guard let id = shift?["id"] as? String else { throw Complaint("no shift has ended") }
        return id
    }

    /// Numbers of the tasks of a list that can be marked, in order.
    func tasks(of list: String, device: String = "till") throws -> [Int] {
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
