import Bus
import Messages
import ShiftClient
import Speech
import Terminal

/// The legs of a ride: a journey to each stop where the passenger changes, and one to the last.
/// Each begins when the one before has come to its stop.
struct RideLegs {
    let session: Session
    let client: Client
    let follower: AlertFeed.Follower
    let options: JourneyOptions
    /// Where to get off, in order; never empty.
    let stops: [Stop]
    /// How many times faster than real time the ride is.
    let speed: UInt32
    /// True if someone is riding now.
    let isLive: Bool

    /// Rides them all.
    ///
    /// - Parameters:
    ///   - source: where the positions come from.
    ///   - endsAtStop: true to end the ride when it is time to get off at the last stop.
    ///   - keeps: true to leave the last journey under way.
    ///   - begin: called when the journey of the first leg has begun.
    ///   - summarize: prints the summary at the end of each leg.
    func ride(
        _ source: any FixSource, endsAtStop: Bool, keeps: Bool,
        begin: (RidePlayer) -> Void, summarize: (RidePlayer) -> Void
    ) throws {
        Printer.outlivesReaders = true
        // Validate the channels now: later nobody is there to correct a mistake, and the notifier
        // may be down.
        let channels = try options.chosenChannels(session)
        let siteClock = try session.siteClock
        var before: RidePlayer?
        var left: [Journey] = []
        for (number, stop) in stops.enumerated() {
            let isLast = number == stops.count - 1
            let start = before?.start ?? ContinuousClock.now
            let positions = before?.source ?? source
            let journey: Journey
            do {
                journey = try options.start(
                    client, to: stop, by: channels, clock: clock(positions, since: start),
                    with: before.map { _ in RideCourier(session, client) }, session)
            } catch {
                throw before == nil ? error : refused(stop, error)
            }
            client.isPatient = true
            let player = RidePlayer(
                session, client, follower, positions, journey, endsAtStop: isLast && endsAtStop,
                isChange: !isLast, isJSON: options.json, since: start, by: siteClock)
            player.left = left
            if before == nil { begin(player) } else if !options.json { announce(journey) }
            try options.play(
                player, client, keeps: isLast && keeps, isLive: isLive, session.printer
            ) { summarize(player) }
            guard !isLast, !Interruption.isWanted else { return }
            guard player.isAtChange else {
                throw Failure(
                    .refused,
                    "the positions ended before the change at \(stop.name.printable), so there is "
                        + "no alarm for what follows",
                    advice: "when you ride on, begin again with --to")
            }
            left = player.left + (player.isLeft ? [player.journey] : [])
            before = player
        }
    }

    /// The failure of a leg that can't begin at its change, for example because its timetable was
    /// removed meanwhile. The passenger may not be looking at the terminal.
    private func refused(_ stop: Stop, _ error: any Error) -> any Error {
        guard let failure = Failure(error), failure.status != .interrupted else { return error }
        session.printer.ring()
        return Failure(
            failure.status,
            "there is no alarm for the ride to \(stop.name.printable): \(failure.sentence)",
            advice: failure.advice)
    }

    /// The clock of a journey that begins now; nil for the wall clock.
    private func clock(
        _ source: any FixSource, since start: ContinuousClock.Instant
    ) -> JourneyClock? {
        guard !isLive || speed > 1 else { return nil }
        return JourneyClock(
            origin: source.time(after: ContinuousClock.now - start), speed: speed)
    }

    private func announce(_ journey: Journey) {
        let stop = (journey.stop?.name ?? "").printable
        session.printer.remark("changing; riding on to \(stop) (journey \(journey.id))")
    }
}
