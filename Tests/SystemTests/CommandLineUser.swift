import Bus
import Foundation
import Messages
import TestSupport

/// People at the command line of an installation, each on a device of their own.
class CommandLineUser {
    let system: System
    /// The device used when a command names no other.
    let device: String
    private let settings: [String: String]

    /// The result of a command.
    struct Said {
        let end: Program.End
        let out: String
        let err: String

        /// The objects of the single list that it printed with `--json`.
        var objects: [[String: Any]] {
            get throws {
                let value = try JSONSerialization.jsonObject(with: Data(out.utf8))
                let lists = (value as? [String: Any])?.values.compactMap { $0 as? [Any] } ?? []
                guard lists.count == 1, let objects = lists[0] as? [[String: Any]] else {
                    throw Complaint("this isn't an object with a list:\n\(out)")
                }
                return objects
            }
        }
    }

    /// Creates the people of an installation.
    ///
    /// - Parameters:
    ///   - system: the installation.
    ///   - device: the device used when a command names no other.
    ///   - settings: further environment variables of every command.
    init(of system: System, device: String, adding settings: [String: String] = [:]) {
        (self.system, self.device, self.settings) = (system, device, settings)
    }

    /// Returns the environment of a command on a device.
    func environment(device: String? = nil) throws -> [String: String] {
        let device = device ?? self.device
        try system.makeFolder(device)
        return system.environment(
            adding: settings.merging(["HOME": system.path(device), "LC_ALL": "C.UTF-8"]) { $1 })
    }

    /// Splits a command line into words; text in single quotes is one word.
    static func words(_ line: String) -> [String] {
        line.split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap {
            $0 % 2 == 1 ? [String($1)] : $1.split(separator: " ").map(String.init)
        }
    }

    /// Starts a command without waiting for its end.
    func begin(_ line: String, device: String? = nil) throws -> Program {
        try system.spawn(
            ["\(System.executables)/steward"] + Self.words(line),
            environment: environment(device: device))
    }

    /// Runs a command to its end, whether or not it succeeds.
    func say(_ line: String, device: String? = nil) throws -> Said {
        let program = try begin(line, device: device)
        return Said(end: try program.waitForEnd(), out: program.out, err: program.err)
    }

    /// Runs a command that must succeed, and returns what it printed.
    @discardableResult
    func run(_ line: String, device: String? = nil) throws -> String {
        let said = try say(line, device: device)
        guard said.end == .exited(0) else {
            throw Complaint("steward \(line): \(said.end)\n\(said.out)\(said.err)")
        }
        return said.out
    }

    /// Runs a command with `--json` that must succeed, and returns the objects of its list.
    func rows(_ line: String, device: String? = nil) throws -> [[String: Any]] {
        let text = try run(line + " --json", device: device)
        return try Said(end: .exited(0), out: text, err: "").objects
    }

    /// Runs a command with `--json` that must succeed, and returns the only object of its list.
    func answer(_ line: String, device: String? = nil) throws -> [String: Any] {
        let rows = try rows(line, device: device)
        guard let row = rows.first, rows.count == 1 else {
            throw Complaint("steward \(line) --json lists \(rows.count) objects")
        }
        return row
    }

    /// Runs a command like ``answer(_:device:)``, and decodes the object.
    func value<Value: Decodable>(of line: String, as _: Value.Type) throws -> Value {
        try JSONDecoder().decode(
            Value.self, from: JSONSerialization.data(withJSONObject: answer(line)))
    }

    /// Starts a command at a terminal.
    func terminal(
        _ line: String, device: String? = nil, columns: Int = 80, rows: Int = 24
    ) throws -> TerminalProgram {
        let environment = try environment(device: device).merging(["TERM": "xterm"]) { $1 }
        return try TerminalProgram(
            ["\(System.executables)/steward"] + Self.words(line), environment: environment,
            columns: columns, rows: rows)
    }

    /// Runs a command with a text as its standard input.
    @discardableResult
    func feed(_ line: String, _ input: String, device: String? = nil) throws -> Said {
        let path = system.path("typed")
        try input.write(toFile: path, atomically: true, encoding: .utf8)
        let words = Self.words(line).map { "'\($0)'" }.joined(separator: " ")
        let program = try system.spawn(
            ["/bin/sh", "-c", "exec '\(System.executables)/steward' \(words) < '\(path)'"],
            environment: environment(device: device))
        return Said(end: try program.waitForEnd(), out: program.out, err: program.err)
    }

    /// Returns whether a service has applied the newest event of account-service; false also if one
    /// of them answers too late.
    func hasHeardOfAccounts(_ service: String) throws -> Bool {
        var status: [String: [String: Any]] = [:]
        // The command fails where not every service runs; its report on the others is valid.
        for row in try say("status --json").objects {
            guard let name = row["service"] as? String else { continue }
            status[name] = row["status"] as? [String: Any]
        }
        guard let head = status["account-service"]?["head"] as? Int else { return false }
        let cursors = status[service]?["cursors"] as? [[String: Any]] ?? []
        let cursor = cursors.first { $0["producer"] as? String == "account-service" }
        return cursor?["sequence"] as? Int ?? 0 >= head
    }

    /// Gives a person a role and revokes it again, so that their access tokens are revoked, and
    /// waits until a service refuses these.
    ///
    /// - Parameter role: the options of the role.
    func revokeTokens(of name: String, by role: String, at service: String) throws {
        try run("role grant \(name) \(role)")
        try run("role revoke \(name) \(role)")
        try eventually("\(service) knows it") { try hasHeardOfAccounts(service) }
    }

    /// Sets when a device takes the access tokens of its log-in for expired, in seconds from now.
    func expireLogIn(in seconds: Int, device: String) throws {
        let url = URL(filePath: system.path(device + "/.config/steward/session"))
        let kept = try JSONSerialization.jsonObject(with: Data(contentsOf: url))
        guard var all = kept as? [String: [String: Any]], !all.isEmpty else {
            throw Complaint("nobody is logged in on \(device)")
        }
        let time = (Int(Date().timeIntervalSince1970) + seconds) * 1000
        for bus in all.keys { all[bus]?["expires"] = time }
        try JSONSerialization.data(withJSONObject: all).write(to: url, options: .atomic)
    }

    /// Creates a client of a service for what a test needs but doesn't test. It acts as the owner
    /// of the machine, and has the present clock of the commands.
    func client(of service: ServiceName) throws -> Client {
        let client = try system.client(of: service)
        guard let clock = settings["SHIFTED_CLOCK"] else { return client }
        guard let ahead = Int64(try String(contentsOfFile: clock, encoding: .utf8)) else {
            throw Complaint("\(clock) doesn't say how far the clock is ahead")
        }
        client.clock = { WallClock.milliseconds() + ahead * 1000 }
        return client
    }

    /// Adds a site, and waits until checklist-service knows it.
    func addSite(_ name: String, zone: String) throws {
        let added = try client(of: .account)
            .ask(CreateSite(name: name, timeZone: zone), for: Organisation.self)
        try eventually("checklist-service knows the site") {
            let known = Set(try system.query(.checklist, "SELECT id FROM site").joined())
            return known.isSuperset(of: added.sites.map(\.id))
        }
    }

    /// Signs a person up with a role, and logs them in on a device of the same name.
    ///
    /// - Parameters:
    ///   - site: the site to which the role is limited; empty for every site.
    ///   - area: the area of it to which the role is limited; empty for every area.
    ///   - organisation: where they work; empty for the organisation of the machine.
    func signUp(
        _ name: String, _ role: Role, at site: String = "", area: String = "",
        in organisation: String = ""
    ) throws {
        try client(of: .account).signUp(
            name, called: name.capitalized, in: organisation,
            [Grant(role: role, site: site, area: area)])
        let said = try feed("login \(name)", Client.password + "\n", device: name)
        guard said.end == .exited(0) else { throw Complaint("steward login \(name):\n\(said.err)") }
    }
}
