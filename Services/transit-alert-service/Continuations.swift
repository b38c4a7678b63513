import Messages
import RideTracking
import ServiceRuntime

/// A ride that continues after its stop was passed.
enum Continuations {
    static func goOn(
        _ command: ContinueJourney, in transaction: Transaction
    ) throws -> Journey {
        let owner = transaction.principal.account
        var watch: JourneyWatch
        if command.journeyId.isEmpty {
            guard
                let passed = try JourneyWatch.newest(
                    owner: owner, activeOnly: true, before: "", transaction.db
                ).first(where: { $0.journey.stage == .passed })
            else { throw Refusal.notFound("no journey under way has passed its stop") }
            watch = passed
        } else {
            watch = try JourneyWatch.required(command.journeyId, owner: owner, transaction.db)
        }
        guard watch.isActive else { throw Refusal.journeyEnded(watch.journey.id) }
        let lines = try JourneyHandling.lines(watch, in: transaction)
        let stop = try watch.goOn(
            to: command.stopId.isEmpty ? nil : command.stopId, on: lines, at: transaction.now)
        let file = try FeedShelf.shared.file(watch.file, in: transaction.dataDirectory)
        guard let known = try file.stop(stop.id) else {
            throw Refusal.unknownStop(stop.id, in: watch.journey.feed)
        }
        watch.journey.stop = try Messages.Stop(known, of: file, feed: watch.journey.feed)
        try transaction.withdrawAlerts(of: watch.journey.id)
        try transaction.setTimer(
            JourneyHandling.ending, subject: watch.journey.id,
            due: min(watch.journey.started, transaction.now) + JourneyWatch.longestJourney)
        try transaction.publish(
            JourneyAdvanced(
                journey: watch.journey.withoutProgress, at: watch.journeyTime(at: transaction.now)),
            subject: watch.journey.id)
        return try JourneyHandling.settle(watch, signals: [], in: transaction)
    }
}

extension JourneyWatch {
    /// Continues the ride to another stop.
    ///
    /// - Throws: a `Refusal` when the stop wasn't passed, or isn't ahead.
    fileprivate mutating func goOn(
        to stop: String?, on lines: [Line], at now: Int64
    ) throws -> Line.Stop {
        guard var ride else { throw Refusal.journeyEnded(journey.id) }
        let next: Line.Stop
        do { next = try ride.goOn(to: stop, on: lines) } catch {
            throw Refusal.conflict(error.description)
        }
        self.ride = ride
        (told, arrived) = (nil, nil)
        (journey.stage, journey.skipped) = (.riding, false)
        describe(at: now)
        return next
    }
}
