/// Groups trips into patterns as their times arrive, and packs the times.
struct PatternBuilder {
    private let source: FeedReader
    private var patterns: [Feed.Pattern] = []
    private var keys = IdTable()
    private var polylines: [Feed.Polyline] = []
    private var polylineOfShape: [Int32: Int] = [:]
    private var matchings: [Int32: StopMatching] = [:]
    private var trips: [Feed.Trip] = []
    private var rowOfTrip: [Int32] = []
    private var packedTimes: [UInt8] = []
    private var numberings: [[UInt8]] = [[]]
    private var numberingOf: [[UInt8]: Int32] = [[]: 0]
    private var key: [UInt8] = []

    /// Beyond this number of trips no further runs are added.
    private static let mostWithRuns = 2_000_000

    init(reader: FeedReader) {
        source = reader
    }

    /// Adds a trip with all its rows, in any order.
    ///
    /// - Throws: the first error in its sequence or its times.
    mutating func add(_ trip: Int, _ rows: inout [StopTimeRow]) throws(FeedError) {
        if zip(rows, rows.dropFirst()).contains(where: { $0.sequence >= $1.sequence }) {
            rows.sort { ($0.sequence, $0.line) < ($1.sequence, $1.line) }
        }
        for (before, row) in zip(rows, rows.dropFirst()) where before.sequence == row.sequence {
            throw refusal(
                row, "stop_sequence", "\(row.sequence) occurs twice in trip “\(id(trip))”",
                cure: "number the stops of a trip in their order")
        }
        let isComplete = try checkTimes(trip, rows)
        guard rows.count > 1 else { return }
        let pattern = self.pattern(trip, rows)
        if !isComplete { interpolate(&rows, patterns[pattern].calls) }
        let start = packedTimes.count
        PackedTimes.pack(
            rows.lazy.map { StopTime(arrival: $0.arrival, departure: $0.departure) },
            into: &packedTimes)
        let numbering = self.numbering(PackedSequences.pack(rows.lazy.map(\.sequence)))
        let row = source.trips[trip]
        rowOfTrip.append(Int32(trip))
        trips.append(
            Feed.Trip(
                id: row.id, pattern: Int32(pattern), calendar: row.calendar,
                headsign: row.headsign < 0 ? nil : row.headsign, departure: rows[0].departure,
                arrival: rows[rows.count - 1].arrival, times: start..<packedTimes.count,
                numbering: numbering))
    }

    /// The position of packed numbers of calls in `numberings`.
    private mutating func numbering(_ packed: [UInt8]) -> Int32 {
        if let known = numberingOf[packed] { return known }
        let next = Int32(numberings.count)
        numberings.append(packed)
        numberingOf[packed] = next
        return next
    }

    /// Removes trips, given by their rows in `trips.txt`.
    mutating func remove(_ isRemoved: [Bool]) {
        let kept = trips.indices.filter { !isRemoved[Int(rowOfTrip[$0])] }
        trips = kept.map { trips[$0] }
        rowOfTrip = kept.map { rowOfTrip[$0] }
    }

    /// The feed, after all trips were added.
    func feed(_ read: Feed.Counts) -> Feed {
        var counts = read
        counts.unusableTrips = source.trips.count - trips.count
        var feed = Feed(
            name: source.name, timeZone: source.timeZone, stops: source.stops,
            routes: source.routes, calendars: source.calendars, polylines: polylines,
            patterns: patterns, trips: trips, headsigns: source.headsigns,
            packedTimes: packedTimes, counts: counts, numberings: numberings)
        if !source.frequencies.isEmpty { addRuns(to: &feed) }
        feed.trips.sort {
            ($0.pattern, $0.departure, $0.id) < ($1.pattern, $1.departure, $1.id)
        }
        assignTrips(&feed)
        return feed
    }

    /// Gives repeated trips the time of their first run, and adds the other runs as trips of their
    /// own.
    private func addRuns(to feed: inout Feed) {
        for index in trips.indices where feed.trips.count < Self.mostWithRuns {
            let departures = source.departures(of: Int(rowOfTrip[index]))
            guard let first = departures.first else { continue }
            let times = feed.times(of: trips[index])
            feed.trips[index] = run(of: trips[index], times, at: first, in: &feed)
            for departure in departures.dropFirst() {
                var id = Feed.runID(of: trips[index].id, leaving: departure)
                // The feed may have a trip of this name.
                while source.tripIds.index(of: Array(id.utf8).span) != nil { id += "@" }
                var next = run(of: trips[index], times, at: departure, in: &feed)
                (next.id, next.repeats) = (id, trips[index].id)
                feed.trips.append(next)
            }
        }
    }

    /// A run of a trip that leaves its first stop at another time than its own.
    private func run(
        of trip: Feed.Trip, _ times: [StopTime], at departure: Int32, in feed: inout Feed
    ) -> Feed.Trip {
        let shift = departure - trip.departure
        let start = feed.packedTimes.count
        PackedTimes.pack(
            times.map {
                StopTime(arrival: max(0, $0.arrival + shift), departure: $0.departure + shift)
            }, into: &feed.packedTimes)
        var run = trip
        (run.departure, run.arrival) = (departure, trip.arrival + shift)
        run.times = start..<feed.packedTimes.count
        return run
    }

    /// Sets the trips and the headsign of each pattern, and drops patterns without a trip, which
    /// result from the first part of a scattered trip.
    private func assignTrips(_ feed: inout Feed) {
        var patterns: [Feed.Pattern] = []
        var polylines: [Feed.Polyline] = []
        var placeOf: [Int: Int] = [:]
        var first = 0
        while first < feed.trips.count {
            let number = feed.trips[first].pattern
            var votes: [Int32: Int] = [:]
            var next = first
            while next < feed.trips.count, feed.trips[next].pattern == number {
                if let headsign = feed.trips[next].headsign { votes[headsign, default: 0] += 1 }
                feed.trips[next].pattern = Int32(patterns.count)
                next += 1
            }
            var pattern = feed.patterns[Int(number)]
            pattern.trips = first..<next
            pattern.headsign = votes.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
            let place = placeOf[pattern.polyline] ?? polylines.count
            if place == polylines.count { polylines.append(feed.polylines[pattern.polyline]) }
            placeOf[pattern.polyline] = place
            pattern.polyline = place
            patterns.append(pattern)
            first = next
        }
        feed.patterns = patterns
        feed.polylines = polylines
    }

    /// Validates that the times do not decrease; `false` when some are missing.
    private func checkTimes(_ trip: Int, _ rows: [StopTimeRow]) throws(FeedError) -> Bool {
        var isComplete = true
        var last: Int32 = 0
        for row in rows {
            guard row.arrival >= 0 else {
                isComplete = false
                continue
            }
            guard row.arrival >= last else {
                throw refusal(
                    row, "arrival_time",
                    "\(Self.clock(row.arrival)) is before \(Self.clock(last)) at the stop before",
                    cure: "keep counting after midnight: 24:05:00 and so on")
            }
            guard row.departure >= row.arrival else {
                throw refusal(
                    row, "departure_time",
                    "\(Self.clock(row.departure)) is before the arrival at "
                        + Self.clock(row.arrival),
                    cure: "correct one of them")
            }
            last = row.departure
        }
        for row in [rows.first, rows.last] {
            guard let row, row.arrival < 0 else { continue }
            throw refusal(
                row, "arrival_time", "is empty at an end of trip “\(id(trip))”",
                cure: "give the times of the first and the last stop; GTFS requires it")
        }
        return isComplete
    }

    /// The pattern of a trip, made if it is the first of its kind.
    private mutating func pattern(_ trip: Int, _ rows: [StopTimeRow]) -> Int {
        let row = source.trips[trip]
        key.removeAll(keepingCapacity: true)
        append(row.route)
        append(row.shape)
        key.append(UInt8(bitPattern: row.direction))
        for row in rows {
            append(row.stop)
            key.append(row.boarding)
        }
        let key = self.key
        let (index, isNew) = keys.insert(key.span)
        if !isNew { return index }
        let stops = rows.map { source.stops[Int($0.stop)].position }
        let (polyline, along, isShape) = place(stops, row.shape, rows)
        // Where all are marked, the mark only says that the times are exact.
        let isMarked = rows.contains { !$0.isTimepoint }
        patterns.append(
            Feed.Pattern(
                route: Int(row.route), direction: row.direction < 0 ? nil : Int(row.direction),
                headsign: nil, shape: isShape ? source.shapes[Int(row.shape)].id : nil,
                polyline: polyline,
                calls: zip(rows, along).map { row, metres in
                    Feed.Call(
                        stop: row.stop, along: centimetres(metres),
                        pickup: Feed.Boarding(rawValue: row.boarding & 0xF) ?? .regular,
                        dropOff: Feed.Boarding(rawValue: row.boarding >> 4) ?? .regular,
                        isTimepoint: isMarked && row.isTimepoint)
                },
                trips: 0..<0))
        return index
    }

    private mutating func append(_ number: Int32) {
        for shift in stride(from: 0, to: 32, by: 8) {
            key.append(UInt8(truncatingIfNeeded: number >> Int32(shift)))
        }
    }

    /// The line of a new pattern, and the positions of its stops along it.
    ///
    /// A shape more than a kilometre from one of the stops belongs to another trip and is not used.
    private mutating func place(
        _ stops: [Feed.Position], _ shape: Int32, _ rows: [StopTimeRow]
    ) -> (polyline: Int, along: [Double], isShape: Bool) {
        if shape >= 0, source.shapes[Int(shape)].line.points.count > 1 {
            let source = source.shapes[Int(shape)]
            let matching = matchings[shape] ?? StopMatching(source.line)
            matchings[shape] = matching
            let stated = rows.compactMap { $0.stated >= 0 ? Double($0.stated) : nil }
            let found =
                matching.match(stops, stated: stated, on: source.stated).map { ($0, 0.0) }
                ?? matching.match(stops)
            if found.1 <= 1000 {
                let polyline = polylineOfShape[shape] ?? polylines.count
                if polyline == polylines.count { polylines.append(source.line) }
                polylineOfShape[shape] = polyline
                return (polyline, found.0, true)
            }
        }
        let line = Feed.Polyline(stops)
        polylines.append(line)
        return (polylines.count - 1, line.distances, false)
    }

    /// Interpolates missing times in proportion to the distance between the stops that have one, as
    /// the GTFS reference says; where there is no distance, in equal steps.
    private func interpolate(_ rows: inout [StopTimeRow], _ calls: [Feed.Call]) {
        var known = 0
        for next in rows.indices.dropFirst() where rows[next].arrival >= 0 {
            let seconds = Double(rows[next].arrival - rows[known].departure)
            let distance = Double(calls[next].along) - Double(calls[known].along)
            for open in (known + 1)..<max(next, known + 1) {
                let part =
                    distance > 0
                    ? (Double(calls[open].along) - Double(calls[known].along)) / distance
                    : Double(open - known) / Double(next - known)
                rows[open].arrival =
                    rows[known].departure + Int32((seconds * part).rounded())
                rows[open].departure = rows[open].arrival
            }
            known = next
        }
    }

    private func id(_ trip: Int) -> String {
        source.trips[trip].id
    }

    private func refusal(
        _ row: StopTimeRow, _ column: String, _ reason: String, cure: String
    ) -> FeedError {
        FeedError(
            file: "stop_times.txt", line: Int(row.line), column: column, reason: reason,
            cure: cure)
    }

    /// Formats seconds as GTFS does.
    fileprivate static func clock(_ seconds: Int32) -> String {
        let parts = [seconds / 3600, seconds / 60 % 60, seconds % 60]
        return parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}

extension Feed {
    /// The id of a run that was added to a trip of `frequencies.txt`. If a trip of the feed has
    /// this id already, `@` signs are appended; so a run is recognised by `Trip.repeats`, not by
    /// its id.
    ///
    /// - Parameters:
    ///   - trip: the id of the trip.
    ///   - departure: when the run leaves its first stop, in seconds as `Trip.departure`.
    package static func runID(of trip: String, leaving departure: Int32) -> String {
        "\(trip)@\(PatternBuilder.clock(departure))"
    }
}
