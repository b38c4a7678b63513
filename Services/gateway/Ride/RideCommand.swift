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
    @OptionGroup var options: JourneyOptions
    @Option(help: "How many times faster to replay it, 1 to 1000.")
    var speed: UInt32 = 1
    @Flag(help: "End the replay when it is time to get off, as a passenger would.")
    var getOff = false
    @Flag(help: "Keep the journey under way at the end of the file.")
    var noFinish = false

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
        let stops = try options.stops(session)
        for stop in stops { try DestinationSearch.check(schedule, in: file, to: stop) }
        // Follow the feed before the journey begins, so that its first alert is not missed.
        let follower = try AlertFeed.Follower(session, isPatient: true)
        let legs = RideLegs(
            session: session, client: client, follower: follower, options: options, stops: stops,
            speed: speed, isLive: false)
        try legs.ride(schedule, endsAtStop: getOff, keeps: noFinish) { player in
            if !options.json { announce(schedule, player.journey, session.printer) }
        } summarize: { player in
            RideSummary.show(player, endsAtStop: getOff, session.printer)
        }
    }

    private func announce(_ schedule: RideSchedule, _ journey: Journey, _ printer: Printer) {
        let stop = (journey.stop?.name ?? "").printable
        let faster = speed > 1 ? ", \(speed) times faster" : ""
        printer.remark(
            "riding to \(stop): \(Wording.count(schedule.fixes.count, "position")) in "
                + "\(Wording.duration(schedule.length))\(faster) (journey \(journey.id))")
    }
}
