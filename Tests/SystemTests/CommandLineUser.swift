import Foundation
import TestSupport

/// People at the command line of an installation, each on a device of the person's own.
class CommandLineUser {
    let system: System
    /// The device of whom no one else is named.
    let device: String
    private let settings: [String: String]

    /// What a command has said.
    struct Said {
        let end: Program.End
        let out: String
        let err: String

        /// The objects of the one list that it printed with `--json`.
        var objects: [[String: Any]] {
            get throws {
                let value = try JSONSerialization.jsonObject(with: Data(out.utf8))
                let lists = (value as? [String: Any])?.values.compactMap { $0 as? [Any] } ?? []
                guard lists.count == 1, let objects = lists[0] as? [[String: Any]] else {
                    throw Complaint("this is no object with a list:\n\(out)")
                }
                return objects
            }
        }
    }

    /// - Parameter settings: what every command has in its environment besides.
    init(of system: System, device: String, adding settings: [String: String] = [:]) {
        (self.system, self.device, self.settings) = (system, device, settings)
    }

    /// The environment of a command on a device.
    func environment(device: String? = nil) throws -> [String: String] {
        let device = device ?? self.device
        try system.makeFolder(device)
        return system.environment(
            adding: settings.merging(["HOME": system.path(device), "LC_ALL": "C.UTF-8"]) { $1 })
    }

    /// Words of a command line; those in single quotes are one.
    static func words(_ line: String) -> [String] {
        line.split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap {
            $0 % 2 == 1 ? [String($1)] : $1.split(separator: " ").map(String.init)
        }
    }

    /// Begins a command without waiting for its end.
    func begin(_ line: String, device: String? = nil) throws -> Program {
        try system.spawn(
            ["\(System.executables)/steward"] + Self.words(line),
            environment: environment(device: device))
    }

    /// Runs a command to its end, whatever that is.
    func say(_ line: String, device: String? = nil) throws -> Said {
        let program = try begin(line, device: device)
        return Said(end: try program.waitForEnd(), out: program.out, err: program.err)
    }

    /// Runs a command that has to succeed, and returns what it printed.
    @discardableResult
    func run(_ line: String, device: String? = nil) throws -> String {
        let said = try say(line, device: device)
        guard said.end == .exited(0) else {
            throw Complaint("steward \(line): \(said.end)\n\(said.out)\(said.err)")
        }
        return said.out
    }

    /// Runs a command with `--json` that has to succeed, and returns the objects of its list.
    func rows(_ line: String, device: String? = nil) throws -> [[String: Any]] {
        let text = try run(line + " --json", device: device)
        return try Said(end: .exited(0), out: text, err: "").objects
    }

    /// The same for a command whose list has one object.
    func answer(_ line: String, device: String? = nil) throws -> [String: Any] {
        let rows = try rows(line, device: device)
        guard let row = rows.first, rows.count == 1 else {
            throw Complaint("steward \(line) --json lists \(rows.count) objects")
        }
        return row
    }

    /// The same as a value.
    func value<Value: Decodable>(of line: String, as _: Value.Type) throws -> Value {
        try JSONDecoder().decode(
            Value.self, from: JSONSerialization.data(withJSONObject: answer(line)))
    }

    /// A command at a terminal.
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
}
