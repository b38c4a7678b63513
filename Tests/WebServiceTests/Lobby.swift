import Bus
import Foundation
import HTTPExchange
import Messages
import TestSupport
import Testing

/// An installation with pages, and a browser that sends what it is told to.
final class Lobby {
    static let password = Client.password

    let system: System
    let port: Int
    /// Records what web-service sends, if the test wants that.
    let overseer: Overseer?
    private(set) var web: Program
    private var checklist: Program
    /// The other services, by name.
    private(set) var others: [String: Program] = [:]
    private let client: Client
    /// The tokens of people for transit-alert-service, by name.
    private var tokens: [String: [UInt8]] = [:]

    /// Starts an installation.
    ///
    /// - Parameters:
    ///   - isOverseen: whether to record what web-service sends to the others.
    ///   - services: services to start besides account-service, notifier and checklist-service.
    ///   - origin: the address at which browsers reach it through a proxy on this machine; nil for
    ///     none.
    ///   - locale: the locale of web-service until it is started again; nil for none.
    ///   - zone: its time zone until then; nil for that of the machine.
    init(
        isOverseen: Bool = false, with services: [String] = [], origin: String? = nil,
        locale: String? = nil, zone: String? = nil
    ) throws {
        system = try System()
        for service in ["account-service", "notifier"] + services {
            others[service] = try system.start(service)
        }
        checklist = try system.start("checklist-service")
        client = try system.client(of: .account)
        overseer = isOverseen ? try Overseer(system, folder: Self.overseen) : nil
        web = try Self.start(
            system, port: 0, isOverseen: isOverseen, origin: origin, locale: locale,
            zone: zone)
        port = try Self.port(web)
    }

    private static let overseen = "seen"
    /// The files of the pages in the repository.
    static let files = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Services/web-service/Web").standardized.path

    private static func start(
        _ system: System, port: Int, isOverseen: Bool, origin: String? = nil,
        files: String? = nil, locale: String? = nil, zone: String? = nil,
        clock: String? = nil
    ) throws -> Program {
        var settings = [
            "STEWARD_WEB_LISTEN": "127.0.0.1:\(port)", "STEWARD_WEB_FILES": files ?? Self.files,
        ]
        if let origin {
            settings["STEWARD_WEB_ORIGIN"] = origin
            settings["STEWARD_WEB_PROXY"] = "127.0.0.1"
        }
        settings["LANG"] = locale
        settings["TZ"] = zone
        if let clock {
            settings["LD_PRELOAD"] = "\(System.executables)/libShiftedClock.so"
            settings["SHIFTED_CLOCK"] = clock
        }
        let program = try system.launch(
            "web-service", bus: isOverseen ? overseen : "run", adding: settings)
        try program.waitUntilReady()
        return program
    }

    private static func port(_ program: Program) throws -> Int {
        let line = try #require(program.err.firstMatch(of: /event=listening bus=127.0.0.1:(\d+)/))
        return try #require(Int(line.1))
    }

    /// Kills web-service, and starts it again on the same port.
    func restart() throws {
        kill()
        try start()
    }

    /// Kills web-service.
    func kill() { web.kill() }

    /// Starts web-service again on the same port.
    ///
    /// - Parameters:
    ///   - files: the folder with the pages' files; nil for the repository's.
    ///   - clock: a file that says how many seconds its clock is ahead; nil for the right one.
    func start(files: String? = nil, clock: String? = nil) throws {
        // Meanwhile the system may have given the port to a connection.
        try eventually("port \(port) is free") {
            do {
                web = try Self.start(
                    system, port: port, isOverseen: overseer != nil, files: files,
                    clock: clock)
                return true
            } catch let error as Complaint where error.description.contains("can't listen on") {
                return false
            }
        }
    }

    /// Starts web-service again with the files of another release.
    func upgrade() throws {
        let files = system.path("files")
        try FileManager.default.copyItem(atPath: Self.files, toPath: files)
        let list = "\(files)/SHA256SUMS"
        // A list with one file less counts as another version.
        let rest = try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n")
            .filter { !$0.hasSuffix("plan.js") }
        try (rest.joined(separator: "\n") + "\n").write(
            toFile: list, atomically: true, encoding: .utf8)
        kill()
        try start(files: files)
    }

    /// Kills checklist-service.
    func killChecklists() { checklist.kill() }

    /// Stops checklist-service without ending it, or lets it continue.
    func holdChecklists(_ isHeld: Bool) {
        _ = Foundation.kill(checklist.pid, isHeld ? SIGSTOP : SIGCONT)
    }

    /// Stops another service without ending it, or lets it continue.
    func holdOther(_ service: String, _ isHeld: Bool) throws {
        _ = Foundation.kill(try #require(others[service]).pid, isHeld ? SIGSTOP : SIGCONT)
    }

    /// The processor time that web-service has used, in hundredths of a second.
    func effort() throws -> Int {
        let stat = try String(contentsOfFile: "/proc/\(web.pid)/stat", encoding: .utf8)
        // The name of the program may have blanks in it.
        let fields = try #require(stat.split(separator: ")").last).split(separator: " ")
        return try #require(Int(fields[11])) + #require(Int(fields[12]))
    }

    /// Starts checklist-service again.
    func startChecklists() throws { checklist = try system.start("checklist-service") }

    /// Starts another service again.
    func startOther(_ service: String) throws { others[service] = try system.start(service) }

    /// What web-service sent to the others so far.
    func overseen() throws -> [Overseer.Sent] { try #require(overseer).sent() }

    /// Makes an account with a role at all sites, and returns its id.
    @discardableResult
    func add(_ name: String, _ role: Role) throws -> String {
        try client.signUp(name, [Grant(role: role)]).id
    }

    /// The link with which the machine's owner logs in with a browser.
    func link() throws -> String {
        let program = try system.spawn(
            ["\(System.executables)/steward", "web", "open"],
            environment: system.environment(
                data: "data", bus: "run", adding: ["STEWARD_WEB_LISTEN": "127.0.0.1:\(port)"]))
        guard try program.waitForEnd() == .exited(0) else {
            throw Complaint("steward web open: \(program.err)")
        }
        return program.out.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Makes an account of another organisation, and returns its id.
    func addElsewhere(_ name: String, organisation: String) throws -> String {
        let made = try client.ask(
            CreateOrganisation(name: organisation), for: Organisation.self)
        return try client.signUp(name, in: made.id, [Grant(role: .administrator)]).id
    }

    /// Opens a shift at a new site with these areas, with the lists of the restaurant.
    func openShift(at site: String = "Harbour", areas: [String] = []) throws {
        _ = try client.ask(
            CreateSite(name: site, timeZone: "Europe/Berlin", areas: areas),
            for: Organisation.self)
        try awaitSites()
        try command("template", "restaurant")
        try command("shift", "start", "day")
    }

    /// Waits until checklist-service knows the sites.
    private func awaitSites() throws {
        let sites = try client.ask(ListOrganisations(), for: Organisations.self).organisations
            .flatMap(\.sites).map(\.id)
        try eventually("checklist-service knows the sites") {
            let known = Set(try system.query(.checklist, "SELECT id FROM site").joined())
            return !sites.isEmpty && known.isSuperset(of: sites)
        }
    }

    /// Adds a list to the checklists of the sites.
    func importList(_ text: String) throws {
        try awaitSites()
        let file = system.path("list.yaml")
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        try command("template", "import", file)
    }

    /// The marks of tasks in the open shift of a site, according to checklist-service.
    func marks(at site: String) throws -> [ShiftOperation] {
        let client = try system.client(of: .checklist)
        let read = try client.ask(ReadShift(site: site), for: ShiftSnapshot.self)
        let shift = try #require(read.shift)
        return try client.ask(ReadOperations(shift: shift.id), for: OperationPage.self).operations
            .filter { if case .mark = $0.change { true } else { false } }
    }

    /// Waits until the service has this many marks of the shift, and the page says that everything
    /// was sent. The page alone is not enough: until a tap is kept, it still says so about the
    /// earlier ones.
    func awaitMarks(_ count: Int, from page: Browser.Page) throws {
        try eventually("\(count) marks arrived") { try marks(at: "Harbour").count == count }
        try eventually("the page says that all was sent") {
            try page.text("#sending") == "All sent"
        }
    }

    /// Raises an urgent alert for everyone, to be acknowledged.
    func raise(_ title: String) throws {
        _ = try system.client(of: .notifier).ask(
            RaiseAlert(
                audience: Audience(), severity: .urgent, title: title, needsAcknowledgement: true),
            for: Call.self)
    }

    /// Runs a command of the owner that must succeed.
    func command(_ words: String...) throws {
        let said = try steward(words)
        guard said.end == .exited(0) else {
            throw Complaint("steward \(words): \(said.out)\(said.err)")
        }
    }

    private func steward(_ words: [String]) throws -> (end: Program.End, out: String, err: String) {
        let program = try system.spawn(tool: "steward", words)
        return (try program.waitForEnd(), program.out, program.err)
    }

    /// Draws a bathroom that fails a standard, and returns the id of the plan.
    func drawBathroom(_ name: String = "Home") throws -> String {
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../deploy/demo/bathroom.plan").standardized.path
        try command("plan", "create", name, "--client", "K-7", "--standard", "tek17")
        try command("plan", "run", script)
        try command("plan", "details", "--chair", "wheelchair-1")
        let plans = try system.client(of: .plan).ask(ListPlans(text: name), for: Plans.self)
        return try #require(plans.plans.first).id
    }

    /// The rides of a person, newest first.
    func journeys(of name: String) throws -> [Journey] {
        let service = ServiceName.transitAlert
        if tokens[name] == nil { tokens[name] = try client.logIn(name, for: service) }
        let transit = try system.client(of: service)
        transit.token = try #require(tokens[name])
        return try transit.ask(ListJourneys(), for: Journeys.self).journeys
    }

    /// The address at which browsers find it.
    var address: String { "http://127.0.0.1:\(port)" }

    /// A response of the server.
    struct Answer {
        let status: Int
        let headers: [(name: String, value: String)]
        let bytes: [UInt8]

        var body: String { String(decoding: bytes, as: UTF8.self) }

        func header(_ name: String) -> String? {
            headers.first { $0.name.lowercased() == name.lowercased() }?.value
        }

        /// The cookie that the response sets for a log-in, as a browser would send it.
        var cookie: String? {
            header("Set-Cookie").flatMap { $0.split(separator: ";").first.map { String($0) } }
        }
    }

    /// Sends a request on a connection of its own.
    func ask(
        _ method: String = "GET", _ path: String, cookie: String? = nil, form: String? = nil,
        kind: String = "application/x-www-form-urlencoded", _ more: [String] = []
    ) throws -> Answer {
        var lines = more
        if let cookie { lines.append("Cookie: \(cookie)") }
        if let form {
            lines.append("Content-Type: \(kind)")
            lines.append("Content-Length: \(form.utf8.count)")
            if !more.contains(where: { $0.hasPrefix("Sec-Fetch-Site:") }) {
                lines.append("Sec-Fetch-Site: same-origin")
            }
        }
        return try send(method, path, lines, body: form ?? "")
    }

    /// Sends a request with these headers, and none that a browser would add.
    func send(
        _ method: String, _ path: String, _ headers: [String], body: String
    ) throws -> Answer {
        try send(method, path, headers, bytes: Array(body.utf8))
    }

    /// Does the same with a body that isn't text.
    func send(
        _ method: String, _ path: String, _ headers: [String], bytes: [UInt8]
    ) throws -> Answer {
        let peer = try HTTPPeer(port: port)
        var lines = ["\(method) \(path) HTTP/1.1", "Connection: close"] + headers
        if !headers.contains(where: { $0.hasPrefix("Host:") }) {
            lines.append("Host: 127.0.0.1:\(port)")
        }
        try peer.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + bytes)
        let bytes = try peer.bytesUntilEnd()
        let end = try #require(bytes.firstRange(of: Array("\r\n\r\n".utf8)), "no response")
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
            .components(separatedBy: "\r\n")
        let status = try #require(
            head[0].split(separator: " ").dropFirst().first.flatMap { Int($0) })
        let headers = head.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
            return (name: parts[0], value: String(parts.last?.dropFirst() ?? ""))
        }
        return Answer(status: status, headers: headers, bytes: Array(bytes[end.upperBound...]))
    }

    /// Logs in, and returns the cookie.
    func logIn(_ name: String, with password: String = Lobby.password) throws -> String {
        let word = Target.encoded(password)
        var answer: Answer?
        // On a busy machine the account-service may take longer than the server waits for it.
        try eventually("the account-service answers in time") {
            answer = try ask("POST", "/login", form: "name=\(name)&password=\(word)")
            return answer?.status != 503
        }
        #expect(answer?.status == 303)
        return try #require(answer?.cookie)
    }
}
