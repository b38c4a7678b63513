import ArgumentParser
import Bus
import Messages
import Speech
import Terminal

/// The commands for journeys that the transit service follows.
enum JourneyCommand {
    /// `steward transit journeys`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "journeys", abstract: "Lists the journeys under way.")

        @Flag(help: "Include journeys that have ended.")
        var all = false
        @OptionGroup var output: OutputOptions

        /// The maximum number of journeys that are listed.
        private static let most = 1_000

        func run() throws {
            let session = try Session()
            let found = try session.allJourneys(activeOnly: !all, atMost: Self.most + 1)
            let journeys = Array(found.prefix(Self.most))
            if found.count > Self.most {
                session.printer.remark("only the newest \(Self.most) journeys are listed")
            }
            guard !output.json else {
                return try session.printer.json(
                    .journeys, journeys, beside: ["more": found.count > journeys.count])
            }
            guard !journeys.isEmpty else {
                return session.printer.remark(
                    all ? "there are no journeys" : "no journey is under way")
            }
            let clock = try session.siteClock
            let length = ShortID.length(telling: journeys.map(\.id))
            var table = TextTable([
                .id("JOURNEY"), .text("TO"), .text("LINE"), .text("STAGE"),
                .time(clock.title("STARTED", of: journeys.map(\.started))),
                .number("LEFT"), .number("AWAY"), .number("POSITIONS"),
            ])
            for journey in journeys {
                table.add([
                    .init(String(journey.id.prefix(length))), .init(journey.stop?.name ?? ""),
                    .init(journey.route),
                    .init(JourneyLine.words(journey.stage), JourneyLine.style(journey.stage)),
                    .init(clock.moment(journey.started)),
                    .init(journey.remaining.map { JourneyLine.time($0, journey) } ?? ""),
                    .init(journey.metres.map(Wording.distance) ?? ""), "\(journey.fixes)",
                ])
            }
            session.printer.table(table)
        }
    }

    /// `steward transit finish`
    struct Finish: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "finish",
            abstract: "Ends a journey: its alerts stop and its positions are deleted.")

        @Argument(help: "The journey's id, or its unique beginning.")
        var journey: String
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let reply = try session.ask(
                .transitAlert, FinishJourney(journeyId: journey.lowercased()), for: Journey.self,
                repeating: repeating)
            if output.json { return try session.printer.json(.journeys, [reply]) }
            session.printer.result("finished the journey to \((reply.stop?.name ?? "").printable)")
        }
    }

    /// `steward transit continue`
    struct Continue: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "continue",
            abstract: "Continues to the next stop after yours was passed, or without alerts.",
            discussion: """
                The alarm then counts for that stop, or for one that you name further along the \
                line. The program that sends the positions of the ride simply goes on.

                With --without-alerts, once you have been alerted to get off, the ride is followed \
                without further alerts: end it with steward transit finish.
                """)

        @Argument(help: "The journey's id, or its unique beginning. Default: the newest.")
        var journey = ""
        @Option(
            help: ArgumentHelp(
                "A stop further along the line: its id or its name. Default: the next.",
                valueName: "stop"), completion: Offered.stops)
        var to: String?
        @Flag(help: "Go on without further alerts.")
        var withoutAlerts = false
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            if withoutAlerts, to != nil {
                throw ValidationError("--without-alerts doesn't go with --to")
            }
        }

        func run() throws {
            let session = try Session()
            let reply = try session.ask(
                .transitAlert,
                ContinueJourney(
                    journeyId: journey.lowercased(), stopId: to ?? "",
                    withoutAlerts: withoutAlerts),
                for: Journey.self, repeating: repeating)
            if output.json { return try session.printer.json(.journeys, [reply]) }
            guard !withoutAlerts else {
                session.printer.result("going on without alerts")
                return session.printer.remark(
                    "end it with: steward transit finish \(reply.id)")
            }
            session.printer.result("going on to \((reply.stop?.name ?? "").printable)")
        }
    }
}

extension Session {
    /// The newest of the person's journeys before one, as many as an answer has.
    func journeys(activeOnly: Bool = false, before id: String = "") throws -> [Journey] {
        try ask(
            .transitAlert, ListJourneys(activeOnly: activeOnly, before: id), for: Journeys.self
        ).journeys
    }

    /// The person's journeys, newest first. An answer may have few of them.
    ///
    /// - Parameters:
    ///   - activeOnly: true for those under way.
    ///   - most: the maximum number, of the newest.
    func allJourneys(activeOnly: Bool = false, atMost most: Int = .max) throws -> [Journey] {
        var all: [Journey] = []
        while all.count < most {
            let page = try journeys(activeOnly: activeOnly, before: all.last?.id ?? "")
            guard !page.isEmpty else { break }
            all += page
        }
        return Array(all.prefix(most))
    }
}

extension Journey {
    /// True if no alarm comes until a position does: nothing says yet when the vehicle arrives.
    var isUnarmed: Bool { due == 0 && (stage == .riding || stage == .getReady) }
}

/// A journey as one line.
enum JourneyLine {
    /// The line shown during a ride: `07:44:10 General Hospital in 6 min 20 s 2.4 km line 7`.
    static func text(_ journey: Journey, at time: String, isColoured: Bool) -> String {
        var parts = [time, (journey.stop?.name ?? "").printable]
        if journey.stage != .passed {
            if let remaining = journey.remaining {
                parts.append("in " + self.time(remaining, journey))
            }
            if let metres = journey.metres { parts.append(Wording.distance(metres)) }
        }
        if journey.remaining == nil, journey.stage == .riding || journey.stage == .getReady {
            parts.append("looking for the line …")
        }
        if !journey.route.isEmpty { parts.append("line \(journey.route.printable)") }
        if journey.stage != .riding {
            let stage = words(journey.stage)
            parts.append(style(journey.stage).map { $0(stage, if: isColoured) } ?? stage)
        }
        return parts.joined(separator: "  ")
    }

    /// The name of a stage for people.
    static func words(_ stage: Stage) -> String {
        switch stage {
        case .riding: "riding"
        case .getReady: "get ready"
        case .now: "get off"
        case .passed: "passed"
        case .finished: "finished"
        default: stage.description
        }
    }

    /// The style that makes a stage stand out.
    static func style(_ stage: Stage) -> Style? {
        switch stage {
        case .getReady: .yellow
        case .now, .passed: .alarm
        case .finished: .dim
        default: nil
        }
    }

    /// The remaining time, with `~` if it is only estimated.
    static func time(_ remaining: Int64, _ journey: Journey) -> String {
        let seconds = max(0, remaining) / 1000 * 1000
        return (journey.estimated ? "~" : "") + Wording.duration(seconds)
    }
}
