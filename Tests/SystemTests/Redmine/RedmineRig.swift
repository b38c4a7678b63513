import Foundation
import TestSupport
import Testing

/// The real Redmine server of a test run; see `Tests/SystemTests/Redmine/redmine`. It is started
/// for the first test that needs it, because Rails takes long to start, and ends with the run. Its
/// tests run one after another.
private final class RedmineServer {
    nonisolated(unsafe) private static var started: RedmineServer?

    private let system: System
    let port: Int
    private var program: Program
    /// The number of projects made for tests.
    private var projects = 0

    static func shared() throws -> RedmineServer {
        if let started { return started }
        let server = try RedmineServer()
        started = server
        // A static value isn't released when the process ends.
        atexit { RedmineServer.end() }
        return server
    }

    private static func end() {
        guard let server = started else { return }
        server.program.kill()
        do {
            let cleaner = try server.system.spawn(
                [RealRedmine.folder + "/redmine", "remove", "\(server.port)"],
                environment: RealRedmine.environment)
            _ = try cleaner.waitForEnd()
        } catch { print(error) }
        started = nil
    }

    private init() throws {
        system = try System()
        // No connection gets it by chance while the server starts.
        port = Loopback.port()
        program = try Self.start(port, in: system)
        try waitUntilReady()
    }

    private static func start(_ port: Int, in system: System) throws -> Program {
        try system.spawn(
            [RealRedmine.folder + "/redmine", "start", system.path("redmine"), "\(port)"],
            environment: RealRedmine.environment)
    }

    private func waitUntilReady() throws {
        // The first server on a machine makes its database, which takes a minute.
        try eventually("Redmine answers", within: .seconds(900)) {
            guard program.isRunning else { throw Complaint("no Redmine:\n\(program.err)") }
            return try ask("GET", "/users/current.json", nil, as: "ann").code == 200
        }
    }

    func kill() { program.kill() }

    func restart() throws {
        program = try Self.start(port, in: system)
        try waitUntilReady()
    }

    func ask(
        _ method: String, _ path: String, _ body: String?, as login: String
    ) throws -> (code: Int, body: String) {
        let asker = try system.spawn(
            [
                "/usr/bin/python3", RealRedmine.folder + "/ask_web.py", method,
                "http://127.0.0.1:\(port)\(path)", RedmineRig.key(login),
            ] + (body.map { [$0] } ?? []), environment: RealRedmine.environment)
        _ = try asker.waitForEnd()
        let parts = asker.out.split(separator: " ", maxSplits: 1)
        return (
            Int(parts.first?.prefix(3) ?? "") ?? 0, parts.count > 1 ? String(parts[1]) : ""
        )
    }

    /// The items of a list at the server.
    func list(_ path: String, _ name: String) throws -> [[String: Any]] {
        let answer = try ask("GET", path, nil, as: "admin")
        let object = try JSONSerialization.jsonObject(with: Data(answer.body.utf8))
        return (object as? [String: Any])?[name] as? [[String: Any]] ?? []
    }

    /// Makes a project for a test, in which ann is a manager and bob a developer.
    ///
    /// - Returns: its identifier, and the number of its version “1.0”.
    func makeProject() throws -> (identifier: String, version: Int) {
        projects += 1
        let identifier = "house-\(projects)"
        func post(_ path: String, _ body: String) throws -> String {
            let answer = try ask("POST", path, body, as: "admin")
            guard answer.code == 201 else { throw Complaint("not made: \(answer)") }
            return answer.body
        }
        _ = try post(
            "/projects.json",
            #"{"project":{"name":"House \#(projects)","identifier":"\#(identifier)","#
                + #""description":"One\r\ntwo","tracker_ids":[1,2,3],"#
                + #""enabled_module_names":["issue_tracking","time_tracking","gantt"]}}"#)
        let users = try list("/users.json?limit=100", "users")
        let roles = try list("/roles.json", "roles")
        for (login, role) in [("ann", "Manager"), ("bob", "Developer")] {
            guard let user = users.first(where: { $0["login"] as? String == login })?["id"] as? Int,
                let number = roles.first(where: { $0["name"] as? String == role })?["id"] as? Int
            else { throw Complaint("no \(login) or no \(role)") }
            _ = try post(
                "/projects/\(identifier)/memberships.json",
                #"{"membership":{"user_id":\#(user),"role_ids":[\#(number)]}}"#)
        }
        let version = try post(
            "/projects/\(identifier)/versions.json",
            #"{"version":{"name":"1.0","due_date":"2083-06-01"}}"#)
        let object = try JSONSerialization.jsonObject(with: Data(version.utf8)) as? [String: Any]
        guard let number = (object?["version"] as? [String: Any])?["id"] as? Int else {
            throw Complaint("no version in \(version)")
        }
        return (identifier, number)
    }
}

/// A project of its own at the real Redmine server of the test run, and a proxy that makes faults.
final class RedmineRig {
    private let server: RedmineServer
    private let way: Int
    private let faults: String
    /// The identifier of the project at the server.
    let house: String
    /// The number of the project's version “1.0”.
    let version: Int

    /// Makes a project at the server, and starts the proxy.
    init(in system: System) throws {
        server = try RedmineServer.shared()
        (house, version) = try server.makeProject()
        faults = system.path("faults")
        let proxy = try system.spawn(
            [
                "/usr/bin/python3", RealRedmine.folder + "/faulty_proxy.py", "\(server.port)",
                faults,
            ],
            environment: RealRedmine.environment)
        try eventually("the way to the server is open") { proxy.out.hasSuffix("\n") }
        guard let way = Int(proxy.out.dropFirst(5).dropLast()) else {
            throw Complaint("the proxy says \(proxy.out)")
        }
        self.way = way
    }

    /// Kills the server, as a power cut would.
    func kill() { server.kill() }

    /// Starts the server again.
    func restart() throws { try server.restart() }

    /// The address of the proxy.
    var address: String { "http://127.0.0.1:\(way)" }

    /// Sets the faults that the proxy makes, see `faulty_proxy.py`; an empty text ends them.
    func fault(_ lines: String...) throws {
        try lines.joined(separator: "\n")
            .write(toFile: faults, atomically: true, encoding: .utf8)
    }

    /// Whether those with a count have been applied as often as requested.
    var isOver: Bool {
        String(decoding: FileManager.default.contents(atPath: faults) ?? Data(), as: UTF8.self)
            .split(separator: "\n").allSatisfy { $0.split(separator: " ").count < 3 }
    }

    /// The key of a user: the SHA-1 of “steward:” and the login.
    static func key(_ login: String) -> String {
        switch login {
        case "ann": "d669f7571cff414ab54116b32888c95420661dbf"
        case "bob": "971e605fd7bdf16cc4eac1fe116aa85c39c474ff"
        default: "25ea7e7f38656f80829eddae1646239f65896f42"
        }
    }

    func key(_ login: String) -> String { Self.key(login) }

    /// Sends a request to the server itself, without faults.
    @discardableResult
    func ask(
        _ method: String, _ path: String, _ body: String? = nil, as login: String = "ann"
    ) throws -> (code: Int, body: String) {
        try server.ask(method, path, body, as: login)
    }

    /// The items of a list at the server.
    func list(_ path: String, _ name: String) throws -> [[String: Any]] {
        try server.list(path, name)
    }

    /// The notes of an issue, in the order of the server.
    func notes(_ issue: Int) throws -> [String] {
        let answer = try ask("GET", "/issues/\(issue).json?include=journals")
        let object = try JSONSerialization.jsonObject(with: Data(answer.body.utf8))
        let journals =
            ((object as? [String: Any])?["issue"] as? [String: Any])?["journals"]
            as? [[String: Any]] ?? []
        return journals.compactMap { $0["notes"] as? String }.filter { !$0.isEmpty }
    }

    /// Logs time, and returns its number.
    func log(_ fields: String, as login: String = "bob") throws -> Int {
        let answer = try ask(
            "POST", "/time_entries.json",
            "{\"time_entry\":{\"activity_id\":\(try activity),\(fields)}}",
            as: login)
        let made = try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any]
        guard let id = (made?["time_entry"] as? [String: Any])?["id"] as? Int else {
            throw Complaint("not logged: \(answer)")
        }
        return id
    }

    private var activity: Int {
        get throws {
            let all = try list(
                "/enumerations/time_entry_activities.json", "time_entry_activities")
            guard let id = all.first?["id"] as? Int else { throw Complaint("no activity") }
            return id
        }
    }

    /// The time entries of the project, in order of numbers.
    func times() throws -> [[String: Any]] {
        try list("/time_entries.json?project_id=\(house)&limit=100", "time_entries")
            .sorted { $0["id"] as? Int ?? 0 < $1["id"] as? Int ?? 0 }
    }

    /// Makes an issue, and returns its number.
    func make(_ fields: String, as login: String = "ann") throws -> Int {
        let answer = try ask("POST", "/issues.json", "{\"issue\":{\(fields)}}", as: login)
        let made = try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any]
        guard let id = (made?["issue"] as? [String: Any])?["id"] as? Int else {
            throw Complaint("not made: \(answer)")
        }
        return id
    }

    /// Changes an issue.
    func change(_ issue: Int, _ fields: String, as login: String = "bob") throws {
        let answer = try ask("PUT", "/issues/\(issue).json", "{\"issue\":{\(fields)}}", as: login)
        guard answer.code == 204 else { throw Complaint("not changed: \(answer)") }
    }

    /// An issue at the server; nil if it doesn't exist.
    func issue(_ number: Int) throws -> [String: Any]? {
        let answer = try ask("GET", "/issues/\(number).json?include=relations")
        guard answer.code == 200 else { return nil }
        let object = try JSONSerialization.jsonObject(with: Data(answer.body.utf8))
        return (object as? [String: Any])?["issue"] as? [String: Any]
    }

    /// The subjects of all issues of the project, in order of numbers.
    func subjects() throws -> [String] {
        let answer = try ask(
            "GET", "/issues.json?project_id=\(house)&status_id=*&sort=id&limit=100")
        let object =
            try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any]
        return (object?["issues"] as? [[String: Any]] ?? []).compactMap {
            $0["subject"] as? String
        }
    }
}
