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
        _ received: RecordForecast, of watch: JourneyWatch, in transaction: Transaction
    ) throws -> Forecast {
        let file = try FeedShelf.shared.file(watch.file, in: transaction.dataDirectory)
        var command = received
        command.calls = try file.named(received.calls, of: received.tripId)
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
    /// Calls of a trip with their stops: of one of which the agency says only the number, the stop
    /// that has this number in the timetable. A call whose stop can't be found is left out.
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
        guard let trip = try self.trip(trip), let packed = trip.sequences,
            let pattern = try pattern(numbered: trip.pattern),
            pattern.stops.count == pattern.calls.count,
            let numbers = PackedSequences.unpack(packed[...], count: pattern.stops.count)
        else { return [:] }
        return Dictionary(
            zip(numbers, pattern.stops.lazy.map(\.id)), uniquingKeysWith: { first, _ in first })
    }

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
