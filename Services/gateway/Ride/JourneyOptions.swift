import ArgumentParser
import Bus
import Messages
import ShiftClient
import Speech
import Terminal

/// The options of a ride: where to, and by which line.
struct JourneyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where to get off: a stop's id, or words of its name. Without it you are asked at a "
                + "terminal, with your last destinations first.", valueName: "stop"),
        completion: Offered.stops)
    var to: String?
    @Option(
        name: .customLong("via"), parsing: .singleValue,
        help: ArgumentHelp(
            "Where you change on the way, in order: you are alerted before each of these stops, "
                + "too.", valueName: "stop"),
        completion: Offered.stops)
    var changes: [String] = []
    @Option(help: "The timetable.")
    var feed: FeedName?
    @Option(help: "The line ridden, by its number or id, if known.")
    var route: String?
    @Option(help: "The trip ridden, if known.")
    var trip: String?
    @Option(help: "How long before the arrival to alert you, 1m to 30m. Default: your settings.")
    var notice: DurationArgument?
    @Option(
        help: ArgumentHelp(
            "Alert you at the latest this far from the stop, 100 to 20000, or 0. Default: your "
                + "settings.", valueName: "metres"))
    var distance: UInt32?
    @Option(
        help: ArgumentHelp(
            "The types of landmarks to announce, separated by commas; all, or none. Default: "
                + "your settings.", valueName: "types"))
    var landmarks: String?
    @Option(
        help: ArgumentHelp(
            "Your channels that deliver the alerts, separated by commas, mail for mail; or all. "
                + "Default: your settings.", valueName: "names"))
    var channels: String?
    @Flag(help: "Print the alerts and finally the journey as JSON, one object per line.")
    var json = false

    func validate() throws {
        guard changes.isEmpty || route == nil && trip == nil else {
            throw ValidationError("--route and --trip are for a ride without --via")
        }
    }

    /// The stops to get off at, in order, once the privacy policy is accepted: where to change, and
    /// then the destination.
    ///
    /// - Throws: ``Failure`` if it isn't accepted, or no stop is chosen.
    func stops(_ session: Session) throws -> [Stop] {
        let last = try destination(session)
        return try changes.map { try DestinationSearch.find($0, feed: feed, session) } + [last]
    }

    private func destination(_ session: Session) throws -> Stop {
        try PrivacyConsent.require(session, asks: !json)
        guard let to else {
            guard !json else { throw Failure(.usage, "say where to get off with --to") }
            return try StopChooser(session, feed: feed).choose()
        }
        return try DestinationSearch.find(to, feed: feed, session)
    }

    /// The channels that deliver the alerts; nil for those of the settings.
    ///
    /// - Throws: ``Failure`` if the person has no channel of that name.
    func chosenChannels(_ session: Session) throws -> ChannelNames? {
        try channels.map { try ChannelNames(typed: $0, session) }
    }

    /// Starts the journey.
    ///
    /// - Parameters:
    ///   - channels: the channels that deliver its alerts; nil for those of the settings.
    ///   - clock: the journey's clock; nil for the wall clock.
    ///   - courier: sends the command; nil to wait for the service no longer than other commands.
    func start(
        _ client: Client, to stop: Stop, by channels: ChannelNames?, clock: JourneyClock?,
        with courier: RideCourier?, _ session: Session
    ) throws -> Journey {
        let command = StartJourney(
            feed: stop.feed, stopId: stop.id, route: route ?? "", tripId: trip ?? "",
            notice: notice?.milliseconds ?? 0, clock: clock, distance: distance,
            landmarks: landmarks.map(LandmarkTypes.init(typed:)),
            channels: channels)
        let journey =
            try courier?.ask(command, for: Journey.self) ?? client.ask(command, for: Journey.self)
        if !json, let remark = remark(on: journey) { session.printer.remark(remark) }
        return journey
    }

    /// A remark for the passenger on the times of a journey that begins.
    private func remark(on journey: Journey) -> String? {
        let name = (journey.stop?.name ?? "").printable
        if journey.stop?.trips == 0 {
            return "\(journey.feed) has no timetable to \(name): the alarm goes by distance and "
                + "speed"
        }
        guard journey.typical else { return nil }
        if let trip {
            return "by the timetable \(journey.feed) trip \(trip.printable) doesn't run at this "
                + "hour: only the times between its stops count"
        }
        return "by the timetable \(journey.feed) nothing of this line runs to \(name) at this "
            + "hour: the times are those of a usual trip"
    }

    /// Follows the ride to its end, then ends the journey and shows it. A journey that can't be
    /// followed any further stays under way: the service still alerts by estimate.
    ///
    /// - Parameters:
    ///   - keeps: true to leave the journey under way in any case.
    ///   - isLive: true if someone is riding now, who still needs the alarm when the positions end.
    ///   - summarize: prints the summary at the end.
    func play(
        _ player: RidePlayer, _ client: Client, keeps: Bool, isLive: Bool = false,
        _ printer: Printer, summarize: () -> Void
    ) throws {
        let end: Failure?
        do {
            try player.play()
            end = nil
        } catch {
            guard let failure = Failure(error) else { throw error }
            end = failure
        }
        let isCutShort =
            try !Interruption.isWanted && (end != nil || isLive && player.hasLostSource)
            && !isOver(client, player.journey, refused: end?.status == .refused)
        let keeps = keeps || isCutShort || player.mayHaveMissedChange
        let last = keeps ? player.journey : try finish(client, player.journey)
        if json { try printer.jsonLine(.journeys, [last]) } else { summarize() }
        if !json {
            printer.remark("\((player.traffic + 999) / 1_000) kB over the network")
            if !keeps {
                printer.remark(
                    "were the alerts useful? steward transit feedback \(last.id) "
                        + "--useful or --useless")
            }
        }
        if isCutShort {
            let alarm =
                last.isUnarmed
                ? "but there is no alarm until a position comes"
                : "and the alarm goes on by estimate, on your telephone and in steward alerts"
            printer.remark("steward: the journey stays under way, \(alarm)")
        }
        if keeps, !json || isCutShort {
            printer.remark("end it with: steward transit finish \(player.journey.id)")
        }
        if let end { throw end }
    }

    /// True if a journey has ended. If its positions were refused, it may have ended elsewhere, for
    /// example on the person's telephone.
    private func isOver(_ client: Client, _ journey: Journey, refused: Bool) throws -> Bool {
        guard refused, journey.stage != .finished else { return journey.stage == .finished }
        return try client.hasEnded(journey)
    }

    private func finish(_ client: Client, _ journey: Journey) throws -> Journey {
        // A person who presses Ctrl-C does not want to wait for a service that is gone.
        let patience: Duration = Interruption.isWanted ? .seconds(3) : .seconds(30)
        return try client.ask(
            FinishJourney(journeyId: journey.id), for: Journey.self, deadline: patience)
    }
}

extension Client {
    /// True if a journey has ended, perhaps elsewhere; false if it hasn't, or if that can't be
    /// found out.
    func hasEnded(_ journey: Journey) throws -> Bool {
        do {
            return try ask(ReadJourney(journeyId: journey.id), for: Journey.self).stage == .finished
        } catch {
            guard Failure(error) != nil else { throw error }
            return false
        }
    }
}
