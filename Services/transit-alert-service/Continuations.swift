import Messages
import RideTracking
import ServiceRuntime

/// A ride that continues: to another stop after its own was passed, or without further alerts.
enum Continuations {
    static func goOn(
        _ command: ContinueJourney, in transaction: Transaction
    ) throws -> Journey {
        var watch = try watch(command, in: transaction)
        guard watch.isActive else { throw Refusal.journeyEnded(watch.journey.id) }
        if command.withoutAlerts {
            guard command.stopId.isEmpty else {
                throw Refusal.invalid("a ride to a stop has an alarm; leave out the stop")
            }
            try watch.fallSilent(at: transaction.now)
        } else {
            try redirect(&watch, to: command.stopId, in: transaction)
        }
        try transaction.withdrawAlerts(of: watch.journey.id)
        let last = min(watch.journey.started, transaction.now) + JourneyWatch.longestJourney
        try transaction.setTimer(
            JourneyHandling.ending, subject: watch.journey.id,
            due: max(last, transaction.now + JourneyWatch.endingInterval))
        try transaction.publish(
            JourneyAdvanced(
                journey: watch.journey.withoutProgress, at: watch.journeyTime(at: transaction.now)),
            subject: watch.journey.id)
        return try JourneyHandling.settle(watch, signals: [], in: transaction)
    }

    /// The journey that the command names, or the newest that can continue. To continue without
    /// alerts, that is the newest of those told to get off, preferably one that isn't silent yet.
    private static func watch(
        _ command: ContinueJourney, in transaction: Transaction
    ) throws -> JourneyWatch {
        let owner = transaction.principal.account
        guard command.journeyId.isEmpty else {
            return try JourneyWatch.required(command.journeyId, owner: owner, transaction.db)
        }
        let underWay = try JourneyWatch.newest(
            owner: owner, activeOnly: true, before: "", transaction.db)
        guard command.withoutAlerts else {
            guard let passed = underWay.first(where: { $0.ride?.isOver == true }) else {
                throw Refusal.notFound("no journey under way has passed its stop")
            }
            return passed
        }
        let told = underWay.filter(\.hasToldToGetOff)
        // A journey that goes on without alerts has none.
        let ringing = try told.first {
            try !transaction.standingAlerts(of: $0.journey.id).isEmpty
        }
        guard let watch = ringing ?? told.first else {
            throw Refusal.notFound("no journey under way has told you to get off")
        }
        return watch
    }

    private static func redirect(
        _ watch: inout JourneyWatch, to stop: String, in transaction: Transaction
    ) throws {
        let lines = try JourneyHandling.lines(watch, in: transaction)
        let next = try watch.goOn(
            to: stop.isEmpty ? nil : stop, on: lines, at: transaction.now)
        let file = try FeedShelf.shared.file(watch.file, in: transaction.dataDirectory)
        guard let known = try file.stop(next.id) else {
            throw Refusal.unknownStop(next.id, in: watch.journey.feed)
        }
        watch.journey.stop = try Messages.Stop(known, of: file, feed: watch.journey.feed)
    }
}

extension JourneyWatch {
    fileprivate var hasToldToGetOff: Bool {
        journey.stage == .now || journey.stage == .passed
    }

    /// Continues the ride without further alerts. How far it is to its stop doesn't matter any
    /// more.
    ///
    /// - Throws: a `Refusal` when it isn't time to get off yet.
    fileprivate mutating func fallSilent(at now: Int64) throws {
        guard var ride else { throw Refusal.journeyEnded(journey.id) }
        do { try ride.fallSilent() } catch { throw Refusal.cannotContinue(error.description) }
        self.ride = ride
        journey.silent = true
        (journey.remaining, journey.metres, journey.estimated) = (nil, nil, false)
        describe(at: now)
    }

    /// Continues the ride to another stop.
    ///
    /// - Throws: a `Refusal` when the stop wasn't passed, or isn't ahead.
    fileprivate mutating func goOn(
        to stop: String?, on lines: [Line], at now: Int64
    ) throws -> Line.Stop {
        guard var ride else { throw Refusal.journeyEnded(journey.id) }
        let next: Line.Stop
        do { next = try ride.goOn(to: stop, on: lines) } catch {
            throw Refusal.cannotContinue(error.description)
        }
        self.ride = ride
        (told, arrived) = (nil, nil)
        (journey.stage, journey.skipped, journey.silent) = (.riding, false, false)
        (journey.next, journey.back) = (nil, nil)
        describe(at: now)
        return next
    }
}

extension Refusal {
    /// A journey can't continue as it was asked to, for a reason.
    fileprivate static func cannotContinue(_ why: String) -> Refusal {
        Refusal.conflict(why).because(.journeyOnward)
    }
}
