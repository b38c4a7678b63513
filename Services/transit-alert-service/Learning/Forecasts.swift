import Foundation
import Messages
import RideTracking
import ServiceRuntime
import TransitFeed

/// An agency's forecasts for the trip that a passenger rides (GTFS-Realtime trip updates).
enum Forecasts {
    static func record(
        _ command: RecordForecast, in transaction: Transaction
    ) throws -> Journey {
        var watch = try JourneyWatch.required(
            command.journeyId, owner: transaction.principal.account, transaction.db)
        guard watch.isActive else { throw Refusal.journeyEnded(watch.journey.id) }
        guard command.made > 0, MessageTime.range.contains(command.made) else {
            throw Refusal.invalid("a forecast has the time at which it was made, from 1970 to 9999")
        }
        let lines = try JourneyHandling.lines(watch, in: transaction)
        let forecast = try forecast(command, of: watch, in: transaction)
        let signals = watch.foresee(forecast, on: lines, at: transaction.now)
        return try JourneyHandling.settle(watch, signals: signals, in: transaction)
    }

    /// The forecast for the passenger's stop.
    private static func forecast(
        _ command: RecordForecast, of watch: JourneyWatch, in transaction: Transaction
    ) throws -> Forecast {
        let file = try FeedShelf.shared.file(watch.file, in: transaction.dataDirectory)
        let wanted = try file.stopIds(of: watch.journey.stop?.id ?? "")
        guard !command.cancelled else {
            return Forecast(made: command.made, arrival: nil, isSkipped: true)
        }
        let at = command.calls.lastIndex { wanted.contains($0.stopId) }
        if let at, command.calls[at].skipped {
            return Forecast(made: command.made, arrival: nil, isSkipped: true)
        }
        if let at, let arrival = command.calls[at].arrival ?? command.calls[at].departure {
            return Forecast(made: command.made, arrival: arrival)
        }
        // A delay at one call applies to those that follow.
        let time = watch.journeyTime(at: transaction.now)
        guard
            let scheduled = try file.arrival(
                of: command.tripId, at: wanted, around: time),
            let delay = delay(command, before: scheduled.call, at, scheduled.stops)
        else { return Forecast(made: command.made, arrival: nil) }
        return Forecast(made: command.made, arrival: scheduled.time + delay)
    }

    /// The delay of a call in milliseconds, from the last call before it with a known delay.
    private static func delay(
        _ command: RecordForecast, before call: Int, _ own: Int?, _ stops: [String]
    ) -> Int64? {
        if let own, let delay = command.calls[own].delay { return bounded(delay) }
        let before = Set(stops.prefix(call + 1))
        for call in command.calls.reversed() where before.contains(call.stopId) {
            if call.unknown { return nil }
            if call.skipped { continue }
            if let delay = call.delay { return bounded(delay) }
        }
        return command.delay.flatMap(bounded)
    }

    /// A plausible delay: less than a day.
    private static func bounded(_ delay: Int64) -> Int64? {
        let day: Int64 = 24 * 3600 * 1000
        return (-day...day).contains(delay) ? delay : nil
    }
}

extension JourneyWatch {
    /// Applies an agency's forecast.
    ///
    /// - Returns: the signals that it causes.
    mutating func foresee(_ forecast: Forecast, on lines: [Line], at now: Int64) -> [Timed] {
        guard var ride else { return [] }
        let time = journeyTime(at: now)
        let signals = ride.foresee(forecast, at: time, on: lines).map { Timed(time, $0) }
        self.ride = ride
        reach(signals)
        describe(at: now)
        return signals
    }
}

extension FeedFile {
    /// When a trip arrives at one of these stops according to the timetable, the number of that
    /// call, and the stops of the trip; nil if the trip isn't in the timetable, doesn't call there,
    /// or doesn't run now.
    func arrival(
        of trip: String, at stops: Set<String>, around time: Int64
    ) throws -> (time: Int64, call: Int, stops: [String])? {
        guard let trip = try self.trip(trip), let pattern = try pattern(numbered: trip.pattern),
            let call = pattern.stops.lastIndex(where: { stops.contains($0.id) }),
            trip.times.indices.contains(call), let day = try serviceDay(of: trip, at: time)
        else { return nil }
        let arrival = day + Int64(trip.times[call].arrival) * 1000
        return (arrival, call, pattern.stops.map(\.id))
    }
}
