import ArgumentParser
import Bus
import Messages
import Speech
import Terminal

/// `steward transit ride`
struct RideCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ride",
        abstract: "Replays a recorded ride to a stop and shows its alerts.",
        discussion: """
            The positions are sent when they were measured, or --speed times faster, on the \
            journey's own clock. Ctrl-C ends the ride.
            """)

    @Argument(help: "The recorded ride, a GPX or CSV file.", completion: .file())
    var file: String
    @Option(
        help: ArgumentHelp(
            "Where to get off: a stop's id, or words of its name.", valueName: "stop"),
        completion: Offered.stops)
    var to: String
    @Option(help: "The timetable.")
    var feed: FeedName?
    @Option(help: "The line ridden, by its number or id, if known.")
    var route: String?
    @Option(help: "The trip ridden, if known.")
    var trip: String?
    @Option(help: "How long before the arrival to alert you, 1m to 30m.")
    var notice = DurationArgument(milliseconds: 180_000)
    @Option(help: "How many times faster to replay it, 1 to 1000.")
    var speed: UInt32 = 1
    @Flag(help: "End the replay when it is time to get off, as a passenger would.")
    var getOff = false
    @Flag(help: "Keep the journey under way at the end of the file.")
    var noFinish = false
    @Flag(help: "Print the alerts and finally the journey as JSON, one object per line.")
    var json = false

    func validate() throws {
        guard (1...1000).contains(speed) else {
            throw ValidationError("--speed must be from 1 to 1000")
        }
    }

    func run() throws {
        let session = try Session()
        guard let schedule = RideSchedule(try RecordedRide.fixes(at: file), speed: speed) else {
            throw Failure(.refused, "there are no positions in \(file)")
        }
        let client = try session.client(.transitAlert)
        let destination = try Destination(to, feed: feed, session)
        // Follow the feed before the journey begins, so that its first alert is not missed.
        let follower = try AlertFeed.Follower(session, isPatient: true)
        let journey = try start(client, destination, schedule, session.printer)
        client.isPatient = true
        let player = RidePlayer(
            client, follower, session.printer, schedule, journey,
            endsAtStop: getOff, isJSON: json)
        if !json { player.announce() }
        let end: Failure?
        do {
            try player.play()
            end = nil
        } catch let failure as Failure { end = failure }
        let last = noFinish ? player.journey : try finish(client, player.journey)
        if json { try session.printer.jsonLine(.journeys, [last]) } else { player.summarize() }
        if noFinish, !json {
            session.printer.remark("end it with: steward transit finish \(journey.id)")
        }
        if let end { throw end }
    }

    private func start(
        _ client: Client, _ destination: Destination, _ schedule: RideSchedule, _ printer: Printer
    ) throws -> Journey {
        let command = StartJourney(
            feed: destination.feed, stopId: destination.stopID, route: route ?? "",
            tripId: trip ?? "", notice: notice.milliseconds,
            clock: JourneyClock(origin: schedule.origin, speed: speed))
        do {
            return try client.ask(command, for: Journey.self)
        } catch ClientError.refused(let refusal)
            where refusal.code == .notFound && destination.otherwise != nil
        {
            Destination.list(destination.candidates, printer)
            throw destination.otherwise ?? Failure(.refused, refusal.message)
        }
    }

    private func finish(_ client: Client, _ journey: Journey) throws -> Journey {
        // A person who presses Ctrl-C does not want to wait for a service that is gone.
        let patience: Duration = Interruption.isWanted ? .seconds(3) : .seconds(30)
        return try client.ask(
            FinishJourney(journeyId: journey.id), for: Journey.self, deadline: patience)
    }
}
