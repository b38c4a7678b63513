import Dates
import Foundation
import RideTracking
import TransitFeed

/// A city's timetable, and the lines that the service would offer to a passenger who is there.
final class TrialCity {
    let feed: TransitFeed.Feed
    private let calendar: Foundation.Calendar
    private var servings: [Int32: [Int]] = [:]
    private var trips: [String: Int] = [:]
    private var stops: [String: Int] = [:]
    private var days: [Int: (start: Int64, active: [Bool])] = [:]
    private var made: [[Int]: Line] = [:]
    /// What earlier rides have taught; nil for nothing.
    var lessons: TravelTimes? {
        didSet { made = [:] }
    }

    init(_ feed: TransitFeed.Feed) throws {
        self.feed = feed
        guard let zone = TimeZone(identifier: feed.timeZone) else {
            throw TrialFault(description: "unknown time zone \(feed.timeZone)")
        }
        var calendar = Foundation.Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        self.calendar = calendar
        for (number, pattern) in feed.patterns.enumerated() {
            for stop in Set(pattern.calls.map(\.stop)) {
                servings[stop, default: []].append(number)
            }
        }
        for (number, trip) in feed.trips.enumerated() { trips[trip.id] = number }
        for (number, stop) in feed.stops.enumerated() { stops[stop.id] = number }
    }

    func band(at time: Int64) -> TravelTimes.Band { .init(time, in: calendar.timeZone) }
    func trip(_ id: String) -> Int? { trips[id] }
    func pattern(ofTrip trip: Int) -> Int { Int(feed.trips[trip].pattern) }
    func route(ofPattern pattern: Int) -> String {
        feed.routes[feed.patterns[pattern].route].name
    }

    /// The line of a pattern with the times of one trip, of which only the times between stops
    /// matter.
    func line(_ pattern: Int, trip: Int, at time: Int64) throws -> Line {
        let band = band(at: time)
        let key = [pattern, trip, band.rawValue]
        if let line = made[key] { return line }
        let shape = feed.patterns[pattern]
        let times = feed.times(of: feed.trips[trip])
        let stops = shape.calls.map { call in
            let stop = feed.stops[Int(call.stop)]
            return Line.Stop(id: stop.id, name: stop.name, along: call.alongMetres)
        }
        let route = route(ofPattern: pattern)
        let line = try Line(
            id: "\(pattern)",
            path: feed.polylines[shape.polyline].points.map {
                Position(latitude: $0.latitudeDegrees, longitude: $0.longitudeDegrees)
            },
            stops: stops,
            timetable: Timetable(
                calls: zip(shape.calls, times).map {
                    .init(
                        arrival: Int($1.arrival), departure: Int($1.departure),
                        isTimepoint: $0.isTimepoint)
                }),
            isStraight: shape.shape == nil,
            lessons: lessons?.lessons(for: stops.map(\.id), of: route, in: band) ?? [])
        made[key] = line
        return line
    }

    /// The lines to a stop that run at a time, and then the others; only those of the route if it
    /// is known. The service does nearly the same: of the others it uses the trip that is nearest
    /// in the time of day, not the first, and it leaves them out if the stop has over 100 lines.
    func offer(to stop: String, route: String?, at time: Int64) throws -> [Line] {
        guard let number = stops[stop] else { return [] }
        let patterns = (servings[Int32(number)] ?? []).filter {
            route == nil || self.route(ofPattern: $0) == route
        }
        let running = patterns.compactMap { pattern in
            nearest(pattern, at: time).map { (pattern, $0) }
        }
        let known = Set(running.map(\.0))
        let others = try patterns.filter { !known.contains($0) }.map {
            var line = try line($0, trip: feed.patterns[$0].trips.lowerBound, at: time)
            line.isUnlikely = !running.isEmpty
            return line
        }
        return try running.map { try line($0.0, trip: $0.1, at: time) } + others
    }

    /// The patterns that run at a time.
    func running(at time: Int64) -> [(pattern: Int, trip: Int)] {
        feed.patterns.indices.compactMap { pattern in
            nearest(pattern, at: time).map { (pattern, $0) }
        }
    }

    private func nearest(_ pattern: Int, at time: Int64) -> Int? {
        let slack: Int64 = 90 * 60 * 1000
        var nearest: (trip: Int, apart: Int64)?
        for offset in [0, -1, 1] {
            guard let day = day(offset, from: time) else { continue }
            for number in feed.patterns[pattern].trips {
                let trip = feed.trips[number]
                guard day.active[Int(trip.calendar)] else { continue }
                let begin = day.start + Int64(trip.departure) * 1000
                let end = day.start + Int64(trip.arrival) * 1000
                let apart = max(0, begin - time, time - end)
                if apart <= slack, apart < nearest?.apart ?? .max { nearest = (number, apart) }
            }
        }
        return nearest?.trip
    }

    private func day(_ offset: Int, from time: Int64) -> (start: Int64, active: [Bool])? {
        let date = Date(timeIntervalSince1970: Double(time) / 1000)
        guard let moved = calendar.date(byAdding: .day, value: offset, to: date),
            let noon = calendar.date(bySettingHour: 12, minute: 0, second: 0, of: moved)
        else { return nil }
        let parts = calendar.dateComponents([.year, .month, .day], from: noon)
        guard
            let civil = CivilDate(
                year: parts.year ?? 0, month: parts.month ?? 0, day: parts.day ?? 0)
        else { return nil }
        if let known = days[civil.daysSince1970] { return known }
        let start = Int64(noon.timeIntervalSince1970 * 1000) - 12 * 3600 * 1000
        let day = (start, feed.calendars.map { $0.isActive(on: civil) })
        days[civil.daysSince1970] = day
        return day
    }
}

/// Why the trials can't run.
struct TrialFault: Error, CustomStringConvertible {
    let description: String
}
