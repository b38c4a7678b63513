import Bus
import Foundation
import Messages
import TestSupport

/// People at work with all services of an installation, while services are killed.
public final class Workday {
    /// The settings of a workday.
    public struct Settings {
        /// Additional variables in the environment of services.
        public var environment: [String: String] = [:]
        /// The clock of the people, in milliseconds since 1970.
        public var clock: () -> Int64 = WallClock.milliseconds
        /// How long a person waits between two commands.
        public var pause: Duration = .zero
        /// True if shifts end and the next ones begin.
        public var changesShifts = true

        /// An ordinary day.
        public init() {}
    }

    /// The minimum time for which every service keeps what has ended, in milliseconds. Some delete
    /// it after 30 days.
    public static let memory: Int64 = 25 * 24 * 3600 * 1000

    /// The installation.
    public let system: System
    /// The number of kills of each service.
    public private(set) var kills: [ServiceName: Int] = [:]
    private let settings: Settings
    private var programs: [ServiceName: Program] = [:]
    private var workers: [Worker] = []
    private var listener: Listener?
    private var passenger: Passenger?
    /// The exit code with which a service may end by itself, and until when.
    public var excused: (code: Int32, until: ContinuousClock.Instant)?

    /// Starts the services, creates what people work with, and opens a shift.
    ///
    /// - Parameter system: an empty installation.
    public init(in system: System, _ settings: Settings, seed: Seed) throws {
        self.system = system
        self.settings = settings
        for service in ServiceName.allCases { try start(service) }
        try begin(seed)
    }

    /// The folder of this repository.
    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    private func client(_ service: ServiceName) throws -> Client {
        let client = try system.client(of: service)
        client.clock = settings.clock
        return client
    }

    private func ask<R: ProtobufMessage>(
        _ service: ServiceName, _ message: some ProtobufMessage, for _: R.Type
    ) throws -> R {
        try client(service).ask(message, for: R.self, deadline: .seconds(3000))
    }

    private func begin(_ seed: Seed) throws {
        let site = try ask(
            .account, CreateSite(name: "Harbour", timeZone: "Europe/Oslo"), for: Organisation.self
        ).sites[0].id
        // Its store is there once it answers.
        _ = try ask(.checklist, ReadStatus(), for: ServiceStatus.self)
        try eventually("checklist-service knows the site") {
            try system.query(.checklist, "SELECT id FROM site").contains([site])
        }
        // As short as allowed, so that a soak test sees the deletion of archives.
        var own = try ask(.checklist, ReadSettings(site: site), for: SiteSettings.self)
        own.retentionDays = 365
        _ = try ask(.checklist, ChangeSettings(settings: own), for: SiteSettings.self)
        let tasks = ["lock", "light", "oven"].map {
            ChecklistTask(id: $0, title: "The \($0)", area: "kitchen", priority: "immediate")
        }
        let list = try ask(
            .checklist,
            PutTemplate(
                template: ChecklistTemplate(
                    site: site, name: "Opening", kind: .preShift,
                    sections: [ChecklistSection(id: "doors", name: "Doors", tasks: tasks)])),
            for: ChecklistTemplate.self)
        let shift = try ask(
            .checklist, StartShift(site: site, dayPart: 1), for: ShiftSnapshot.self)
        _ = try ask(
            .transitAlert,
            ImportFeed(feed: "town", path: Self.root + "/deploy/demo/harbour-line"),
            for: JobAccepted.self)
        try eventually("the timetable is there", within: .seconds(300)) {
            try !ask(.transitAlert, ListFeeds(), for: Feeds.self).feeds.isEmpty
        }
        let topic = try ask(.notifier, OpenFeed(), for: AlertFeed.self).topic
        let listener = try Listener(
            String(topic.split(separator: ".")[2]), system, clock: settings.clock)
        self.listener = listener
        let passenger = try Passenger(
            riding: Self.root + "/deploy/demo/ride.csv", clock: settings.clock)
        self.passenger = passenger
        var occupations: [any Occupation] = [
            listener, Draughtsman(), Administrator(), ProjectLead(),
            Householder(clock: settings.clock), passenger,
        ]
        for name in ["phone", "tablet"].prefix(settings.changesShifts ? 1 : 2) {
            occupations.append(
                Phone(
                    name, at: site, list: list.id, in: shift.shift?.id ?? "",
                    changesShifts: settings.changesShifts, seed: seed, clock: settings.clock))
        }
        workers = try occupations.map {
            Worker($0, try client($0.service), pause: settings.pause)
        }
    }

    // MARK: Services

    /// The running services.
    public var running: [(name: ServiceName, program: Program)] {
        ServiceName.allCases.compactMap { name in
            programs[name].flatMap { $0.isRunning ? (name, $0) : nil }
        }
    }

    private func start(_ service: ServiceName) throws {
        programs[service] = try system.launch(
            service.rawValue,
            adding: ["STEWARD_LOG": "warning"].merging(settings.environment) { $1 }
        )
    }

    /// Starts the services that aren't running.
    ///
    /// - Throws: a `Complaint` if one has ended by itself and isn't ``excused``.
    public func startEnded() throws {
        let code = excused.flatMap { ContinuousClock.now < $0.until ? $0.code : nil }
        for service in ServiceName.allCases where programs[service]?.isRunning != true {
            if let program = programs[service], case .exited(let status) = try program.waitForEnd(),
                status != code
            {
                throw Complaint("\(service) ended by itself: \(program.lastWords)")
            }
            if let program = programs[service], case .killed(let signal) = try program.waitForEnd(),
                signal != SIGKILL
            {
                throw Complaint("\(service) crashed with signal \(signal): \(program.lastWords)")
            }
            try start(service)
        }
    }

    /// Kills a service with `SIGKILL`.
    public func kill(_ service: ServiceName) {
        guard let program = programs[service], program.isRunning else { return }
        program.kill()
        kills[service, default: 0] += 1
    }

    /// Runs a command of `steward` to its end, and requires that it succeeds.
    public func steward(_ words: String...) throws {
        let program = try system.spawn(
            ["\(System.executables)/steward"] + words,
            environment: system.environment(adding: settings.environment))
        guard try program.waitForEnd() == .exited(0) else {
            throw Complaint("steward \(words): \(program.lastWords)")
        }
    }

    // MARK: Work

    /// The number of commands answered so far.
    public var answered: Int { workers.reduce(0) { $0 + $1.answered } }

    /// The number of journeys past their stop so far.
    public var journeys: Int { passenger?.whole.count ?? 0 }

    /// Lets everyone work for a while.
    public func work(for time: Duration) throws {
        let end = ContinuousClock.now + time
        repeat {
            for worker in workers { try worker.turn(isAtWork: true) }
            usleep(settings.pause > .zero ? 10_000 : 1000)
        } while ContinuousClock.now < end
    }

    /// Lets everyone finish what is under way.
    public func rest() throws {
        try eventually("every command is answered", within: .seconds(600)) {
            try startEnded()
            for worker in workers { try worker.turn(isAtWork: false) }
            return !workers.contains(where: \.isWaiting)
        }
    }

    /// Checks that nothing was lost and nothing was done twice: that the answers to people, the
    /// services' data and that of their followers agree. Call it after ``rest()``.
    public func inspect() throws {
        for worker in workers { try worker.occupation.inspect(system, worker.client) }
        try inspectFollowers()
        try inspectAlerts()
    }

    /// Checks that every follower has reached the head of what it follows, and has put nothing
    /// aside.
    private func inspectFollowers() throws {
        var complaint = ""
        try eventually("everyone has followed: \(complaint)", within: .seconds(600)) {
            try startEnded()
            complaint = ""
            var heads: [String: UInt64] = [:]
            let all = try ServiceName.allCases.map {
                try ask($0, ReadStatus(), for: ServiceStatus.self)
            }
            for status in all { heads[status.service] = status.head }
            for status in all {
                guard status.deadLetters == 0 else {
                    throw Complaint("\(status.service) has \(status.deadLetters) dead letters")
                }
                for cursor in status.cursors where cursor.sequence != heads[cursor.producer] {
                    complaint += "\(status.service) has \(cursor.sequence) of \(cursor.producer) "
                }
            }
            return complaint.isEmpty
        }
    }

    /// The source, key and id of every alert that the notifier has.
    private func keptAlerts() throws -> [[String]] {
        try system.query(.notifier, "SELECT source, key, id FROM alert")
    }

    /// Checks that every alert that was raised is in the notifier's store once, and that it reached
    /// the person.
    private func inspectAlerts() throws {
        // Timers keep raising alerts, so this reads what others are compared with first.
        let seen = try keptAlerts()
        var raised: [String: Set<String>] = [:]
        for service in ServiceName.allCases where service != .notifier {
            for event in try system.published(by: service)
            where event.type == AlertRaised.protobufName
                && event.time > settings.clock() - Self.memory
            {
                let key = try AlertRaised(unpacking: event.data).key
                let id = MessageID(bytes: event.id).map { "\($0)" } ?? ""
                raised["\(service.rawValue) \(key)", default: []].insert(id)
            }
        }
        var lost: [String] = []
        try eventually("the notifier has \(lost.prefix(5))") {
            let keys = Set(try keptAlerts().map { "\($0[0]) \($0[1])" })
            lost = raised.keys.filter { !keys.contains($0) }
            return lost.isEmpty
        }
        // Older rows have been deleted.
        let oldest = try ServiceName.allCases.map {
            try system.query($0, "SELECT ifnull(min(sequence), 1) FROM outbox")
        }
        for row in seen
        where oldest.allSatisfy({ $0 == [["1"]] })
            && raised["\(row[0]) \(row[1])"]?.contains(row[2]) != true
        {
            throw Complaint("alert \(row[2]) of \(row[0]) was never raised")
        }
        guard Set(seen.map { $0[2] }).count == seen.count else {
            throw Complaint("some alerts exist twice")
        }
        try eventually("every notice was delivered", within: .seconds(300)) {
            try listener?.hasHeardAll(of: system) ?? true
        }
    }
}
