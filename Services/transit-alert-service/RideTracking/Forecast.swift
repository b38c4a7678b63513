import Foundation

/// An agency's forecast for the ridden vehicle: when it arrives at the passenger's stop.
package struct Forecast: Hashable, Sendable, Codable {
    /// When it was made, in milliseconds since 1970.
    package var made: Int64
    /// The arrival in milliseconds since 1970; nil if nothing is known.
    package var arrival: Int64?
    /// True if the vehicle doesn't call at the stop.
    package var isSkipped: Bool

    package init(made: Int64, arrival: Int64?, isSkipped: Bool = false) {
        (self.made, self.arrival, self.isSkipped) = (made, arrival, isSkipped)
    }
}

extension Ride {
    /// Applies the agency's forecast. One older than the last changes nothing.
    ///
    /// - Returns: the signal that the vehicle won't stop, or that it will after all.
    package mutating func foresee(
        _ forecast: Forecast, at time: Int64, on lines: [Line]
    ) -> [Signal] {
        guard !isOver, forecast.made >= self.forecast?.made ?? .min,
            forecast.made <= time + Rules.forecastAhead
        else { return [] }
        self.forecast = forecast
        armByForecast(at: time, on: lines)
        // A feed that keeps changing its mind isn't passed on forever.
        if forecast.isSkipped, mayReport(.skipped) { return [give(.skipped)] }
        if !forecast.isSkipped, isReported(.skipped) { return [give(.servedAgain)] }
        return []
    }

    /// The call of a line to which the ride goes, as the place of its stop; nil if the vehicle
    /// isn't known to be on that line.
    package func call(on line: String) -> Int? {
        guard let estimate, candidates.indices.contains(estimate.line),
            candidates[estimate.line] == line
        else { return nil }
        return estimate.call
    }

    /// The forecast, if it is fresh enough to be believed: the seconds to the arrival.
    func foreseen(at time: Int64) -> Double? {
        guard let forecast, let arrival = forecast.arrival, !forecast.isSkipped,
            time - forecast.made <= Rules.forecastLife, arrival > time,
            arrival - time <= Int64(Rules.believedDelay * 2_000)
        else { return nil }
        return Double(arrival - time) / 1_000
    }

    /// A remaining time, refined by the agency's forecast. The forecast may always make the alarm
    /// earlier. It delays GET READY only up to the time at which the ride's own estimate, taken
    /// literally, leaves the notice, and makes the time to the stop at most a little longer: so a
    /// wrong forecast can't silence an alarm.
    func sharpened(_ own: Pace.Remaining, at time: Int64) -> Pace.Remaining {
        guard let seconds = foreseen(at: time) else { return own }
        let agency = Pace.cautious(seconds)
        var sharpened = own
        sharpened.typical = min((own.typical + seconds) / 2, own.typical + Rules.mostForecastDelay)
        sharpened.cautious =
            seconds < own.typical
            ? min(own.cautious, agency) : min(max(own.cautious, agency), own.typical)
        sharpened.patience = min(own.patience, Pace.patience(seconds))
        return sharpened
    }

    /// Sets the timers by a forecast. For a vehicle that was seen it only makes them earlier. One
    /// without any position is expected when the agency says, rather than when the timetable does.
    private mutating func armByForecast(at time: Int64, on lines: [Line]) {
        guard let seconds = foreseen(at: time) else { return }
        let cautious = Pace.cautious(seconds)
        let ready = time + Int64(max(0, cautious * 1_000 - Double(notice)))
        let now =
            time
            + Int64(
                max(0, nowWait(Pace.Remaining(typical: seconds, cautious: cautious))) * 1_000)
        guard lastFix == nil else {
            if let readyDue { self.readyDue = min(readyDue, ready) }
            if let nowDue { self.nowDue = min(nowDue, now) }
            return
        }
        (readyDue, nowDue) = (ready, now)
        guard let index = candidates.firstIndex(where: { id in lines.contains { $0.id == id } }),
            let line = lines.first(where: { $0.id == candidates[index] }),
            let call = line.calls(at: target).first
        else { return }
        estimate = Estimate(
            time: time, line: index, call: call, along: 0, metres: line.stops[call].along,
            typical: seconds)
    }
}
