import Messages
import RideTracking
import ServiceRuntime

/// Positions that are too old to count, because the clock of their device is wrong, or because they
/// have waited there.
enum OldPositions {
    static func report(
        _ command: ReportOldPositions, in transaction: Transaction
    ) throws -> Journey {
        var watch = try JourneyWatch.required(
            command.journeyId, owner: transaction.principal.account, transaction.db)
        guard watch.isActive else { throw Refusal.journeyEnded(watch.journey.id) }
        let signals = watch.noteOld(at: transaction.now)
        return try JourneyHandling.settle(watch, signals: signals, in: transaction)
    }
}

extension JourneyWatch {
    /// Notes that a device has sent a position that is too old to count.
    ///
    /// - Returns: the signals that it causes.
    mutating func noteOld(at now: Int64) -> [Timed] {
        // By the time of a last position that is later than now, no source would ever be silent.
        setBack(to: now, ifAfter: now + SourceClocks.tolerance)
        guard var ride else { return [] }
        let time = journeyTime(at: now)
        let signals = ride.noteOld(at: time).map { Timed(time, $0) }
        self.ride = ride
        describe(at: now)
        return signals
    }
}
