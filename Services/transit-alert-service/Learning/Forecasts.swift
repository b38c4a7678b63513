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
        let forecast = try forecast(
            command, for: watch.journey.stop?.id ?? "",
            in: FeedShelf.shared.file(watch.file, in: transaction.dataDirectory),
            at: watch.journeyTime(at: transaction.now)
        ) { watch.ride?.call(on: $0) }
        let signals = watch.foresee(forecast, on: lines, at: transaction.now)
        return try JourneyHandling.settle(watch, signals: signals, in: transaction)
    }

    /// The forecast for the passenger's stop. If the trip calls there more than once, this is the
    /// one for the call to which the ride goes, or for the first call if that isn't known: an alarm
    /// may be too early, but not too late.
    ///
    /// - Parameters:
    ///   - received: what the agency predicts.
    ///   - stop: the id of the passenger's stop.
    ///   - file: the timetable.
    ///   - time: the present time of the journey.
    ///   - ahead: the call of a line, by its id, to which the ride goes; nil if that isn't known.
    static func forecast(
        _ received: RecordForecast, for stop: String, in file: FeedFile, at time: Int64,
        ahead: (String) -> Int?
    ) throws -> Forecast {
        guard !received.cancelled else {
            return Forecast(made: received.made, arrival: nil, isSkipped: true)
        }
        var command = received
        command.calls = try file.named(received.calls, of: received.tripId)
        let wanted = try file.stopIds(of: stop)
        let trip = try file.calls(of: command.tripId)
        let goal = trip.flatMap { $0.goal(at: wanted, ahead: ahead("\($0.trip.pattern)")) }
        let own: Int?
        if let trip, let goal {
            own = trip.update(of: goal, at: wanted, in: command.calls)
        } else {
            own = command.calls.firstIndex { wanted.contains($0.stopId) }
        }
        if let own, command.calls[own].skipped {
            return Forecast(made: command.made, arrival: nil, isSkipped: true)
        }
        if let own, let arrival = command.calls[own].arrival {
            return Forecast(made: command.made, arrival: arrival)
        }
        if let own, let departure = command.calls[own].departure {
            // The vehicle arrives before it leaves, and may wait.
            let stay = goal.flatMap { trip?.stay(at: $0) } ?? 0
            return Forecast(made: command.made, arrival: departure - stay)
        }
        // A delay at one call applies to those that follow.
        guard let trip, let goal, trip.trip.times.indices.contains(goal),
            let day = try file.serviceDay(of: trip.trip, to: goal, at: time),
            let delay = delay(command, at: own, before: goal, of: trip, on: day)
        else { return Forecast(made: command.made, arrival: nil) }
        let scheduled = day + Int64(trip.trip.times[goal].arrival) * 1000
        return Forecast(made: command.made, arrival: scheduled + delay)
    }

    /// The delay of a call in milliseconds, from the last call before it with a known delay or
    /// time.
    private static func delay(
        _ command: RecordForecast, at own: Int?, before goal: Int, of trip: TripCalls,
        on day: Int64
    ) -> Int64? {
        if let own, let delay = command.calls[own].delay { return bounded(delay) }
        for (call, place) in zip(command.calls, trip.places(of: command.calls)).reversed() {
            guard let place, place <= goal else { continue }
            if call.unknown { return nil }
            if call.skipped { continue }
            if let delay = call.delay ?? trip.delay(of: call, at: place, on: day) {
                return bounded(delay)
            }
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
    /// The calls of a trip with their stops. If the agency gives only the number of a call, its
    /// stop is the one with that number in the timetable. A call whose stop can't be found is left
    /// out.
    func named(_ calls: [ForecastCall], of trip: String) throws -> [ForecastCall] {
        guard calls.contains(where: \.stopId.isEmpty) else { return calls }
        let stops = try self.stops(of: trip)
        return calls.compactMap { call in
            guard call.stopId.isEmpty else { return call }
            guard let stop = call.sequence.flatMap({ stops[$0] }) else { return nil }
            var named = call
            named.stopId = stop
            return named
        }
    }

    /// The stops of a trip by the numbers of its calls; none if the trip isn't in the timetable, or
    /// the timetable was imported by an earlier version, which didn't keep the numbers.
    private func stops(of trip: String) throws -> [UInt32: String] {
        guard let trip = try calls(of: trip) else { return [:] }
        return trip.numbered.mapValues { trip.stops[$0] }
    }

    /// The calls of a trip; nil if it isn't in the timetable.
    func calls(of trip: String) throws -> TripCalls? {
        guard let trip = try self.trip(trip), let pattern = try pattern(numbered: trip.pattern),
            pattern.stops.count == pattern.calls.count
        else { return nil }
        return TripCalls(trip, stops: pattern.stops.map(\.id))
    }
}
