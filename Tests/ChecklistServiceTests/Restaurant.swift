import Bus
import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// An installation with a restaurant: account-service, checklist-service, a site, and people.
final class Restaurant {
    let system: System
    let client: Client
    let accounts: Client
    private(set) var service: Program
    /// The site's id.
    let site: String
    /// How far the service's clock is ahead, in milliseconds.
    private(set) var ahead: Int64 = 0

    /// - Parameter zone: the time zone of the site.
    init(zone: String = "Etc/UTC") throws {
        system = try System()
        try system.start("account-service")
        service = try Self.launch(in: system, [])
        try service.waitUntilReady()
        client = try system.client(of: .checklist)
        accounts = try system.client(of: .account)
        let organisation = try accounts.ask(
            CreateSite(name: "Harbour", timeZone: zone, areas: ["drive-through"]),
            for: Organisation.self)
        site = try #require(organisation.sites.first).id
        try waitForSite(site)
        client.clock = { [unowned self] in now }
    }

    /// Waits until the service knows a site.
    func waitForSite(_ site: String) throws {
        try eventually("the site is known") {
            try system.query(.checklist, "SELECT id FROM site").contains([site])
        }
    }

    /// Ends the service as a power cut would.
    func kill() { service.kill() }

    /// Starts the service again.
    func restart(_ arguments: String...) throws {
        service.kill()
        service = try Self.launch(in: system, arguments)
        try service.waitUntilReady()
    }

    private static func launch(in system: System, _ arguments: [String]) throws -> Program {
        try system.launch(
            "checklist-service",
            adding: [
                "LD_PRELOAD": "\(System.executables)/libShiftedClock.so",
                "SHIFTED_CLOCK": system.path("clock"),
            ], arguments)
    }

    /// Lets time pass on the service's clock, without waiting.
    func pass(minutes: Int64) throws {
        ahead += minutes * 60_000
        try Data(String(ahead / 1000).utf8).write(
            to: URL(filePath: system.path("clock")), options: .atomic)
    }

    /// Lets a day pass on the service's clock, after which what is due for deletion is deleted.
    func passDay() throws {
        try system.passDay(for: .checklist, from: now) { time in
            try pass(minutes: (time - now) / 60_000)
        }
    }

    /// What the service's clock shows, in milliseconds since 1970.
    var now: Int64 { WallClock.milliseconds() + ahead }

    private let patience: Duration = .seconds(60)

    /// Sends a message with a token, or without one as the owner of the machine.
    func ask<R: ProtobufMessage>(
        _ message: some ProtobufMessage, for _: R.Type, as token: [UInt8] = []
    ) throws -> R {
        client.token = token
        defer { client.token = [] }
        return try client.ask(message, for: R.self, deadline: patience)
    }

    /// The answer to a message, even if it is a refusal.
    func answer(to message: some ProtobufMessage, as token: [UInt8] = []) throws -> Envelope {
        client.token = token
        defer { client.token = [] }
        return try client.answer(to: message, deadline: patience)
    }

    /// The refusal of a message; nil if it was accepted.
    func refusal(
        of message: some ProtobufMessage, as token: [UInt8] = []
    ) throws -> Refusal? {
        try client.refusal(of: message, as: token, deadline: patience)
    }

    /// Saves a list and waits for it.
    @discardableResult
    func keep(_ template: ChecklistTemplate) throws -> ChecklistTemplate {
        try ask(PutTemplate(template: template), for: ChecklistTemplate.self)
    }

    /// Changes the settings of the site.
    func set(_ change: (inout SiteSettings) -> Void) throws {
        var settings = try ask(ReadSettings(site: site), for: SiteSettings.self)
        change(&settings)
        _ = try ask(ChangeSettings(settings: settings), for: SiteSettings.self)
    }

    func start(_ dayPart: UInt32 = 1) throws -> ShiftSnapshot {
        try ask(StartShift(site: site, dayPart: dayPart), for: ShiftSnapshot.self)
    }

    /// Makes an account with these roles and returns its access token for checklist-service.
    func token(
        _ name: String, in organisation: String = "", _ grants: Grant...
    ) throws -> [UInt8] {
        try accounts.signUp(name, in: organisation, grants)
        let token = try accounts.logIn(name, for: .checklist)
        try eventually("\(name) is known") {
            try system.query(.checklist, "SELECT name FROM person").contains([name.lowercased()])
        }
        return token
    }
}

/// A device in a shift: it numbers its operations, and may send them late or twice.
final class Device {
    let name: String
    let shift: String
    private(set) var made: [ShiftOperation] = []
    /// How far its clock is ahead, in milliseconds.
    var ahead: Int64 = 0
    private var ids = MessageID.Generator()

    init(_ name: String, in shift: String) {
        self.name = name
        self.shift = shift
    }

    /// Makes an operation.
    @discardableResult
    func make(_ change: ShiftOperation.Change, seen: UInt64 = 0) -> ShiftOperation {
        let now = WallClock.milliseconds() + ahead
        let operation = ShiftOperation(
            id: ids.next(at: now).bytes, shift: shift, device: name,
            deviceSequence: UInt64(made.count + 1), deviceTime: now, seen: seen, change: change)
        made.append(operation)
        return operation
    }

    /// The command that sends operations.
    func record(_ operations: [ShiftOperation]) -> RecordOperations {
        RecordOperations(operations: operations, deviceHead: UInt64(made.count))
    }

    /// Makes operations and sends them.
    @discardableResult
    func send(
        _ changes: ShiftOperation.Change..., to restaurant: Restaurant, as token: [UInt8] = [],
        seen: UInt64 = 0
    ) throws -> [OperationOutcome] {
        ahead = restaurant.ahead
        let operations = changes.map { make($0, seen: seen) }
        return try restaurant.ask(
            record(operations), for: OperationsRecorded.self, as: token
        ).outcomes
    }
}

extension ChecklistTemplate {
    /// A list of this number of tasks, `t1` and so on.
    static func list(
        _ name: String = "Opening", _ kind: ListKind = .preShift, tasks: Int = 3,
        site: String = "", parts: [DayPart] = [],
        _ change: (Int, inout ChecklistTask) -> Void = { _, _ in }
    ) -> ChecklistTemplate {
        let tasks = (1...tasks).map { number in
            var task = ChecklistTask(
                id: "t\(number)", title: "Task \(number)", area: "kitchen", priority: "immediate")
            change(number, &task)
            return task
        }
        return ChecklistTemplate(
            site: site, name: name, kind: kind, dayParts: parts,
            sections: [ChecklistSection(id: "s1", name: "Kitchen", tasks: tasks)])
    }
}

extension ShiftOperation.Change {
    /// A mark of a task.
    static func mark(_ list: String, _ task: String, _ finding: Finding) -> Self {
        .mark(MarkTask(list: list, task: task, finding: finding))
    }
}

/// Tests that start processes: each has an installation of its own, so a few run at once.
@Suite(.waiting) enum Processes {}
