import Foundation
import RideEvaluation
import RideTracking
import TransitFeed

/// A recorded ride, what really happened, and the part of the data that it belongs to.
struct TrialRide {
    let ride: RecordedRide
    let route: String
    let pattern: Int
    /// Which part of the rides it belongs to. It is taught by the others.
    let fold: Int
    /// The number of these parts. With ten, a ride has as much history as one day of recordings
    /// can give: nine tenths of it.
    static let folds = 10
    /// True if constants were tuned on it.
    let isFitted: Bool
    /// When the ride began, in milliseconds since 1970.
    var start: Int64 { ride.trace.fixes.first?.time ?? 0 }
}

extension TrialCity {
    /// The rides that can be judged: those whose trip the timetable has.
    func rides(
        _ trips: [RecordedRides.Trip], most: Int = .max, isFitted: (_ route: String) -> Bool
    ) throws -> [TrialRide] {
        let known = trips.filter { trip($0.id) != nil && $0.trace.fixes.count > 10 }
        let step = known.count / most + 1
        return try known.enumerated().filter { $0.offset % step == 0 }.compactMap { _, recorded in
            guard let trip = trip(recorded.id), let first = recorded.trace.fixes.first else {
                return nil
            }
            let pattern = pattern(ofTrip: trip)
            let line = try line(pattern, trip: trip, at: first.time)
            let truth = Truth(of: recorded.trace, on: line)
            guard truth.times.count > 5 else { return nil }
            let route = route(ofPattern: pattern)
            return TrialRide(
                ride: RecordedRide(line: line, truth: truth, trace: recorded.trace),
                route: route, pattern: pattern,
                fold: Int(
                    truncatingIfNeeded: recorded.trace.name.utf8.reduce(UInt64(7)) {
                        ($0 &* 31 &+ UInt64($1)) >> 1
                    } % UInt64(TrialRide.folds)),
                isFitted: isFitted(route))
        }
    }
}

extension RecordedRides {
    /// The vehicle positions of Austin: vehicle, time, speed, route, trip, latitude, longitude,
    /// headsign.
    static func austin(_ file: URL) throws -> [Trip] {
        let unpacking = Process()
        unpacking.executableURL = URL(filePath: "/bin/gzip")
        unpacking.arguments = ["-dc", file.path]
        let output = Pipe()
        unpacking.standardOutput = output
        try unpacking.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        unpacking.waitUntilExit()
        var fixes: [String: [RideFix]] = [:]
        var ids: [String: String] = [:]
        let form = Date.ISO8601FormatStyle()
        for row in String(decoding: data, as: UTF8.self).split(separator: "\n").dropFirst() {
            let cells = row.split(separator: ",", omittingEmptySubsequences: false)
            guard cells.count >= 7, let north = Double(cells[5]), let east = Double(cells[6]),
                let date = try? form.parse(String(cells[1]))
            else { continue }
            let name = "\(cells[4])/\(cells[0])"
            ids[name] = String(cells[4])
            fixes[name, default: []].append(
                RideFix(
                    time: Int64(date.timeIntervalSince1970) * 1_000, latitude: north,
                    longitude: east))
        }
        return fixes.keys.sorted().map { name in
            Trip(
                id: ids[name] ?? name,
                trace: Trace(
                    name: name, fixes: (fixes[name] ?? []).sorted { $0.time < $1.time }),
                knowsTime: true)
        }
    }
}

extension TravelTimes {
    /// The standard deviation of the logarithm of what differs, between two days, in the time that
    /// the same ride takes from one stop to the next.
    private static let daily = 0.15

    /// What rides have taught on their day, or on several days that are like it: on each of the
    /// others, every ride takes other times from stop to stop.
    ///
    /// - Parameters:
    ///   - rides: the rides of a day.
    ///   - city: their city.
    ///   - days: how many days there are.
    ///   - seed: says what differs between the days.
    init(_ rides: [TrialRide], in city: TrialCity, days: Int = 1, seed: UInt64 = 1) {
        self.init()
        var random = Seeded(seed)
        for ride in rides {
            let (observed, band) = (ride.observations, city.band(at: ride.start))
            for day in 0..<days {
                let observations = observed.map { observation in
                    var other = observation
                    if day > 0 { other.seconds *= exp(Self.daily * random.normal()) }
                    return other
                }
                learn(
                    observations, along: ride.ride.line.stops.map(\.id), of: ride.route, in: band)
            }
        }
    }
}

extension TrialRide {
    /// What the service learns from the ride at its end.
    fileprivate var observations: [TravelTimes.Observation] {
        var passings = Passings()
        for (time, along) in zip(ride.truth.times, ride.truth.alongs) {
            passings.note(along, at: time, on: ride.line)
        }
        return passings.observations
    }
}
