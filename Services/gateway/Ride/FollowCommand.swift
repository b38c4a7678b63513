import ArgumentParser
import Bus
import Messages
import Terminal

/// `steward transit follow`
struct FollowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow",
        abstract: "Follows the ride you are on, and alerts you before your stop.",
        discussion: """
            Positions come from gpsd, or from a satellite receiver that writes NMEA. With several \
            sources, the next one takes over when one is silent for ten seconds. Without any the \
            alarm goes on by estimate. Ctrl-C ends the ride.
            """)

    @OptionGroup var options: JourneyOptions
    @Option(
        name: .customLong("from"), parsing: .singleValue,
        help: ArgumentHelp(
            "gpsd, gpsd://HOST:PORT, nmea://HOST:PORT, nmea:/dev/LINE, or nmea:- for the standard "
                + "input; several, the best first.", valueName: "source"))
    var places: [LivePlace] = []
    @Option(help: "How many times faster than life the source is: for a trial with a simulator.")
    var speed: UInt32 = 1
    @Flag(help: "End the ride when it is time to get off.")
    var getOff = false

    func validate() throws {
        guard (1...4).contains(places.count) else {
            throw ValidationError("say where positions come from: one to four times --from")
        }
        guard (1...1000).contains(speed) else {
            throw ValidationError("--speed must be from 1 to 1000")
        }
    }

    func run() throws {
        let session = try Session()
        let client = try session.client(.transitAlert)
        let stop = try Destination.find(options.to, feed: options.feed, session)
        // Follow the feed before the journey begins, so that its first alert is not missed.
        let follower = try AlertFeed.Follower(session, isPatient: true)
        let now = WallClock.milliseconds()
        let clock = speed == 1 ? nil : JourneyClock(origin: now, speed: speed)
        let journey = try options.start(client, to: stop, clock: clock, session.printer)
        client.isPatient = true
        let printer = session.printer
        let ride = LiveRide(places, origin: now, speed: speed) { printer.remark("steward: \($0)") }
        let player = RidePlayer(
            client, follower, printer, ride, journey, endsAtStop: getOff, isJSON: options.json)
        if !options.json {
            let stop = (journey.stop?.name ?? "").printable
            printer.remark("riding to \(stop); ctrl-C ends the ride (journey \(journey.id))")
        }
        try options.play(player, client, keeps: false, printer) {}
    }
}
