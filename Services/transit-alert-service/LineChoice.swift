import Dates
import Foundation
import Messages
import RideTracking
import TransitFeed

/// A line that the passenger may be riding: a pattern of the feed, with the times of one trip.
struct LineChoice: Hashable, Codable {
    /// The number of the pattern in the feed file.
    let pattern: Int
    /// The short name of its route.
    let route: String
    /// The index of the trip, among those of the pattern, whose times are used; nil when there is
    /// none.
    let trip: Int?
    /// When that trip's service day begins, in milliseconds since 1970; nil when the trip is only
    /// typical, so that only the times between its stops count.
    let serviceDay: Int64?
    /// True for a line that doesn't run at the hour, offered beside those that do; nil otherwise.
    var isUnlikely: Bool?

    /// The id of the line in the ride.
    var id: String { "\(pattern)" }
}

/// The lines that a passenger may be riding.
struct LineOffer {
    /// The lines.
    let choices: [LineChoice]
    /// True if none of them runs at the hour: the times are those of a usual trip.
    let isTypical: Bool
}

extension FeedFile {
    /// The lines to a stop at a time: those of one trip or one route, or all. None if the stops
    /// have no timetable and no lines, or if there are too many. Lines that don't run then come
    /// last: a timetable may be wrong about a day, and without them a vehicle on one of them would
    /// seem to go elsewhere.
    ///
    /// - Throws: `Refusal` when the stop, the route or the trip does not exist or does not go
    ///   there.
    func offer(for command: StartJourney, at time: Int64) throws -> LineOffer {
        if !command.tripId.isEmpty {
            return try offer(ofTrip: command, at: time)
        }
        let chosen = try patterns(
            serving: command.stopId, route: command.route, limit: Self.mostServings + 1)
        guard !chosen.isEmpty else { return try offerOfNoLine(command) }
        guard chosen.count <= Self.mostServings else {
            return LineOffer(choices: [], isTypical: false)
        }
        let running = try choices(of: chosen, runningAt: time)
        let seconds = try ServiceClock(timeZone).secondsOfDay(at: time)
        guard running.isEmpty else {
            let offer = Self.bounded(LineOffer(choices: running, isTypical: false), of: chosen)
            guard chosen.count <= Self.mostWithUnlikely else { return offer }
            let known = Set(running.map(\.pattern))
            let others = try chosen.filter { !known.contains($0.pattern) }.map {
                try usual($0, nearest: seconds, isUnlikely: true)
            }
            let all = Self.bounded(
                LineOffer(choices: running + others, isTypical: false), of: chosen)
            return all.choices.isEmpty ? offer : all
        }
        // The timetable has ended, or nothing runs at this hour: any of them may be late.
        let typical = try chosen.map { try usual($0, nearest: seconds, isUnlikely: nil) }
        return Self.bounded(
            LineOffer(choices: typical, isTypical: typical.contains { $0.trip != nil }), of: chosen)
    }

    /// A line with the trip that is nearest in the time of day, on whatever day it runs.
    private func usual(
        _ serving: Serving, nearest seconds: Int, isUnlikely: Bool?
    ) throws -> LineChoice {
        let times = try tripTimes(ofPattern: serving.pattern)
        let typical = times.indices.min {
            Self.distance(times[$0], seconds) < Self.distance(times[$1], seconds)
        }
        return LineChoice(
            pattern: serving.pattern, route: serving.route.name, trip: typical, serviceDay: nil,
            isUnlikely: isUnlikely)
    }

    /// The maximum number of lines of a ride, and the maximum size of their packed paths together
    /// in bytes, about a million points. Each position of a ride is searched for along all of them,
    /// which takes some milliseconds, so fewer of them count: see `JourneyWatch.affordable`.
    static let mostLines = 1_000
    static let mostBytes = 4 << 20
    /// The maximum number of lines to a stop if those that don't run at the hour are to count.
    static let mostWithUnlikely = 100
    /// The maximum number of lines to a stop whose times are read.
    static let mostServings = 10_000

    /// The offer, without lines if there are too many or they are too long. A ride without lines is
    /// judged by distance, and is alerted too early rather than too late.
    private static func bounded(_ offer: LineOffer, of servings: [Serving]) -> LineOffer {
        let wanted = Set(offer.choices.map(\.pattern))
        let bytes = servings.filter { wanted.contains($0.pattern) }.reduce(0) { $0 + $1.size }
        guard wanted.count <= mostLines, bytes <= mostBytes else {
            return LineOffer(choices: [], isTypical: false)
        }
        return offer
    }

    /// The offer for a stop to which no requested line goes.
    private func offerOfNoLine(_ command: StartJourney) throws -> LineOffer {
        if counts.trips == 0, command.route.isEmpty {
            return LineOffer(choices: [], isTypical: false)
        }
        let servings = try patterns(serving: command.stopId, limit: Self.mostServings)
        guard !servings.isEmpty else {
            throw Refusal.conflict("no trip of feed \(command.feed) calls at \(command.stopId)")
                .because(.stopUnserved, of: command.stopId, ["feed": command.feed])
        }
        let names = Set(servings.map(\.route.name)).sorted().prefix(20).joined(separator: ", ")
        throw Refusal.conflict(
            "route \(command.route) does not call at \(command.stopId); these do: \(names)")
    }

    /// How long before its departure and after its arrival a trip is offered: 90 minutes in
    /// milliseconds. Passengers wait for it, and it may be late.
    private static let slack: Int64 = 90 * 60 * 1000

    /// The patterns with a trip under way at a time or soon, each with the trip nearest in time.
    private func choices(
        of servings: [Serving], runningAt time: Int64
    ) throws -> [LineChoice] {
        let days = try days(around: time)
        return try servings.compactMap { serving in
            let times = try tripTimes(ofPattern: serving.pattern)
            return Self.nearest(of: Array(times.indices), in: times, to: time, on: days).map {
                LineChoice(
                    pattern: serving.pattern, route: serving.route.name, trip: $0, serviceDay: nil)
            }
        }
    }

    /// The service days around a time, with the calendars that run on them.
    private func days(around time: Int64) throws -> [(start: Int64, calendars: Set<Int>)] {
        try ServiceClock(timeZone).serviceDays(around: time).map {
            (start: $0.start, calendars: try calendars(activeOn: $0.day))
        }
    }

    /// The trip nearest in time, among some trips, that is under way or soon will be; nil if there
    /// is none.
    private static func nearest(
        of some: [Int], in times: [TripTimes], to time: Int64,
        on days: [(start: Int64, calendars: Set<Int>)]
    ) -> Int? {
        var nearest: (trip: Int, apart: Int64)?
        for number in some {
            for day in days where day.calendars.contains(times[number].calendar) {
                let apart = milliseconds(from: time, to: times[number], on: day.start)
                if apart <= slack, apart < nearest?.apart ?? .max { nearest = (number, apart) }
            }
        }
        return nearest?.trip
    }

    /// How long before its departure or after its arrival a time is; 0 while it is under way.
    private static func milliseconds(from time: Int64, to trip: TripTimes, on day: Int64) -> Int64 {
        let begin = day + trip.departure * 1000
        let end = day + trip.arrival * 1000
        return max(0, begin - time, time - end)
    }

    private func offer(ofTrip command: StartJourney, at time: Int64) throws -> LineOffer {
        guard let trip = try trip(command.tripId), let pattern = try pattern(numbered: trip.pattern)
        else {
            throw Refusal.notFound("feed \(command.feed) has no trip \(command.tripId)")
        }
        let call = try pattern.stops.lastIndex {
            try $0.id == command.stopId || station(of: $0) == command.stopId
        }
        guard let call else {
            throw Refusal.conflict("trip \(command.tripId) does not call at \(command.stopId)")
        }
        let trips = try trips(ofPattern: trip.pattern)
        let own = trips.firstIndex { $0.id == trip.id }
        let runs = trips.indices.filter { trips[$0].repeats == trip.id }
        guard let number = own, !runs.isEmpty else {
            let day = try serviceDay(of: trip, to: call, at: time)
            let choice = LineChoice(
                pattern: trip.pattern, route: pattern.route.name, trip: own, serviceDay: day)
            return LineOffer(choices: [choice], isTypical: day == nil)
        }
        // It leaves again and again, so that only the times between its stops are known: those of
        // the run nearest in time.
        let run = Self.nearest(
            of: [number] + runs, in: try tripTimes(ofPattern: trip.pattern), to: time,
            on: try days(around: time))
        let choice = LineChoice(
            pattern: trip.pattern, route: pattern.route.name, trip: run ?? number, serviceDay: nil)
        return LineOffer(choices: [choice], isTypical: run == nil)
    }

    /// How long before its departure a trip can be named for its times to count, and how long
    /// after its last arrival: 12 and 2 hours in milliseconds. Passengers may choose it in advance,
    /// and it may be late.
    private static let (tripAhead, tripLate): (Int64, Int64) = (12 * 3600 * 1000, 2 * 3600 * 1000)

    /// The start of the service day of the run of a trip that a passenger means at a time: the one
    /// that is under way to their stop, or else is nearest in time. If there are two, as of a train
    /// that takes longer than a day, it is the one that comes first, so that no alarm is too late.
    /// Nil when there is none, because the timetable is for another season: then only the times
    /// between the stops count.
    ///
    /// - Parameters:
    ///   - trip: the trip.
    ///   - call: its call at the passenger's stop.
    ///   - time: the time.
    func serviceDay(of trip: Trip, to call: Int, at time: Int64) throws -> Int64? {
        guard let first = trip.times.first, let last = trip.times.last,
            let calendar = try calendar(numbered: trip.calendar)
        else { return nil }
        let goal = trip.times.indices.contains(call) ? trip.times[call] : last
        func apart(_ start: Int64) -> Int64 {
            let (begin, end) = (Int64(first.departure) * 1000, Int64(goal.arrival) * 1000)
            return max(0, start + begin - time, time - start - end)
        }
        return try ServiceClock(timeZone)
            .serviceDays(around: time, back: Int(last.arrival) / 86_400 + 1)
            .filter { day in
                let begin = day.start + Int64(first.departure) * 1000 - Self.tripAhead
                let end = day.start + Int64(last.arrival) * 1000 + Self.tripLate
                return begin <= time && time <= end && calendar.isActive(on: day.day)
            }
            .map { $0.start }.min { apart($0) < apart($1) }
    }

    /// The distance of a trip from a time of day in seconds, around the clock.
    private static func distance(_ trip: TripTimes, _ seconds: Int) -> Int {
        let middle = Int(trip.departure + trip.arrival) / 2
        let apart = abs(middle - seconds) % 86_400
        return min(apart, 86_400 - apart)
    }

    /// The id of the station that a stop belongs to, if any.
    private func station(of stop: TransitFeed.Feed.Stop) throws -> String? {
        try stop.parent.flatMap { try self.stop(numbered: $0) }?.id
    }

    /// The line of a choice, by its timetable alone.
    func line(_ choice: LineChoice) throws -> Line {
        let bare = try bareLine(ofPattern: choice.pattern)
        return bare.line.paced(try pace(of: choice, on: bare, []))
    }

    /// The line of a pattern, without times.
    func bareLine(ofPattern number: Int) throws -> BareLine {
        guard let pattern = try pattern(numbered: number) else {
            throw Refusal.notFound("the feed has no pattern \(number)").because(.lineBroken)
        }
        let stops = try zip(pattern.calls, pattern.stops).map { call, stop in
            Line.Stop(
                id: stop.id, name: stop.name, station: try station(of: stop),
                along: call.alongMetres)
        }
        do {
            let line = try Line(
                id: "\(number)",
                path: pattern.polyline.points.map {
                    Position(latitude: $0.latitudeDegrees, longitude: $0.longitudeDegrees)
                },
                stops: stops, isStraight: pattern.shape == nil)
            return BareLine(line: line, timepoints: pattern.calls.map(\.isTimepoint))
        } catch { throw Refusal.unusable(error) }
    }

    /// The pace of a choice, on the line of its pattern and with what was learned about it from
    /// rides.
    func pace(of choice: LineChoice, on bare: BareLine, _ lessons: [Lesson?]) throws -> Pace {
        var timetable: Timetable?
        if let number = choice.trip, let trip = try trip(at: number, ofPattern: choice.pattern) {
            timetable = Timetable(
                calls: zip(bare.timepoints, trip.times).map { isTimepoint, time in
                    .init(
                        arrival: Int(time.arrival), departure: Int(time.departure),
                        isTimepoint: isTimepoint)
                },
                serviceDay: choice.serviceDay)
        }
        do { return try bare.line.makePace(by: timetable, lessons) } catch {
            throw Refusal.unusable(error)
        }
    }
}

/// The line of a pattern without times: what all its trips share.
struct BareLine: Sendable {
    let line: Line
    /// Whether vehicles wait at each stop for their departure time.
    let timepoints: [Bool]
}

extension Refusal {
    fileprivate static func unusable(_ error: Line.Unusable) -> Refusal {
        Refusal.conflict("the line can't be followed: \(error)").because(.lineBroken)
    }
}

/// Days and times of day in the zone of a feed.
struct ServiceClock {
    /// The maximum number of days before: some trains take a week.
    private static let mostBack = 8

    private let calendar: Foundation.Calendar

    init(_ timeZone: String) throws {
        guard let zone = TimeZone(identifier: timeZone) else {
            throw Refusal.unknownZone(timeZone)
        }
        var calendar = Foundation.Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        self.calendar = calendar
    }

    func secondsOfDay(at time: Int64) -> Int {
        let parts = calendar.dateComponents([.hour, .minute, .second], from: date(time))
        return (parts.hour ?? 0) * 3600 + (parts.minute ?? 0) * 60 + (parts.second ?? 0)
    }

    /// The service days that may have a trip under way at a time, in order: those that began some
    /// days before, today, and tomorrow. A service day begins at noon minus twelve hours (GTFS
    /// Schedule reference, field type Time).
    func serviceDays(around time: Int64, back: Int = 1) -> [(day: CivilDate, start: Int64)] {
        (-min(max(back, 1), Self.mostBack)...1).compactMap { offset in
            guard let date = calendar.date(byAdding: .day, value: offset, to: date(time)),
                let noon = calendar.date(bySettingHour: 12, minute: 0, second: 0, of: date)
            else { return nil }
            let parts = calendar.dateComponents([.year, .month, .day], from: noon)
            guard
                let day = CivilDate(
                    year: parts.year ?? 0, month: parts.month ?? 0, day: parts.day ?? 0)
            else { return nil }
            let start = Int64(noon.timeIntervalSince1970 * 1000) - 12 * 3600 * 1000
            return (day, start)
        }
    }

    private func date(_ time: Int64) -> Date {
        Date(timeIntervalSince1970: Double(time) / 1000)
    }
}
