import Bus
import Foundation
import TestSupport

/// An installation whose people keep projects, at the command line.
final class ProjectUser: CommandLineUser {
    private(set) var service: Program
    /// Knows the sites, by whose clock times and days are typed.
    let accounts: Program
    /// The file of the clock of all its programs, which a test can set; nil for the machine's.
    private let clock: String?

    /// The date that the clock shows first: a Monday, before all dates that the tests plan for.
    static let today = "2026-11-30"

    /// Creates an installation in which it is nine in the morning of ``today``, in UTC.
    ///
    /// - Parameters:
    ///   - hasProject: whether it has a project that is in use.
    ///   - isReal: whether it has the machine's clock, as a real server does whose times are
    ///     compared with its own.
    init(hasProject: Bool = true, withMachineClock isReal: Bool = false) throws {
        let system = try System()
        clock = isReal ? nil : system.path("clock")
        let environment = Self.environment(clock)
        if let clock { try Self.setClock(in: clock, to: "09:00") }
        service = try system.launch("project-service", adding: environment)
        accounts = try system.launch("account-service", adding: environment)
        super.init(of: system, device: "desk", adding: environment)
        try service.waitUntilReady()
        try accounts.waitUntilReady()
        if hasProject { try run("project create House") }
    }

    private static func environment(_ clock: String?) -> [String: String] {
        guard let clock else { return [:] }
        return [
            "LD_PRELOAD": "\(System.executables)/libShiftedClock.so", "SHIFTED_CLOCK": clock,
        ]
    }

    private static func setClock(in file: String, to time: String) throws {
        let wanted = try Date("\(today)T\(time):00Z", strategy: .iso8601)
        let seconds = Int(wanted.timeIntervalSince1970) - Int(WallClock.milliseconds() / 1000)
        try "\(seconds)".write(toFile: file, atomically: true, encoding: .utf8)
    }

    /// Sets the clock of all programs to a time of ``today``, in UTC.
    func setClock(to time: String) throws {
        guard let clock else { throw Complaint("a test can't set the machine's clock") }
        try Self.setClock(in: clock, to: time)
    }

    /// Starts another service, with the same clock.
    @discardableResult
    func launch(_ name: String) throws -> Program {
        let program = try system.launch(name, adding: Self.environment(clock))
        try program.waitUntilReady()
        return program
    }

    /// Kills the service, as a power cut would, and starts it again.
    func restart() throws {
        service.kill()
        service = try system.launch("project-service", adding: Self.environment(clock))
        try service.waitUntilReady()
    }

    /// Three issues, one after the other, in the first week of March 2027.
    func makeChain() throws {
        try run("issue create Dig --start 2027-03-01 --due 2027-03-02")
        try run("issue create Build --start 2027-03-03 --due 2027-03-04 --after 1")
        try run("issue create Paint --start 2027-03-05 --due 2027-03-05 --after 2")
    }

    /// An issue as `issue show --json` prints it.
    func issue(_ number: Int) throws -> [String: Any] {
        let contents = try answer("issue show \(number)")
        let listed = contents["issue"] as? [String: Any]
        guard let issue = listed?["issue"] as? [String: Any] else {
            throw Complaint("no issue in \(contents)")
        }
        return issue
    }

    /// The error of a command that has to be refused.
    func refusal(of line: String) throws -> String {
        let said = try say(line)
        guard [.exited(1), .exited(64)].contains(said.end) else {
            throw Complaint("steward \(line): \(said.end)\n\(said.out)\(said.err)")
        }
        return said.err
    }
}
