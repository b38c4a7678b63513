import ArgumentParser
import Bus
import Messages
import Speech
import Terminal

/// `steward status`
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Shows the state of every service.",
        discussion: """
            The exit code is 69 if a service is not running. With --service only that one is \
            asked, as a health check does; the service's own key is enough for that.
            """)

    @Option(help: "Ask only this service.")
    var service: ServiceName?
    @OptionGroup var output: OutputOptions

    func run() throws {
        let session = try Session(as: try process())
        let reports = try Self.ask(session, service.map { [$0] } ?? ServiceName.allCases)
        if output.json {
            try session.printer.json(.services, reports)
        } else {
            session.printer.table(Self.services(reports, now: WallClock.milliseconds()))
            let followers = Self.followers(reports, now: WallClock.milliseconds())
            if !followers.rows.isEmpty {
                session.printer.result("")
                session.printer.table(followers)
            }
        }
        for report in reports where report.clock.magnitude > Checkup.clockTolerance {
            session.printer.remark(Checkup.clockSentence(report.service, report.clock))
        }
        if let failure = Self.failure(reports) { throw failure }
    }

    /// What is wrong; nil if every service has given its state.
    static func failure(_ reports: [Report]) -> Failure? {
        let missing = reports.filter { $0.status == nil }
        guard !missing.isEmpty else { return nil }
        func names(_ reports: [Report]) -> String {
            reports.map(\.service).listed
        }
        let silent = missing.filter { $0.state != .unreadable && $0.state != .withoutKey }
        guard silent.isEmpty else {
            let verb = silent.count == 1 ? "does" : "do"
            return Failure(
                .notRunning, "\(names(silent)) \(verb) not answer",
                advice: "start what is missing: steward up")
        }
        let unreadable = missing.filter { $0.state == .unreadable }
        guard unreadable.isEmpty else {
            return Failure(
                .notRunning, "the answer of \(names(unreadable)) can't be read",
                advice: "see whether all have the same version, and the end of their logs")
        }
        return Failure(
            .notRunning, "the keys of \(names(missing)) can't be used",
            advice: "see what is wrong: steward doctor")
    }

    /// The name of the key to ask with: the service's own if its secret is here, as in its
    /// container.
    private func process() throws -> String {
        guard let service, let directory = try Bus.Configuration().keysDirectory,
            KeyRing(directory: directory).hasSecret(service.rawValue)
        else { return "steward" }
        return service.rawValue
    }

    /// Whether a service runs, or why it does not answer: the word that is shown.
    enum State: String, Encodable {
        case running
        case notRunning = "not running"
        case noAnswer = "no answer"
        /// The service doesn't know the key of this program.
        case notAdmitted = "not admitted"
        /// It answers something else than its state, or has another version.
        case unreadable = "unreadable answer"
        /// The key directory here has no valid key of the service, so it can't be asked.
        case withoutKey = "no valid key"
    }

    /// The answer of one service.
    struct Report: Encodable {
        let service: String
        let state: State
        let status: ServiceStatus?
        /// How far the clock of the service's host is ahead of ours, milliseconds.
        var clock: Int64 = 0

        private enum CodingKeys: CodingKey { case service, state, status }
    }

    /// Asks several services at the same time. What is wrong with one of them doesn't hide the
    /// others.
    ///
    /// - Throws: if none of them can be asked.
    static func ask(
        _ session: Session, _ services: [ServiceName] = ServiceName.allCases,
        within time: Duration = .seconds(2)
    ) throws -> [Report] {
        var reports: [ServiceName: Report] = [:]
        // No token: none is needed, and account-service may be down.
        var (clients, unasked): ([Client], ConfigurationError?) = ([], nil)
        for service in services {
            do { clients.append(try Client(session.connection, to: service)) } catch let error
                as ConfigurationError
            {
                reports[service] = Report(
                    service: service.rawValue, state: .withoutKey, status: nil)
                unasked = error
            }
        }
        if clients.isEmpty, let unasked { throw unasked }
        let end = ContinuousClock.now + time
        let asked = WallClock.milliseconds()
        for client in clients { try client.send(ReadStatus(), deadline: time) }
        while clients.contains(where: { $0.inFlight > 0 }) {
            for client in clients where client.inFlight > 0 {
                for answer in try client.receive(within: .milliseconds(2)) {
                    let isLate = ContinuousClock.now >= end
                    var report = report(client.service, answer.result, isLate: isLate)
                    if case .success(let envelope) = answer.result {
                        report.clock = Self.difference(
                            envelope.time, from: asked, to: WallClock.milliseconds())
                    }
                    reports[client.service] = report
                }
            }
        }
        return services.compactMap { reports[$0] }
    }

    /// How far the clock of a service that answered at `time` differs from ours, milliseconds; 0 if
    /// `time` lies between the times at which we asked and got the answer, by our clock.
    static func difference(_ time: Int64, from asked: Int64, to answered: Int64) -> Int64 {
        if time > answered { return time.subtractingReportingOverflow(answered).partialValue }
        return time < asked ? time.subtractingReportingOverflow(asked).partialValue : 0
    }

    /// What one service has answered.
    static func report(
        _ service: ServiceName, _ result: Result<Envelope, ClientError>, isLate: Bool
    ) -> Report {
        switch result {
        case .success(let envelope):
            do {
                let status = try Client.unpack(envelope, as: ServiceStatus.self)
                return Report(service: service.rawValue, state: .running, status: status)
            } catch {
                return Report(service: service.rawValue, state: .unreadable, status: nil)
            }
        case .failure(.denied):
            return Report(service: service.rawValue, state: .notAdmitted, status: nil)
        case .failure:
            return Report(
                service: service.rawValue, state: isLate ? .noAnswer : .notRunning, status: nil)
        }
    }

    private static func services(_ reports: [Report], now: Int64) -> TextTable {
        var table = TextTable([
            .text("SERVICE"), .text("STATE"), .text("VERSION"), .text("UP"), .number("EVENTS"),
            .number("JOBS"), .number("DEAD LETTERS"),
        ])
        for report in reports {
            guard let status = report.status else {
                table.add([.init(report.service), .init(report.state.rawValue, .red)])
                continue
            }
            table.add([
                .init(report.service), .init(report.state.rawValue, .green), .init(status.version),
                .init(Wording.duration(elapsed(since: status.started, now))), "\(status.head)",
                "\(status.runningJobs)",
                .init("\(status.deadLetters)", status.deadLetters > 0 ? .red : nil),
            ])
        }
        return table
    }

    /// Who follows whom, as reported by the producer and by the follower itself.
    private static func followers(_ reports: [Report], now: Int64) -> TextTable {
        var table = TextTable([
            .text("FOLLOWER"), .text("FOLLOWS"), .number("HAS"), .number("OF"), .number("BEHIND"),
            .text("REPORTED"), .text("LAST HEARD"),
        ])
        let statuses = reports.compactMap(\.status)
        for producer in statuses {
            for follower in producer.followers {
                let cursor = statuses.first { $0.service == follower.name }?.cursors
                    .first { $0.producer == producer.service }
                let has = max(follower.sequence, cursor?.sequence ?? 0)
                let lag = producer.head - min(producer.head, has)
                table.add([
                    .init(follower.name), .init(producer.service), "\(has)", "\(producer.head)",
                    .init("\(lag)", lag > 0 ? .yellow : nil),
                    .init(ago(follower.reported, now)), .init(ago(cursor?.heard ?? 0, now)),
                ])
            }
        }
        // A producer that isn't running can't report its followers, but they can.
        for follower in statuses {
            for cursor in follower.cursors
            where !statuses.contains(where: {
                $0.service == cursor.producer
                    && $0.followers.contains { $0.name == follower.service }
            }) {
                let lag = cursor.head - min(cursor.head, cursor.sequence)
                table.add([
                    .init(follower.service), .init(cursor.producer), "\(cursor.sequence)",
                    "\(cursor.head)", "\(lag)", "never", .init(ago(cursor.heard, now)),
                ])
            }
        }
        return table
    }

    private static func ago(_ time: Int64, _ now: Int64) -> String {
        if time == 0 { return "not yet" }
        let past = elapsed(since: time, now)
        return past < 1500 ? "just now" : Wording.duration(past) + " ago"
    }

    /// How long ago a time was that a service names, in milliseconds; 0 for one still to come.
    static func elapsed(since time: Int64, _ now: Int64) -> Int64 {
        guard time < now else { return 0 }
        let (past, isBeyond) = now.subtractingReportingOverflow(time)
        return isBeyond ? .max : past
    }
}
