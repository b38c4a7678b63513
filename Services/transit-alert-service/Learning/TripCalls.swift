import Messages
import TransitFeed

/// The calls of a trip in the timetable. A loop calls at the same stop more than once.
struct TripCalls {
    let trip: FeedFile.Trip
    /// The ids of their stops, in order.
    let stops: [String]
    /// The places of the calls in the trip, from 0, by their numbers; empty in a file of an earlier
    /// version, which doesn't have the numbers.
    let numbered: [UInt32: Int]
    /// The places of the calls at each stop, in order.
    private let placesAt: [String: [Int]]

    init(_ trip: FeedFile.Trip, stops: [String]) {
        (self.trip, self.stops) = (trip, stops)
        let numbers = trip.sequences.flatMap {
            PackedSequences.unpack($0[...], count: stops.count)
        }
        numbered = Dictionary(
            zip(numbers ?? [], stops.indices), uniquingKeysWith: { first, _ in first })
        placesAt = Dictionary(grouping: stops.indices, by: { stops[$0] })
    }

    /// The place of the call at one of these stops to which a ride goes; nil if there is none.
    ///
    /// - Parameters:
    ///   - wanted: the ids of the stops.
    ///   - ahead: the call to which it goes by its positions; nil if that isn't known.
    func goal(at wanted: Set<String>, ahead: Int?) -> Int? {
        if let ahead, stops.indices.contains(ahead), wanted.contains(stops[ahead]) { return ahead }
        return stops.firstIndex { wanted.contains($0) }
    }

    /// The places in the trip of the calls of a forecast; nil for those that can't be found. Calls
    /// without a number are in the order of the trip. Each gets the last place that it can have,
    /// because an agency may leave out any call.
    func places(of calls: [ForecastCall]) -> [Int?] {
        var next = stops.count
        let found = calls.reversed().map { call -> Int? in
            let served = placesAt[call.stopId] ?? []
            let inOrder = served.last { $0 < next } ?? served.last
            guard let place = number(of: call) ?? inOrder else { return nil }
            next = min(next, place)
            return place
        }
        return found.reversed()
    }

    /// Which call of a forecast is about a place in the trip; nil if none is. One that may be about
    /// a later call doesn't count, because it may make the arrival too late.
    ///
    /// - Parameters:
    ///   - goal: the place.
    ///   - wanted: the stops at which the passenger may get off there.
    ///   - calls: the calls of the forecast.
    func update(of goal: Int, at wanted: Set<String>, in calls: [ForecastCall]) -> Int? {
        if let own = places(of: calls).firstIndex(of: goal) { return own }
        // The agency may name another platform of the station.
        let isLast = !stops.dropFirst(goal + 1).contains { wanted.contains($0) }
        guard isLast else { return nil }
        return calls.firstIndex { call in
            wanted.contains(call.stopId) && placesAt[call.stopId] == nil && number(of: call) == nil
        }
    }

    /// How long the vehicle stays at a call by the timetable, in milliseconds.
    func stay(at place: Int) -> Int64 {
        guard trip.times.indices.contains(place) else { return 0 }
        let times = trip.times[place]
        return Int64(max(0, times.departure - times.arrival)) * 1000
    }

    /// How much later than the timetable a call is by its predicted times, in milliseconds; nil if
    /// it has none.
    ///
    /// - Parameters:
    ///   - call: what is predicted.
    ///   - place: its place in the trip.
    ///   - day: when the service day begins, in milliseconds since 1970.
    func delay(of call: ForecastCall, at place: Int, on day: Int64) -> Int64? {
        guard trip.times.indices.contains(place) else { return nil }
        let times = trip.times[place]
        if let departure = call.departure { return departure - day - Int64(times.departure) * 1000 }
        return call.arrival.map { $0 - day - Int64(times.arrival) * 1000 }
    }

    /// The place of a call by its number in the trip; nil if it has none that counts: a number that
    /// the timetable gives to another stop of the trip does not.
    private func number(of call: ForecastCall) -> Int? {
        guard let place = call.sequence.flatMap({ numbered[$0] }),
            stops[place] == call.stopId || placesAt[call.stopId] == nil
        else { return nil }
        return place
    }
}
