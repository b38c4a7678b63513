import Messages

/// An agency's predictions for a trip, according to a GTFS-Realtime feed.
package enum TripReport {
    /// The most calls that are passed on.
    private static let mostCalls = 1_000
    /// `DUPLICATED`, as a `schedule_relationship`.
    private static let copied: Int32 = 6
    /// How long before its first call a run of a trip can be meant: 12 hours in milliseconds.
    private static let farthest: Int64 = 12 * 3_600_000

    /// The forecast of a trip in a packed feed, without the journey that it is for.
    ///
    /// - Throws: `VehicleReport.Lack` when the feed can't be read or doesn't have the trip.
    package static func forecast(
        of trip: String, in bytes: [UInt8]
    ) throws(VehicleReport.Lack) -> RecordForecast {
        let feed: VehicleFeed
        do throws(ProtobufError) {
            feed = try VehicleFeed(unpacking: bytes, limits: VehicleReport.limits)
        } catch {
            throw VehicleReport.Lack(
                description: "this isn't a GTFS-Realtime feed that can be read: \(error)")
        }
        let updates = feed.entity.filter { !$0.isDeleted }.compactMap(\.tripUpdate)
        guard !updates.isEmpty else {
            throw VehicleReport.Lack(description: "the feed has no forecasts now")
        }
        // What is said of a copy of the trip, at another time, names this one, too.
        let own = updates.filter {
            $0.trip?.tripId == trip && $0.trip?.scheduleRelationship != copied
        }
        guard let update = next(of: own, at: feed.header?.timestamp ?? 0) else {
            throw VehicleReport.Lack(
                description: "the feed doesn't have trip \(trip) now, of \(updates.count) trips")
        }
        guard
            let made = milliseconds(
                update.timestamp > 0 ? update.timestamp : feed.header?.timestamp ?? 0)
        else {
            throw VehicleReport.Lack(description: "the trip is in the feed without a time")
        }
        return RecordForecast(
            tripId: trip, made: made,
            calls: update.stopTimeUpdate.prefix(mostCalls).compactMap(call),
            delay: update.delay.map { Int64($0) * 1_000 },
            cancelled: [3, 7].contains(update.trip?.scheduleRelationship ?? 0))
    }

    /// The update that counts, of those of a trip: of several runs, as of today and tomorrow or
    /// every ten minutes, the one that is over first, but isn't yet. So no alarm is too late. If
    /// none has times for the next hours, the newest counts, if possible of those without times.
    private static func next(of updates: [TripUpdate], at feedTime: UInt64) -> TripUpdate? {
        func newest(_ updates: [TripUpdate]) -> TripUpdate? {
            updates.max { $0.timestamp < $1.timestamp }
        }
        let now = milliseconds(max(feedTime, newest(updates)?.timestamp ?? 0)) ?? 0
        let runs = updates.map { (update: $0, times: times(of: $0)) }
        let next = runs.filter { run in
            guard let begin = run.times.min(), let end = run.times.max() else { return false }
            return end >= now && begin - now <= farthest
        }.min { ($0.times.max() ?? 0) < ($1.times.max() ?? 0) }
        let untimed = runs.filter { $0.times.isEmpty }.map { $0.update }
        return next?.update ?? newest(untimed) ?? newest(updates)
    }

    /// The times that are predicted in an update, in milliseconds since 1970.
    private static func times(of update: TripUpdate) -> [Int64] {
        update.stopTimeUpdate.prefix(mostCalls).compactMap(call).flatMap {
            [$0.arrival, $0.departure].compactMap(\.self)
        }
    }

    private static func call(_ update: StopTimeUpdate) -> ForecastCall? {
        guard !update.stopId.isEmpty || update.stopSequence != nil else { return nil }
        let delay = update.arrival?.delay ?? update.departure?.delay
        return ForecastCall(
            stopId: update.stopId, arrival: update.arrival?.time.flatMap(time),
            departure: update.departure?.time.flatMap(time),
            delay: delay.map { Int64($0) * 1_000 }, skipped: update.scheduleRelationship == 1,
            unknown: update.scheduleRelationship == 2, sequence: update.stopSequence)
    }

    private static func time(_ seconds: Int64) -> Int64? {
        seconds > 0 ? milliseconds(UInt64(seconds)) : nil
    }

    /// A time from 1970 to 9999 in milliseconds; nil for any other.
    private static func milliseconds(_ seconds: UInt64) -> Int64? {
        (1...253_402_300_799).contains(seconds) ? Int64(seconds) * 1_000 : nil
    }
}
