import Bus
import Foundation
import HTTPExchange
import Messages
import TestSupport
import Testing

/// An installation with pages, and a browser that sends what it is told.
final class Lobby {
    static let password = "correct horse battery"

    let system: System
    let port: Int
    /// Sees what web-service sends, if anyone does.
    let overseer: Overseer?
    private(set) var web: Program
    private var checklist: Program
    private let client: Client

    /// Starts an installation.
    ///
    /// - Parameter isOverseen: true to write down what web-service sends to the others.
    init(isOverseen: Bool = false) throws {
        system = try System()
        for service in ["account-service", "notifier"] { try system.start(service) }
        checklist = try system.start("checklist-service")
        client = try system.client(of: .account)
        overseer = isOverseen ? try Overseer(system, folder: Self.overseen) : nil
        web = try Self.start(system, port: 0, isOverseen: isOverseen)
        port = try Self.port(web)
    }

    private static let overseen = "seen"

    private static func start(
        _ system: System, port: Int, isOverseen: Bool
    ) throws -> Program {
        let files = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Services/web-service/Web").standardized.path
        let program = try system.launch(
            "web-service", bus: isOverseen ? overseen : "run",
            adding: ["STEWARD_WEB_LISTEN": "127.0.0.1:\(port)", "STEWARD_WEB_FILES": files])
        try program.waitUntilReady()
        return program
    }

    private static func port(_ program: Program) throws -> Int {
        let line = try #require(program.err.firstMatch(of: /event=listening bus=127.0.0.1:(\d+)/))
        return try #require(Int(line.1))
    }

    /// Ends web-service as a power cut would, and starts it again on the same port.
    func restart() throws {
        kill()
        try start()
    }

    /// Ends web-service as a power cut would.
    func kill() { web.kill() }

    /// Starts web-service again on the same port.
    func start() throws {
        web = try Self.start(system, port: port, isOverseen: overseer != nil)
    }

    /// Ends checklist-service as a power cut would.
    func killChecklists() { checklist.kill() }

    /// Starts checklist-service again.
    func startChecklists() throws { checklist = try system.start("checklist-service") }

    /// What web-service sent to the others so far.
    func overseen() throws -> [Overseer.Sent] { try #require(overseer).sent() }

    /// Makes an account with a role at all sites, and returns its id.
    @discardableResult
    func add(_ name: String, _ role: Role) throws -> String {
        let invitation = try client.ask(
            Invite(grants: [Grant(role: role)]), for: Invitation.self, deadline: .seconds(60))
        return try client.ask(
            SignUp(name: name, password: Self.password, invitation: invitation.code),
            for: Account.self, deadline: .seconds(60)
        ).id
    }

    /// Opens a shift at a new site, with the lists of the restaurant.
    func openShift(at site: String = "Harbour") throws {
        try command("site", "add", site, "--zone", "Europe/Berlin")
        try eventually("checklist-service knows the site") {
            try steward("site", "settings").end == .exited(0)
        }
        try command("template", "restaurant")
        try command("shift", "start", "day")
    }

    /// The marks of tasks that checklist-service has of the open shift of a site.
    func marks(at site: String) throws -> [ShiftOperation] {
        let client = try system.client(of: .checklist)
        let read = try client.ask(ReadShift(site: site), for: ShiftSnapshot.self)
        let shift = try #require(read.shift)
        return try client.ask(ReadOperations(shift: shift.id), for: OperationPage.self).operations
            .filter { if case .mark = $0.change { true } else { false } }
    }

    /// Runs a command of the owner that must succeed.
    func command(_ words: String...) throws {
        let said = try steward(words)
        guard said.end == .exited(0) else {
            throw Complaint("steward \(words): \(said.out)\(said.err)")
        }
    }

    private func steward(_ words: String...) throws -> (end: Program.End, out: String, err: String)
    {
        try steward(words)
    }

    private func steward(_ words: [String]) throws -> (end: Program.End, out: String, err: String) {
        let program = try system.spawn(tool: "steward", words)
        return (try program.waitForEnd(), program.out, program.err)
    }

    /// Where browsers find it.
    var address: String { "http://127.0.0.1:\(port)" }

    /// A response of the server.
    struct Answer {
        let status: Int
        let headers: [(name: String, value: String)]
        let body: String

        func header(_ name: String) -> String? {
            headers.first { $0.name.lowercased() == name.lowercased() }?.value
        }

        /// The cookie of a log-in that the response gives, as a browser would send it.
        var cookie: String? {
            header("Set-Cookie").flatMap { $0.split(separator: ";").first.map { String($0) } }
        }
    }

    /// Sends a request on a connection of its own.
    func ask(
        _ method: String = "GET", _ path: String, cookie: String? = nil, form: String? = nil,
        _ more: [String] = []
    ) throws -> Answer {
        let peer = try HTTPPeer(port: port)
        var lines = ["\(method) \(path) HTTP/1.1", "Connection: close"] + more
        if !more.contains(where: { $0.hasPrefix("Host:") }) {
            lines.append("Host: 127.0.0.1:\(port)")
        }
        if let cookie { lines.append("Cookie: \(cookie)") }
        if let form {
            lines.append("Content-Type: application/x-www-form-urlencoded")
            lines.append("Content-Length: \(form.utf8.count)")
            if !more.contains(where: { $0.hasPrefix("Sec-Fetch-Site:") }) {
                lines.append("Sec-Fetch-Site: same-origin")
            }
        }
        try peer.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + (form ?? ""))
        let text = try peer.untilEnd()
        let end = try #require(text.range(of: "\r\n\r\n"), "no response: \(text)")
        let head = text[..<end.lowerBound].components(separatedBy: "\r\n")
        let status = try #require(
            head[0].split(separator: " ").dropFirst().first.flatMap { Int($0) })
        let headers = head.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
            return (name: parts[0], value: String(parts.last?.dropFirst() ?? ""))
        }
        return Answer(status: status, headers: headers, body: String(text[end.upperBound...]))
    }

    /// Logs in, and returns the cookie.
    func logIn(_ name: String) throws -> String {
        let word = Target.encoded(Self.password)
        let answer = try ask("POST", "/login", form: "name=\(name)&password=\(word)")
        #expect(answer.status == 303)
        return try #require(answer.cookie)
    }
}
