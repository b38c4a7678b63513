import ArgumentParser
import Bus
import Messages
import Speech
import Terminal

/// `steward transit follow`
struct FollowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow",
        abstract: "Follows the ride you are on, and alerts you before your stop.",
        discussion: """
            Positions come from gpsd; from a satellite receiver that writes NMEA; from OwnTracks \
            on your telephone, by an MQTT broker; or from the vehicle itself, if its agency \
            publishes GTFS-Realtime. With several sources, the next one takes over when one is \
            silent: a receiver for 10 seconds, a telephone for 90, an agency for 120. Without any \
            the alarm goes on by estimate. Ctrl-C ends the ride; when the standard input ends or \
            the service doesn't answer, the journey stays under way until steward transit finish.

            With --via the command begins the next leg at each change, so keep it running: if it \
            is killed, the leg under way is still alerted by estimate, but no later one is.
            """)

    @OptionGroup var options: JourneyOptions
    @Option(
        name: .customLong("from"), parsing: .singleValue,
        help: ArgumentHelp(
            "gpsd, gpsd://HOST:PORT, nmea://HOST:PORT, nmea:/dev/LINE, nmea:- for the standard "
                + "input, mqtt://HOST/TOPIC or mqtts://HOST/TOPIC, vehicle:ID@URL or trip:ID@URL; "
                + "several, the best first.", valueName: "source"))
    var places: [LivePlace] = []
    @Option(
        help: ArgumentHelp(
            "A file with the log-in at the MQTT broker, USER:PASSWORD on one line.",
            valueName: "file"),
        completion: .file())
    var brokerLogIn: String?
    @Option(
        help: ArgumentHelp(
            "Where the agency publishes when trips arrive, as GTFS-Realtime: a URL or a file. Say "
                + "with --trip, or --from trip:…, which trip you ride.", valueName: "place"))
    var updates: UpdatesPlace?
    @Option(
        help: "How many times faster than real time the source is, for a trial with a simulator.")
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
        guard updates == nil || trip != nil else {
            throw ValidationError("say with --trip which trip --updates are about")
        }
    }

    func run() throws {
        let session = try Session()
        let places = try placesLoggedIn()
        let client = try session.client(.transitAlert)
        let stops = try options.stops(session)
        // Follow the feed before the journey begins, so that its first alert is not missed.
        let follower = try AlertFeed.Follower(session, isPatient: true, isFrugal: true)
        let now = WallClock.milliseconds()
        let printer = session.printer
        let ride = LiveRide(places, origin: now, speed: speed) { printer.remark("steward: \($0)") }
        let legs = RideLegs(
            session: session, client: client, follower: follower, options: options, stops: stops,
            speed: speed, isLive: true)
        let begin: (RidePlayer) -> Void = { player in
            if let updates, let trip {
                player.forecasts = TripForecasts(updates, trip: trip, speed: speed) {
                    printer.remark("steward: \($0)")
                }
            }
            guard !options.json else { return }
            let stop = (player.journey.stop?.name ?? "").printable
            printer.remark(
                "riding to \(stop); ctrl-C ends the ride (journey \(player.journey.id))")
            if stops.count > 1 {
                printer.remark(
                    "keep this command running: at each change it begins the next leg, which has "
                        + "no alarm before that")
            }
        }
        try legs.ride(ride, endsAtStop: getOff, keeps: false, begin: begin) { _ in }
    }

    /// The trip that is ridden, if given.
    private var trip: String? {
        options.trip
            ?? places.lazy.compactMap { place in
                guard case .vehicle(let vehicle) = place.kind, vehicle.kind == .trip else {
                    return nil
                }
                return vehicle.id
            }.first
    }

    /// The places; those that are MQTT brokers have the log-in.
    private func placesLoggedIn() throws -> [LivePlace] {
        guard let brokerLogIn else { return places }
        let line = try SecretFile.line(brokerLogIn, "log-in")
        guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else {
            throw Failure(.usage, "\(brokerLogIn) must have the log-in as USER:PASSWORD")
        }
        return places.map {
            $0.loggedIn(as: String(line[..<colon]), String(line[line.index(after: colon)...]))
        }
    }
}
