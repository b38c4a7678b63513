import Foundation
import Messages
import TestSupport

/// An office that adapts homes: plan-service, and a therapist at the command line.
final class PlanOffice: CommandLineUser {
    private(set) var service: Program
    private let notifier: Program?
    /// The server that receives its mails; nil for an office without mail.
    let mails: SMTPServer?

    /// Creates an office with a plan in use.
    ///
    /// - Parameters:
    ///   - plan: the name of the plan; nil for none.
    ///   - hasMail: whether it can send mails, to a server of its own.
    init(plan: String? = "Storgata 1", hasMail: Bool = false) throws {
        let system = try System()
        mails = hasMail ? try SMTPServer(in: system) : nil
        notifier = try mails.map {
            try system.launch(
                "notifier",
                adding: [
                    "STEWARD_SMTP": "smtp://127.0.0.1:\($0.port)",
                    "STEWARD_SMTP_FROM": "plans@example.org",
                ])
        }
        service = try system.launch("plan-service")
        super.init(of: system, device: "desk")
        try notifier?.waitUntilReady()
        try service.waitUntilReady()
        if let plan { try run("plan create '\(plan)'") }
    }

    /// Kills the service, as a power cut would, and starts it again.
    func restart() throws {
        service.kill()
        service = try system.start("plan-service")
    }

    /// Runs commands one after another, each prefixed with `plan`.
    func draw(_ lines: String...) throws {
        for line in lines { try run("plan \(line)") }
    }

    /// Runs a script of plan commands.
    @discardableResult
    func script(_ text: String, _ options: String = "") throws -> Said {
        try feed("plan run - \(options)", text)
    }

    /// Runs a command that must be refused.
    ///
    /// - Returns: the error message.
    func refusal(of line: String) throws -> String {
        let said = try say(line)
        guard [.exited(1), .exited(64), .exited(66)].contains(said.end) else {
            throw Complaint("steward \(line): \(said.end)\n\(said.out)\(said.err)")
        }
        return said.err
    }

    /// Returns the contents of a plan; of the one in use if none is named.
    func contents(_ plan: String? = nil) throws -> PlanContents {
        let named = plan.map { " -p '\($0)'" } ?? ""
        return try value(of: "plan show\(named)", as: PlanContents.self)
    }

    /// Returns the items of a plan, by id.
    func items(_ plan: String? = nil) throws -> [String: PlanItem.Item] {
        let items = try contents(plan).items.compactMap(\.item)
        return Dictionary(items.map { ($0.id, $0) }) { first, _ in first }
    }

    /// Returns an element of the plan in use.
    func element(_ id: String) throws -> Element {
        guard case .element(let element) = try items()[id] else {
            throw Complaint("the plan has no element \(id)")
        }
        return element
    }

    /// Returns a wall of the plan in use.
    func wall(_ id: String) throws -> Wall {
        guard case .wall(let wall) = try items()[id] else {
            throw Complaint("the plan has no wall \(id)")
        }
        return wall
    }

    /// Returns a door or window of the plan in use.
    func opening(_ id: String) throws -> Opening {
        guard case .opening(let opening) = try items()[id] else {
            throw Complaint("the plan has no opening \(id)")
        }
        return opening
    }

    /// Returns a room of the plan in use.
    func room(_ id: String) throws -> Room {
        guard case .room(let room) = try items()[id] else {
            throw Complaint("the plan has no room \(id)")
        }
        return room
    }

    /// Returns the view of the plan in use.
    func view() throws -> PlanView {
        try value(of: "plan view show", as: PlanView.self)
    }

    /// Exports the plan in use to a file, and returns its contents.
    func exported(_ ending: String, _ options: String = "") throws -> Data {
        let path = system.path("exported.\(ending)")
        try run("plan export '\(path)' \(options)")
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw Complaint("\(path) is not there")
        }
        return bytes
    }

    /// Exports the plan in use, and returns the file as text.
    func text(_ ending: String, _ options: String = "") throws -> String {
        String(decoding: try exported(ending, options), as: UTF8.self)
    }
}

extension PlanItem.Item {
    /// The id of the item.
    var id: String {
        switch self {
        case .wall(let wall): wall.id
        case .opening(let opening): opening.id
        case .room(let room): room.id
        case .element(let element): element.id
        }
    }
}

extension PlanPoint {
    /// Creates a point in millimetres.
    init(_ x: Int32, _ y: Int32) { self.init(x: x, y: y) }
}
