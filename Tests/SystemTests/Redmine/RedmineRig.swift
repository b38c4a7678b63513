import Foundation
import TestSupport
import Testing

/// A real Redmine server, started by a test, and a faulty way to it. What it is and how it is
/// installed is in `Tests/SystemTests/Redmine/redmine`.
final class RedmineRig {
    private let system: System
    private var server: Program
    private let port: Int
    private let way: Int
    private let faults: String

    private static var folder: String {
        URL(filePath: #filePath).deletingLastPathComponent().path
    }

    /// Whether a server can be started here. If not, the run says so once.
    static let isAvailable: Bool = {
        let process = Process()
        process.executableURL = URL(filePath: folder + "/redmine")
        process.arguments = ["available"]
        do { try process.run() } catch { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    static let missing: Comment =
        "needs Redmine, installed as root: Tests/SystemTests/Redmine/redmine install"

    /// Starts a server with the projects “house” and “garden”.
    init(in system: System) throws {
        self.system = system
        faults = system.path("faults")
        let environment = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"]
        port = try Self.freePort(system, environment)
        server = try system.spawn(
            [Self.folder + "/redmine", "start", system.path("redmine"), "\(port)"],
            environment: environment)
        let proxy = try system.spawn(
            ["/usr/bin/python3", Self.folder + "/faulty_proxy.py", "\(port)", faults],
            environment: environment)
        try eventually("the way to the server is open") { proxy.out.hasSuffix("\n") }
        guard let way = Int(proxy.out.dropFirst(5).dropLast()) else {
            throw Complaint("the proxy says \(proxy.out)")
        }
        self.way = way
        try waitUntilReady()
    }

    deinit {
        server.kill()
        do {
            let cleaner = try system.spawn(
                [Self.folder + "/redmine", "remove", "\(port)"],
                environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
            _ = try cleaner.waitForEnd()
        } catch { print(error) }
    }

    private static func freePort(
        _ system: System, _ environment: [String: String]
    ) throws -> Int {
        let script = "import socket; s = socket.socket(); s.bind(('127.0.0.1', 0)); "
        let program = try system.spawn(
            ["/usr/bin/python3", "-c", script + "print(s.getsockname()[1])"],
            environment: environment)
        _ = try program.waitForEnd()
        guard let port = Int(program.out.dropLast()) else { throw Complaint("no free port") }
        return port
    }

    private func waitUntilReady() throws {
        // The first server on a machine makes its database, which takes a minute.
        try eventually("Redmine answers", within: .seconds(900)) {
            guard server.isRunning else { throw Complaint("no Redmine:\n\(server.err)") }
            return try ask("GET", "/users/current.json").code == 200
        }
    }

    /// Ends the server as a power cut does.
    func kill() { server.kill() }

    /// Starts it again.
    func restart() throws {
        server = try system.spawn(
            [Self.folder + "/redmine", "start", system.path("redmine"), "\(port)"],
            environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"])
        try waitUntilReady()
    }

    /// The address of the faulty way.
    var address: String { "http://127.0.0.1:\(way)" }

    /// Breaks the way, see `faulty_proxy.py`; empty mends it.
    func fault(_ words: String) throws {
        try words.write(toFile: faults, atomically: true, encoding: .utf8)
    }

    /// Whether the fault has been applied as often as it was to be.
    var isOver: Bool {
        (FileManager.default.contents(atPath: faults) ?? Data()).isEmpty
    }

    /// The key of a user.
    func key(_ login: String) -> String {
        // The SHA-1 of “steward:” and the login.
        login == "ann"
            ? "d669f7571cff414ab54116b32888c95420661dbf"
            : "971e605fd7bdf16cc4eac1fe116aa85c39c474ff"
    }

    /// Asks the server itself, without faults.
    @discardableResult
    func ask(
        _ method: String, _ path: String, _ body: String? = nil, as login: String = "ann"
    ) throws -> (code: Int, body: String) {
        let program = try system.spawn(
            [
                "/usr/bin/python3", Self.folder + "/ask_web.py", method,
                "http://127.0.0.1:\(port)\(path)", key(login),
            ] + (body.map { [$0] } ?? []),
            environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"])
        _ = try program.waitForEnd()
        let parts = program.out.split(separator: " ", maxSplits: 1)
        return (
            Int(parts.first?.prefix(3) ?? "") ?? 0, parts.count > 1 ? String(parts[1]) : ""
        )
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

    /// An issue as the server has it; nil when it has none.
    func issue(_ number: Int) throws -> [String: Any]? {
        let answer = try ask("GET", "/issues/\(number).json?include=relations")
        guard answer.code == 200 else { return nil }
        let object = try JSONSerialization.jsonObject(with: Data(answer.body.utf8))
        return (object as? [String: Any])?["issue"] as? [String: Any]
    }

    /// The subjects of all issues of a project, in order of numbers.
    func subjects(_ project: String = "house") throws -> [String] {
        let answer = try ask(
            "GET", "/issues.json?project_id=\(project)&status_id=*&sort=id&limit=100")
        let object =
            try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any]
        return (object?["issues"] as? [[String: Any]] ?? []).compactMap {
            $0["subject"] as? String
        }
    }
}
