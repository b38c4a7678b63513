import Bus
import Foundation
import Messages
import TestSupport
import Testing

@testable import Workday

extension Faults {
    /// Journeys from their start until the passenger was told to get off, by the alert topic and by
    /// a webhook, while a process is killed each second.
    @Suite(.serialized) struct Journeys {
        /// How many journeys there are: `JOURNEYS`, or 12.
        static let wanted =
            ProcessInfo.processInfo.environment["JOURNEYS"].flatMap { Int($0) } ?? 12
        /// How many are under way at a time.
        static let atOnce = 4
        static let seed = Seed(
            ProcessInfo.processInfo.environment["SEED"].flatMap { UInt64($0) } ?? 1)

        @Test func `every alert of a journey arrives, and none twice, whichever process is killed`()
            throws
        {
            var seed = Self.seed
            print("\(seed) JOURNEYS=\(Self.wanted)")
            let company = try Company()
            let ears = try Ears(company.system)
            let riders = try (0..<Self.atOnce).map { number in
                try Rider(
                    journeys: (Self.wanted + Self.atOnce - 1 - number) / Self.atOnce, ears)
            }
            let workers = try riders.map {
                Worker($0, try company.system.client(), pause: .milliseconds(50))
            }

            var (kill, restart) = (ContinuousClock.now + .seconds(1), ContinuousClock.now)
            let limit: Duration = .seconds(180 + 20 * Self.wanted)
            try eventually("every journey is over, after \(company.kills) kills", within: limit) {
                if ContinuousClock.now >= kill {
                    company.kill(seed.pick(Company.services))
                    restart = ContinuousClock.now + .milliseconds(seed.below(500))
                    kill = ContinuousClock.now + .seconds(1)
                }
                if ContinuousClock.now >= restart { try company.startEnded() }
                for worker in workers { try worker.turn(isAtWork: true) }
                try ears.turn()
                return riders.map(\.ended.count).reduce(0, +) == Self.wanted
            }
            try company.startEnded()

            for worker in workers { try worker.occupation.inspect(company.system, worker.client) }
            try ears.expectNothingTwice()
            for service in Company.services {
                #expect(try company.system.query(service, "SELECT * FROM deadLetter") == [])
            }
            #expect(company.kills > 0)
            print("\(Self.wanted) journeys, \(company.kills) kills, \(ears.told.count) requests")
        }
    }
}

/// The services that a journey needs.
private final class Company {
    static let services: [ServiceName] = [.transitAlert, .notifier, .account]

    let system: System
    private(set) var kills = 0
    private var programs: [ServiceName: Program] = [:]

    /// Starts them, and imports a timetable.
    init() throws {
        system = try System()
        try startEnded()
        let transit = try system.client()
        _ = try transit.ask(
            ImportFeed(feed: "town", path: Workday.root + "/deploy/demo/harbour-line"),
            for: JobAccepted.self)
        try eventually("the timetable is there") {
            try !transit.ask(ListFeeds(), for: Feeds.self).feeds.isEmpty
        }
    }

    /// Starts those that aren't running.
    ///
    /// - Throws: a `Complaint` if one has ended by itself.
    func startEnded() throws {
        for service in Self.services where programs[service]?.isRunning != true {
            if let program = programs[service], try program.waitForEnd() != .killed(SIGKILL) {
                throw Complaint("\(service) ended by itself: \(program.lastWords)")
            }
            programs[service] = try system.launch(
                service.rawValue, adding: ["STEWARD_LOG": "warning"])
        }
    }

    func kill(_ service: ServiceName) {
        guard let program = programs[service], program.isRunning else { return }
        program.kill()
        kills += 1
    }
}

/// What has reached the passengers.
private final class Ears {
    struct Told: Decodable {
        struct Alert: Decodable {
            let key: String
        }

        let id: String
        let reason: String
        let feedSequence: UInt64
        let alert: Alert
    }

    private let reader: AlertFeedReader
    private let server: WebServer
    /// What the webhook got, including what it got again under the same id.
    private(set) var told: [Told] = []
    private var rung: Set<String> = []

    /// Subscribes to the alerts, and adds a webhook for the urgent ones: a channel delivers only a
    /// limited number of others a minute.
    init(_ system: System) throws {
        server = try WebServer(in: system)
        let notifier = try system.client(of: .notifier)
        let topic = try notifier.ask(OpenFeed(), for: AlertFeed.self).topic
        reader = try AlertFeedReader(
            system.connection(), recipient: String(topic.split(separator: ".")[2]))
        _ = try notifier.ask(
            KeepChannel(
                channel: AlertChannel(
                    name: "phone", kind: .webhook, address: server.url("/phone"), from: .urgent)),
            for: AlertChannel.self)
    }

    func turn() throws {
        try reader.turn()
        for request in try server.requests(after: told.count) {
            let new = try JSONDecoder().decode(Told.self, from: Data(request.body.utf8))
            #expect(request.headers["idempotency-key"] == new.id)
            told.append(new)
            rung.insert(new.alert.key)
        }
    }

    /// True if an alert has arrived by the alert topic.
    func hasHeard(_ key: String) -> Bool { reader.ids[key] != nil }

    /// True if the webhook was told of an alert.
    func hasRung(_ key: String) -> Bool { rung.contains(key) }

    /// Expects each alert under one id, and each notice once: a webhook knows by the id what it has
    /// got already.
    func expectNothingTwice() throws {
        // Others may come again, such as that the vehicle has left the line.
        let isCounted = { (key: String) in key.hasSuffix("/getReady") || key.hasSuffix("/now") }
        #expect(reader.ids.filter { isCounted($0.key) }.values.allSatisfy { $0.count == 1 })
        let raised = reader.notices.values.filter { $0.reason == .raised }
            .compactMap { $0.alert?.raised?.key }.filter(isCounted)
        #expect(Set(raised).count == raised.count, "an alert was told twice")
        for notices in Dictionary(grouping: told, by: \.feedSequence).values {
            #expect(Set(notices.map(\.id)).count == 1, "\(notices) have several ids")
        }
        for notices in Dictionary(grouping: told, by: \.alert.key).values {
            let first = Set(notices.filter { $0.reason == "raised" }.map(\.id))
            #expect(first.count <= 1, "\(notices) were delivered twice")
        }
    }
}

/// A passenger who gets off when told to, again and again.
private final class Rider: Occupation {
    /// The recorded positions that are sent at once; fewer when the stop is near, so that it isn't
    /// passed in the same command.
    private static let (few, many) = (1, 5)

    let service = ServiceName.transitAlert
    private let fixes: [Fix]
    private let ears: Ears
    /// How many journeys are still to begin.
    private var left: Int
    private var journey: Journey?
    private(set) var ended: [String] = []
    private var sent = 0

    init(journeys: Int, _ ears: Ears) throws {
        (left, self.ears) = (journeys, ears)
        fixes = try Passenger.fixes(of: Workday.root + "/deploy/demo/ride.csv")
    }

    func next() throws -> (any ProtobufMessage)? {
        guard let journey else {
            guard left > 0 else { return nil }
            (left, sent) = (left - 1, 0)
            return StartJourney(
                feed: "town", stopId: "4131",
                clock: JourneyClock(origin: fixes[0].time, speed: 1), policy: 2)
        }
        let key = "journey/\(journey.id)/"
        if journey.stage == .now {
            guard ears.hasHeard(key + "now"), ears.hasRung(key + "now") else { return nil }
            return FinishJourney(journeyId: journey.id)
        }
        // What is withdrawn before it arrives needn't arrive.
        if journey.stage == .getReady, !ears.hasHeard(key + "getReady") { return nil }
        guard sent < fixes.count else { throw Complaint("\(journey) reached no stop") }
        let count = journey.stage == .getReady ? Self.few : Self.many
        let part = Array(fixes[sent..<min(sent + count, fixes.count)])
        sent += part.count
        return RecordPositions(journeyId: journey.id, fixes: part)
    }

    func take(_ answer: Envelope, to id: MessageID) throws {
        let answered = try answer.message(Journey.self)
        journey = answered.stage == .finished ? nil : answered
        if journey == nil { ended.append(answered.id) }
    }

    func inspect(_ system: System, _ client: Client) throws {
        let raised = try system.published(by: service)
            .filter { $0.type == AlertRaised.protobufName }
            .map { try AlertRaised(unpacking: $0.data).key }
        for id in ended {
            for kind in ["getReady", "now"] {
                #expect(raised.filter { $0 == "journey/\(id)/\(kind)" }.count == 1)
            }
        }
    }
}
