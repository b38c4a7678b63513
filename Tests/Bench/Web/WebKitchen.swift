import Bus
import Foundation
import Messages

/// An installation with an open shift.
final class WebKitchen {
    static let password = "correct horse battery"
    static let boards = 50
    static let phones = 200
    /// True with `LONG=1`.
    static let isLong = ProcessInfo.processInfo.environment["LONG"] == "1"

    let scratch: Scratch
    private(set) var web: Child
    let port: Int
    let account: String
    let site: String
    private let others: [Child]

    init() throws {
        let scratch = try Scratch("ipc")
        self.scratch = scratch
        others = try [ServiceName.account, .notifier, .checklist].map {
            try Child($0.rawValue, scratch)
        }
        web = try Child(
            ServiceName.web.rawValue, scratch, adding: ["STEWARD_WEB_PROXY": "127.0.0.1"])
        port = try web.port()
        let client = try Client(scratch.connection(), to: .account, isPatient: true)
        let made = try client.ask(
            CreateSite(name: "Harbour", timeZone: "Europe/Berlin"), for: Organisation.self)
        site = made.sites.first { $0.name == "Harbour" }?.id ?? ""
        account = try Self.add("kari", client)
        // Neither one account nor two can have all streams.
        for name in ["ola", "per", "liv"] { _ = try Self.add(name, client) }
        // checklist-service follows account-service, so it may know the site a moment later.
        let end = ContinuousClock.now + .seconds(30)
        while true {
            do { try steward(["site", "settings"], scratch) } catch {
                guard ContinuousClock.now < end else { throw error }
                usleep(50_000)
                continue
            }
            break
        }
        try steward(["template", "restaurant"], scratch)
        try steward(["shift", "start", "day"], scratch)
    }

    /// Adds a site manager with the password.
    ///
    /// - Returns: the id of the account.
    private static func add(_ name: String, _ client: Client) throws -> String {
        let invitation = try client.ask(
            Invite(grants: [Grant(role: .siteManager)]), for: Invitation.self)
        let command = SignUp(name: name, password: password, invitation: invitation.code)
        return try client.ask(command, for: Account.self).id
    }

    /// Starts web-service on the same port again, after it was stopped.
    func restart() throws {
        web = try Child(
            ServiceName.web.rawValue, scratch,
            adding: [
                "STEWARD_WEB_PROXY": "127.0.0.1", "STEWARD_WEB_LISTEN": "127.0.0.1:\(port)",
            ])
    }

    /// Waits until web-service has noticed that the browsers of the last measurement are gone.
    func awaitQuiet() throws {
        let end = ContinuousClock.now + .seconds(30)
        while try web.openFiles() > 60 {
            guard ContinuousClock.now < end else {
                throw ConfigurationError("connections are still open")
            }
            usleep(20_000)
        }
    }

    /// The id of the open shift.
    func shift() throws -> String {
        let client = try Client(scratch.connection(), to: .checklist, isPatient: true)
        let read = try client.ask(ReadShift(site: site), for: ShiftSnapshot.self)
        return read.shift?.id ?? ""
    }

    func stop() {
        web.stop()
        for other in others { other.stop() }
    }

    /// Opens boards with nine log-ins and phones with as many as they need, and waits until all
    /// show the shift.
    func crowds(
        walls: [Visitor], hands: [Visitor]
    ) throws -> (walls: Crowd, hands: Crowd) {
        let all = (walls: Crowd(), hands: Crowd())
        for number in 0..<Self.boards {
            all.walls.add(try walls[number / 6].stream("/board/\(site)/stream"))
        }
        for number in 0..<Self.phones {
            all.hands.add(try hands[number / 6].stream("/alerts/stream"))
        }
        _ = try all.walls.wait(for: "\"todos\"")
        _ = try all.hands.wait(for: "\"bell\"")
        return all
    }
}
