import Foundation
import TestSupport
import Testing

/// A person who reads what commands print with `--json` and checks it against docs/json.md.
final class JSONUser: CommandLineUser {
    /// The names of the lists that each command may print, by command.
    let documented: [String: [String]]
    /// The commands given so far.
    private(set) var given: Set<String> = []
    /// Those of them that were refused, and so have printed nothing.
    private(set) var refused: Set<String> = []

    /// The names of members that are times, even if their number may be small.
    private static let times: Set<String> = [
        "time", "created", "started", "ended", "closed", "due", "expires", "made", "began",
        "imported", "deviceTime", "reported", "heard",
    ]
    /// The names of members that are enumerations.
    private static let enumerations: Set<String> = [
        "state", "kind", "severity", "role", "reason", "stage", "dayPart", "verdict", "finding",
    ]

    init(of system: System) throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../docs/json.md")
        let text = try String(contentsOf: path, encoding: .utf8)
        let table = text.components(separatedBy: "\n## ").first { $0.hasPrefix("Commands") } ?? ""
        let rows = table.matches(of: /(?m)^\| `([a-z -]+)` \| ((?:`[A-Za-z]+`(?:, )?)+) \|$/)
        documented = Dictionary(
            uniqueKeysWithValues: rows.map { row in
                (String(row.1), row.2.components(separatedBy: ", ").map { $0.filter { $0 != "`" } })
            })
        super.init(of: system, device: "desk")
    }

    /// Adds the commands that another person has given.
    func add(_ other: JSONUser) {
        given.formUnion(other.given)
        refused.formUnion(other.refused)
    }

    /// Returns the commands of the program that have no subcommands.
    func commands() throws -> Set<String> {
        let tree = try JSONSerialization.jsonObject(
            with: Data(try run("--experimental-dump-help").utf8))
        let root = (tree as? [String: Any])?["command"] as? [String: Any]
        return Self.leaves(try #require(root), after: [])
    }

    private static func leaves(_ command: [String: Any], after path: [String]) -> Set<String> {
        let below = (command["subcommands"] as? [[String: Any]] ?? [])
            .filter { $0["commandName"] as? String != "help" }
        guard !below.isEmpty else { return [path.joined(separator: " ")] }
        return below.reduce(into: []) { all, next in
            all.formUnion(leaves(next, after: path + [next["commandName"] as? String ?? "?"]))
        }
    }

    /// Runs a command that must succeed, checks its output, and returns the objects of its lists.
    ///
    /// - Parameters:
    ///   - line: the command line.
    ///   - input: the text to type.
    @discardableResult
    func show(_ line: String, typing input: String = "") throws -> [[String: Any]] {
        var said = try feed(line + " --json", input)
        // On a busy machine a service may answer these too late.
        if ["status", "metrics", "doctor"].contains(line) {
            try eventually("steward \(line) ends well: \(said.out)\(said.err)") {
                if said.end != .exited(0) { said = try feed(line + " --json", input) }
                return said.end == .exited(0)
            }
        }
        guard said.end == .exited(0) else {
            throw Complaint("steward \(line): \(said.end)\n\(said.out)\(said.err)")
        }
        return try judge(line, said.out)
    }

    /// Runs a command that may be refused here; if so, it must print nothing.
    func attempt(_ line: String, typing input: String = "") throws {
        let said = try feed(line + " --json", input)
        if said.end == .exited(0) {
            _ = try judge(line, said.out)
        } else {
            #expect(said.end == .exited(1), "steward \(line): \(said.err)")
            #expect(said.out.isEmpty, "steward \(line): \(said.out)")
            let command = try command(line)
            given.insert(command)
            refused.insert(command)
        }
    }

    /// Checks the output of a command, which may consist of several objects.
    func judge(_ line: String, _ text: String) throws -> [[String: Any]] {
        let command = try command(line)
        given.insert(command)
        let names = try #require(documented[command], "docs/json.md doesn't have \(command)")
        var objects: [[String: Any]] = []
        for piece in Self.pieces(text) {
            let whole = try? JSONSerialization.jsonObject(with: Data(piece.utf8)) as? [String: Any]
            let lists = try #require(whole, "\(line): \(piece)").filter { $0.value is [Any] }
            #expect(
                lists.count == 1 && names.contains(lists.keys.first ?? ""), "\(line): \(lists.keys)"
            )
            objects += try #require(lists.values.first as? [[String: Any]], "\(line): \(text)")
            judge(whole ?? [:], line)
        }
        #expect(!text.isEmpty, "steward \(line) printed nothing")
        return objects
    }

    /// Returns the longest known command with which the line begins.
    private func command(_ line: String) throws -> String {
        let known = documented.keys.filter { (line + " ").hasPrefix($0 + " ") }
        return try #require(known.max { $0.count < $1.count }, "docs/json.md doesn't have \(line)")
    }

    /// Splits a text into its objects. Each ends with a line that begins with a closing brace.
    private static func pieces(_ text: String) -> [String] {
        var pieces: [String] = []
        var piece = ""
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            piece += line + "\n"
            guard line == "}" || line.hasPrefix("{") && line.hasSuffix("}") else { continue }
            pieces.append(piece)
            piece = ""
        }
        return pieces + [piece].filter { !$0.allSatisfy(\.isWhitespace) }
    }

    /// Checks the members of an object and of the objects in it.
    private func judge(_ object: [String: Any], _ line: String) {
        for (name, value) in object {
            let said = Comment(rawValue: "steward \(line): \(name) is \(value)")
            if value is NSNull { continue }
            if let inner = value as? [String: Any] { judge(inner, line) }
            for inner in value as? [Any] ?? [] {
                if let inner = inner as? [String: Any] { judge(inner, line) }
            }
            if name == "id" || name.hasSuffix("Id") { #expect(value is String, said) }
            if Self.times.contains(name) { #expect(!(value is NSNumber), said) }
            if Self.enumerations.contains(name) { #expect(!(value is NSNumber), said) }
            // An epoch identifies a history; it isn't a time to be read.
            if let number = value as? NSNumber, name != "epoch" {
                // From 1973 on, milliseconds since 1970 are at least this large, and no other
                // number is.
                #expect(number.doubleValue.magnitude < 1e11, said)
            }
            if let text = value as? String, text.wholeMatch(of: /\d{4}-\d\d-\d\dT.*/) != nil {
                let form = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/
                #expect(text.wholeMatch(of: form) != nil, said)
            }
        }
    }
}
