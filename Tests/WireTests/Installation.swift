import Bus
import Foundation
import Messages
import TestSupport

/// Every service, with people of each role and an object of each kind that a message can be about.
final class Installation {
    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path
    static let password = Client.password

    let system: System
    private(set) var programs: [ServiceName: Program] = [:]
    /// The well-behaved client of each service: the owner of the machine.
    private(set) var clients: [ServiceName: Client] = [:]
    /// The values that a message may name.
    private(set) var vocabulary = Vocabulary()
    /// Access tokens for each service, by the name of their holder. A sender without one is the
    /// owner.
    private(set) var tokens: [String: [String: [UInt8]]] = ["owner": [:]]
    private var sessions: [String: [UInt8]] = [:]
    /// The grants of each role, and how many people have joined.
    private var people: [String: [Grant]] = [:]
    private var joined = 0
    private var site = ""
    private var plan = ""
    private var routine = ""
    private var project = ""
    /// How many lists or routines were made.
    private var round = 0

    init() throws {
        system = try System()
        for service in ServiceName.allCases { try start(service) }
    }

    private func start(_ service: ServiceName) throws {
        let program = try system.launch(service.rawValue, adding: ["STEWARD_LOG": "error"])
        programs[service] = program
        let client = try system.client(of: service)
        clients[service] = client
        _ = try client.ask(ReadStatus(), for: ServiceStatus.self, deadline: .seconds(60))
    }

    /// Kills every service, and starts it again.
    func restart() throws {
        for program in programs.values { program.kill() }
        for service in ServiceName.allCases { try start(service) }
    }

    func client(_ service: ServiceName) throws -> Client {
        guard let client = clients[service] else { throw Complaint("\(service) isn't there") }
        return client
    }

    func ask<R: ProtobufMessage>(
        _ service: ServiceName, _ message: some ProtobufMessage, for _: R.Type
    ) throws -> R {
        try client(service).ask(message, for: R.self, deadline: .seconds(60))
    }

    /// The size of all stores, in bytes.
    func storeSize() throws -> Int {
        let folder = system.path("data")
        return try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { $0.contains(".sqlite") }
            .reduce(0) { size, name in
                let file = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
                return size + (file[.size] as? Int ?? 0)
            }
    }

    // MARK: Objects

    /// Makes an object of each kind.
    func settle() throws {
        let organisation = try ask(
            .account,
            CreateSite(name: "Harbour", timeZone: "Europe/Oslo", areas: ["drive-through"]),
            for: Organisation.self)
        site = organisation.sites[0].id
        vocabulary.add([organisation.id, organisation.name, ""], as: "organisation")
        vocabulary.add([site, "Harbour"], as: "site")
        try eventually("checklist-service knows the site") {
            try system.query(.checklist, "SELECT id FROM site").contains([site])
        }
        try settlePeople()
        try settleShift()
        try settlePlan()
        try settleJourney()
        try settleRoutine()
        try settleDay()
        try settleProject()
        try settleChannel()
        _ = try ask(.routine, KeepTemplate(name: "Usual"), for: DayTemplate.self)
        vocabulary.add(["Usual", ""], as: "template")
        let alerts = try ask(.notifier, ListAlerts(), for: Alerts.self).alerts
        vocabulary.add(alerts.map(\.id), as: "id")
    }

    private func settlePeople() throws {
        let roles: [(String, [Grant])] = [
            ("nobody", []), ("display", [Grant(role: .display, site: site)]),
            ("crew", [Grant(role: .crew, site: site)]),
            ("manager", [Grant(role: .shiftManager, site: site)]),
            ("siteManager", [Grant(role: .siteManager, site: site)]),
            ("administrator", [Grant(role: .administrator)]),
        ]
        for (name, grants) in roles {
            people[name] = grants
            vocabulary.add([name], as: "escalateTo")
            try join(name)
        }
        tokens["stranger"] = Dictionary(
            uniqueKeysWithValues: ServiceName.names.map { ($0, [1, 2, 3]) })
        try renewTokens()
    }

    /// Signs up someone with the roles of these people, and logs in.
    private func join(_ name: String) throws {
        joined += 1
        let account = try client(.account).signUp("\(name)\(joined)", people[name] ?? [])
        vocabulary.add([account.id, account.name], as: "account", "carer", "recipient", "manager")
        let session = try ask(
            .account, LogIn(name: account.name, password: Self.password, device: "x"),
            for: LoggedIn.self)
        sessions[name] = session.refreshToken
        tokens[name] = [:]
    }

    /// Makes again what messages have ended or deleted, so that other messages still reach deep
    /// code.
    func replenish() throws {
        try renewTokens()
        if try isRefused(.plan, ReadPlan(plan: plan), for: PlanContents.self) { try settlePlan() }
        if try isRefused(.project, ReadProject(project: project), for: ProjectContents.self) {
            try settleProject()
        }
        let start = StartShift(site: site, dayPart: 1)
        if try isRefused(.checklist, ReadShift(site: site), for: ShiftSnapshot.self),
            try isRefused(.checklist, start, for: ShiftSnapshot.self)
        {
            try settleShift()
        }
        let routines = try ask(.routine, ListRoutines(), for: Routines.self).routines
        if !routines.contains(where: { $0.id == routine }) { try settleRoutine() }
        if try isRefused(.routine, ReadDay(), for: Day.self) { try settleDay() }
    }

    private func isRefused<R: ProtobufMessage>(
        _ service: ServiceName, _ message: some ProtobufMessage, for answer: R.Type
    ) throws -> Bool {
        do {
            _ = try ask(service, message, for: answer)
            return false
        } catch ClientError.refused { return true }
    }

    /// Renews the access tokens, which are valid for ten minutes. A person whom a message has
    /// logged out, disabled or deprived of a role is replaced by someone else with that role.
    private func renewTokens() throws {
        for name in people.keys.sorted() {
            if try !renew(name) {
                try join(name)
                guard try renew(name) else { throw Complaint("\(name) can't continue") }
            }
        }
    }

    private func renew(_ name: String) throws -> Bool {
        do {
            let granted = try ask(
                .account,
                RefreshAccess(
                    refreshToken: sessions[name] ?? [], audiences: ServiceName.names),
                for: AccessGranted.self)
            sessions[name] = granted.refreshToken
            tokens[name] = granted.tokens
            let client = try client(.account)
            client.token = granted.tokens[ServiceName.account.rawValue] ?? []
            defer { client.token = [] }
            let account = try client.ask(WhoAmI(), for: Account.self, deadline: .seconds(60))
            return account.grants == people[name]
        } catch ClientError.refused { return false }
    }

    private func settleShift() throws {
        round += 1
        let tasks = ["lock", "light", "oven"].map {
            ChecklistTask(id: $0, title: "The \($0)", area: "kitchen", priority: "immediate")
        }
        let list = try ask(
            .checklist,
            PutTemplate(
                template: ChecklistTemplate(
                    site: site, name: "Opening \(round)", kind: .preShift,
                    sections: [ChecklistSection(id: "doors", name: "Doors", tasks: tasks)])),
            for: ChecklistTemplate.self)
        let snapshot = try ask(
            .checklist, StartShift(site: site, dayPart: 1), for: ShiftSnapshot.self)
        vocabulary.add([list.id, list.name], as: "template", "list", "link")
        vocabulary.add(tasks.map(\.id), as: "task", "parent", "after")
        vocabulary.set([snapshot.shift?.id ?? "", ""], as: "shift")
        vocabulary.add(["\(list.id)/oven"], as: "todo")
    }

    private func settlePlan() throws {
        let corners = [(0, 0), (4_000, 0), (4_000, 3_000), (0, 3_000)].map {
            PlanPoint(x: Int32($0.0), y: Int32($0.1))
        }
        round += 1
        let name = "Home \(round)"
        let plan = try ask(.plan, CreatePlan(details: PlanDetails(name: name)), for: Plan.self)
        let room = DrawRoom(
            room: Room(id: "bath", name: "Bath", use: .bathroom), start: corners[0],
            sides: [4_000, 3_000, 4_000].map { RoomSide(length: $0) }, wallThickness: 100)
        let things = ["bed", "chair"].enumerated().map { number, name in
            PlanItem(
                item: .element(
                    Element(
                        id: name, kind: name == "bed" ? .bed : .wheelchair, label: name,
                        centre: PlanPoint(x: Int32(1_000 + 2_000 * number), y: 1_500), width: 700,
                        depth: 1_200)))
        }
        let edited = try ask(
            .plan,
            EditPlan(
                plan: plan.id,
                actions: [
                    PlanAction(action: .drawRoom(room)),
                    PlanAction(action: .add(AddItems(items: things))),
                ], force: true), for: PlanEdited.self)
        let ids = edited.changes.compactMap { change -> String? in
            switch change.after?.item {
            case .wall(let wall): wall.id
            case .room(let room): room.id
            case .element(let element): element.id
            case .opening(let opening): opening.id
            case nil: nil
            }
        }
        vocabulary.set([plan.id, name], as: "plan")
        self.plan = plan.id
        vocabulary.add(
            ids, as: "ids", "id", "wall", "with", "element", "opening", "item", "room", "chair")
    }

    private func settleProject() throws {
        round += 1
        let name = "house-\(round)"
        let project = try ask(
            .project, CreateProject(project: Project(identifier: name, name: name)),
            for: Project.self)
        self.project = project.id
        func keep(_ thing: ProjectThing.Thing) -> ProjectAction {
            ProjectAction(action: .keep(ProjectThing(thing: thing)))
        }
        _ = try ask(
            .project,
            EditProject(
                project: project.id,
                actions: [
                    keep(.member(TeamMember(name: "Kari", timeZone: "UTC", share: 100))),
                    keep(.version(ProjectVersion(name: "One"))),
                    keep(
                        .issue(
                            TrackedIssue(
                                subject: "Roof", assignee: 1, start: "2027-03-01",
                                due: "2027-03-02"))),
                    keep(.issue(TrackedIssue(subject: "Door", version: 1))),
                    keep(.relation(IssueLink(kind: .precedes, from: 1))),
                    ProjectAction(action: .baseline("Promised")),
                ]), for: ProjectEdited.self)
        vocabulary.set([project.id, name], as: "project")
        vocabulary.add(["", "Kari", "none"], as: "assignee", "member")
        vocabulary.add(["", "New", "Closed"], as: "status")
        vocabulary.add(["", "Task"], as: "tracker")
        vocabulary.add(["", "2027-03-01", "2027-03-09"], as: "start", "due", "dueBefore")
    }

    /// Makes a channel to a port on which nothing listens, so each delivery fails at once, again
    /// and again.
    private func settleChannel() throws {
        let address = "http://127.0.0.1:9/alerts"
        _ = try ask(
            .notifier,
            KeepChannel(
                channel: AlertChannel(
                    name: "phone", kind: .webhook, address: address, from: .info)),
            for: AlertChannel.self)
        vocabulary.add(["phone"], as: "name")
        vocabulary.add([address], as: "address")
    }

    private func settleRoutine() throws {
        let actions = ["hygiene.brushTeeth", "movement.walk"].map { RoutineAction(library: $0) }
        round += 1
        let name = "Morning \(round)"
        routine = try ask(
            .routine,
            KeepRoutine(
                routine: Routine(name: name, actions: actions, tags: ["pet"], until: 1_440)),
            for: Routine.self
        ).id
        vocabulary.set([routine, name], as: "routine", "routines")
        vocabulary.set(["pet"], as: "tags")
        vocabulary.set(actions.map(\.library) + [""], as: "library")
        vocabulary.set(["🪥"], as: "emoji")
    }

    private func settleDay() throws {
        let day = try ask(
            .routine,
            PlanDay(routines: [routine], sleep: 1_440, timeZone: zoneInTheMorning(), anew: true),
            for: Day.self)
        _ = try ask(.routine, ChangeDay(change: .confirm(true)), for: Day.self)
        vocabulary.set([day.date, "", "last"], as: "date", "like")
        vocabulary.set(["", "1.1", "1.2"], as: "done", "skip")
    }

    private func settleJourney() throws {
        let job = try ask(
            .transitAlert,
            ImportFeed(feed: "town", path: Self.root + "/deploy/demo/harbour-line"),
            for: JobAccepted.self)
        try eventually("the feed is there") {
            try !ask(.transitAlert, ListFeeds(), for: Feeds.self).feeds.isEmpty
        }
        let journey = try ask(
            .transitAlert, StartJourney(feed: "town", stopId: "4131", policy: 2), for: Journey.self)
        vocabulary.add(["town", ""], as: "feed")
        vocabulary.add(["4131"], as: "stopId")
        vocabulary.add([journey.id], as: "journeyId")
        vocabulary.add([job.jobId, journey.id], as: "jobId")
        vocabulary.add([Self.root + "/deploy/demo/harbour-line"], as: "path")
    }
}

extension ServiceName {
    static let names = allCases.map(\.rawValue)
}

extension Program {
    /// The processor time of the first thread, which runs a service's loop.
    func loopTime() throws -> Duration {
        let text = try String(contentsOfFile: "/proc/\(pid)/schedstat", encoding: .utf8)
        guard let first = text.split(separator: " ").first, let time = Int64(first) else {
            throw Complaint("\(name) is gone")
        }
        return .nanoseconds(time)
    }
}
