import Foundation
import Messages
import RideTracking
import ServiceRuntime

/// What the alarm learns from rides: how long their line takes from stop to stop.
enum Lessons {
    /// How long the lines in memory may lack what was learned since, in milliseconds: rebuilding
    /// them for every ride that ends would be too much work.
    private static let renewal: Int64 = 600_000

    /// Learns from a ride that ends, if its passenger wanted that when it began and still does: the
    /// times are added to sums, from which they can't be taken out again. Who rode and when isn't
    /// kept.
    static func learn(from watch: JourneyWatch, in transaction: Transaction) throws {
        guard let passings = watch.ride?.passings, !passings.observations.isEmpty,
            try Traveller.of(watch.journey.owner, transaction.db).teaches,
            let choice = watch.lines.first(where: { $0.id == passings.lineId }),
            try FeedRow.named(watch.journey.feed, transaction.db) != nil
        else { return }
        let file = try FeedShelf.shared.file(watch.file, in: transaction.dataDirectory)
        guard let pattern = try file.pattern(numbered: choice.pattern) else { return }
        let end = watch.journeyTime(at: transaction.now)
        for (band, observations) in byBand(passings.observations, end: end, in: try file.zone()) {
            try TravelTimeStore.learn(
                observations, along: pattern.stops.map(\.id), of: choice.route,
                feed: watch.journey.feed, in: band, at: transaction.now, transaction.db)
        }
    }

    /// The times that a ride took, by the time of day at which the vehicle was there: the passenger
    /// may end the journey hours later. A time for which that isn't known counts as one of the end.
    static func byBand(
        _ observations: [TravelTimes.Observation], end: Int64, in zone: TimeZone
    ) -> [(band: TravelTimes.Band, observations: [TravelTimes.Observation])] {
        Dictionary(grouping: observations) { TravelTimes.Band($0.time ?? end, in: zone) }
            .sorted { $0.key.rawValue < $1.key.rawValue }
            .map { ($0.key, $0.value) }
    }

    /// The lines of a journey, with what was learned from rides.
    static func lines(
        _ choices: [LineChoice], feed: String, file name: String, at time: Int64,
        in transaction: Transaction
    ) throws -> [Line] {
        let taught = try TravelTimeStore.lastTaught(feed, transaction.db)
        let file = try FeedShelf.shared.file(name, in: transaction.dataDirectory)
        let lesson = try taught.map {
            FeedShelf.Lesson(taught: $0 / renewal, band: try file.band(at: time))
        }
        return try FeedShelf.shared.lines(
            choices, of: name, in: transaction.dataDirectory, lesson
        ) { route, stops in
            guard let lesson else { return [] }
            return try TravelTimeStore.lessons(
                for: stops, of: route, feed: feed, in: lesson.band, transaction.db)
        }
    }
}

extension FeedFile {
    /// The time of day in the zone of the timetable.
    func band(at time: Int64) throws -> TravelTimes.Band {
        TravelTimes.Band(time, in: try zone())
    }

    /// The zone of the timetable.
    fileprivate func zone() throws -> TimeZone {
        guard let zone = TimeZone(identifier: timeZone) else {
            throw Refusal.unknownZone(timeZone)
        }
        return zone
    }
}
