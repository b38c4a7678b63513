import Foundation

/// How long a line takes from one stop to the next, as learned from earlier rides.
package struct Lesson: Hashable, Sendable, Codable {
    /// The mean time from the arrival at a stop to the arrival at the next one, in seconds.
    package var seconds: Double
    /// How many rides that mean counts as.
    package var rides: Double
    /// The mean time for which vehicles stand at the first of the two, in seconds; nil if unknown.
    package var dwell: Double?

    package init(seconds: Double, rides: Double, dwell: Double? = nil) {
        (self.seconds, self.rides, self.dwell) = (seconds, rides, dwell)
    }
}

/// The travel times of earlier rides by line, pair of stops and time of day. Only sums are kept:
/// neither who rode, nor when, nor where anybody was.
package struct TravelTimes: Hashable, Sendable {
    /// A time of day on a kind of day, in the zone of the timetable.
    package enum Band: Int, Hashable, Sendable, CaseIterable {
        case workdayNight, workdayMorning, workdayMidday, workdayAfternoon, workdayEvening
        case weekendNight, weekendMorning, weekendMidday, weekendAfternoon, weekendEvening

        /// The band of a time in milliseconds since 1970.
        package init(_ time: Int64, in zone: TimeZone) {
            let date = Date(timeIntervalSince1970: Double(time) / 1_000)
            let local = Double(time) / 1_000 + Double(zone.secondsFromGMT(for: date))
            let days = (local / 86_400).rounded(.down)
            let hour = Int((local - days * 86_400) / 3_600)
            // 1 January 1970 was a Thursday.
            let weekday = (Int(days.truncatingRemainder(dividingBy: 7)) + 7 + 3) % 7
            let part = [6, 10, 15, 19].count { hour >= $0 }
            self = Self(rawValue: part + (weekday >= 5 ? 5 : 0)) ?? .workdayMidday
        }
    }

    /// A line's stretch from one stop to the next.
    package struct Pair: Hashable, Sendable {
        package var route: String
        package var from: String
        package var to: String

        package init(route: String, from: String, to: String) {
            (self.route, self.from, self.to) = (route, from, to)
        }
    }

    /// One ride's time for a pair of stops, in seconds.
    package struct Observation: Hashable, Sendable, Codable {
        /// The index of the first stop among those of the line.
        package var call: Int
        package var seconds: Double
        /// How long the vehicle stood at the first stop; nil if positions were too far apart to
        /// tell.
        package var dwell: Double?
        /// When the vehicle reached the second stop, in milliseconds since 1970, in the time of the
        /// journey. Rides that began with an earlier version have none.
        package var time: Int64?

        package init(call: Int, seconds: Double, dwell: Double? = nil, time: Int64? = nil) {
            (self.call, self.seconds, self.dwell, self.time) = (call, seconds, dwell, time)
        }

        /// Whether the time is plausible for a line with these stops.
        package func isCredible(on stops: [String]) -> Bool {
            stops.indices.dropLast().contains(call) && TravelTimes.credible.contains(seconds)
        }
    }

    /// The times in seconds that may be learned from one ride for a pair of stops: a shorter one is
    /// a jump, and a longer one a driver's break or a breakdown.
    package static let credible = 5.0...1_800.0

    /// The sums of the times of a pair in one band.
    package struct Tally: Hashable, Sendable {
        package var rides: Double
        package var seconds: Double
        package var dwells: Double
        package var dwell: Double

        package init(
            rides: Double = 0, seconds: Double = 0, dwells: Double = 0, dwell: Double = 0
        ) {
            (self.rides, self.seconds, self.dwells, self.dwell) = (rides, seconds, dwells, dwell)
        }

        /// Adds a ride. Once it has many, the older ones count for less and less, so that it
        /// follows what changes.
        package mutating func add(_ observation: Observation) {
            if rides >= Rules.mostLessons {
                (rides, seconds) = (rides / 2, seconds / 2)
                (dwells, dwell) = (dwells / 2, dwell / 2)
            }
            rides += 1
            seconds += observation.seconds
            if let stood = observation.dwell { (dwells, dwell) = (dwells + 1, dwell + stood) }
        }

        static func + (one: Tally, other: Tally) -> Tally {
            Tally(
                rides: one.rides + other.rides, seconds: one.seconds + other.seconds,
                dwells: one.dwells + other.dwells, dwell: one.dwell + other.dwell)
        }
    }

    private var tallies: [Pair: [Band: Tally]] = [:]

    package init() {}

    /// Replaces what is known about a pair in a band.
    package mutating func set(_ tally: Tally, for pair: Pair, in band: Band) {
        tallies[pair, default: [:]][band] = tally
    }

    /// What is known about a pair in a band.
    package func tally(for pair: Pair, in band: Band) -> Tally {
        tallies[pair]?[band] ?? Tally()
    }

    /// Adds the times that a ride took along a line with these stops.
    package mutating func learn(
        _ observations: [Observation], along stops: [String], of route: String, in band: Band
    ) {
        for observation in observations where observation.isCredible(on: stops) {
            let pair = Pair(
                route: route, from: stops[observation.call], to: stops[observation.call + 1])
            tallies[pair, default: [:]][band, default: Tally()].add(observation)
        }
    }

    /// What is known about a line's stretches between its stops, at a time of day: its own times,
    /// and those of other times of day as a few rides. Nil where nothing is known.
    package func lessons(
        for stops: [String], of route: String, in band: Band
    ) -> [Lesson?] {
        zip(stops, stops.dropFirst()).map { from, to in
            guard let bands = tallies[Pair(route: route, from: from, to: to)] else { return nil }
            let own = bands[band] ?? Tally()
            let all = bands.values.reduce(Tally(), +)
            guard all.rides > 0 else { return nil }
            let others = all.rides - own.rides
            let share = others > 0 ? min(1, Rules.otherBands / others) : 0
            let rides = own.rides + share * others
            let seconds = own.seconds + share * (all.seconds - own.seconds)
            return Lesson(
                seconds: seconds / rides, rides: rides,
                dwell: all.dwells > 0 ? all.dwell / all.dwells : nil)
        }
    }
}

/// When a ride was at the stops of its line: what `TravelTimes` learns from. It is deleted with the
/// ride.
package struct Passings: Hashable, Sendable, Codable {
    private struct Place: Hashable, Sendable, Codable {
        var time: Int64
        var along: Double
    }

    private var line = ""
    private var last: Place?
    /// The stop that was passed last and when, in milliseconds since 1970.
    private var passed: Int?
    private var time: Int64 = 0
    /// How long the vehicle stood, and at which stop.
    private var stood = 0.0
    private var stoodAt: Int?
    /// Whether positions have come often enough since the last stop to know that.
    private var isClose = true
    /// The times between stops so far.
    package private(set) var observations: [TravelTimes.Observation] = []

    package init() {}

    /// The line that the observations are of.
    package var lineId: String { line }

    /// Adds a certain place of the vehicle on a line. Another line, a step back or a long silence
    /// starts over; earlier observations stay if they are of the same line.
    package mutating func note(_ along: Double, at now: Int64, on line: Line) {
        if line.id != self.line { self = Passings(on: line.id) }
        guard let last, now > last.time, along > last.along - Rules.branchSeparation,
            Double(now - last.time) <= Rules.longestLessonGap * 1_000
        else {
            (self.last, passed) = (Place(time: now, along: along), nil)
            return
        }
        // A vehicle that stands seems to move a little, back too.
        self.last = Place(time: now, along: max(along, last.along))
        let seconds = Double(now - last.time) / 1_000
        isClose = isClose && seconds <= Rules.longestDwellGap
        noteStanding(at: along, for: seconds, metres: along - last.along, on: line)
        guard along > last.along else { return }
        let first = line.stops.firstIndex { $0.along > last.along } ?? line.stops.count
        for call in first..<line.stops.count where line.stops[call].along <= along {
            let share = (line.stops[call].along - last.along) / (along - last.along)
            let arrival = last.time + Int64(share * Double(now - last.time))
            if let passed, passed + 1 == call, observations.count < Rules.mostObservations {
                observations.append(
                    TravelTimes.Observation(
                        call: passed, seconds: Double(arrival - time) / 1_000,
                        dwell: isClose ? (stoodAt == passed ? stood : 0) : nil, time: arrival))
            }
            (passed, time, isClose) = (call, arrival, seconds <= Rules.longestDwellGap)
        }
    }

    private mutating func noteStanding(
        at along: Double, for seconds: Double, metres: Double, on line: Line
    ) {
        guard metres <= Rules.standingSpeed * seconds,
            let stop = line.stops.firstIndex(where: {
                abs($0.along - along) <= Rules.atStop / 2
            })
        else { return }
        stood = (stoodAt == stop ? stood : 0) + seconds
        stoodAt = stop
    }

    private init(on line: String) { self.line = line }
}
