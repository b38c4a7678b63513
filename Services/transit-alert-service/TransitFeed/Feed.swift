/// A transit feed in memory: the validated contents of a GTFS archive, with its trips grouped.
///
/// Cross references are positions in the arrays (`Int32` where there are many). Ids are kept byte
/// for byte; every other text is in Unicode normal form C.
package struct Feed: Sendable {
    /// The agency's name; with several agencies, their names joined by commas.
    package var name: String

    /// The IANA name of the zone of all times, for example `America/New_York`.
    package var timeZone: String

    /// The stops, stations and their parts, in the order of `stops.txt`.
    package var stops: [Stop]

    /// The routes, in the order of `routes.txt`.
    package var routes: [Route]

    /// The services of `calendar.txt`, then those of `calendar_dates.txt` alone.
    package var calendars: [Calendar]

    /// The lines that patterns follow; several patterns may share one.
    package var polylines: [Polyline]

    /// The patterns, each with at least one trip, unless there is no timetable.
    package var patterns: [Pattern]

    /// All usable trips, ordered by pattern and, within one, by departure.
    package var trips: [Trip]

    /// The distinct headsigns of trips and patterns.
    package var headsigns: [String]

    /// The packed times of all trips, one after the other; see ``PackedTimes``.
    package var packedTimes: [UInt8]

    /// The numbers of rows that were read and left out.
    package var counts: Counts

    /// The distinct ways in which trips number their calls, each packed; see ``PackedSequences``.
    package var numberings: [[UInt8]] = [[]]

    /// A position on the earth, WGS 84, in units of 1e-7 degrees.
    package struct Position: Hashable, Sendable {
        /// North of the equator, in 1e-7 degrees.
        package var latitude: Int32

        /// East of Greenwich, in 1e-7 degrees.
        package var longitude: Int32

        /// Makes a position from coordinates in 1e-7 degrees.
        package init(latitude: Int32, longitude: Int32) {
            self.latitude = latitude
            self.longitude = longitude
        }

        /// The latitude in degrees.
        package var latitudeDegrees: Double { Double(latitude) / 1e7 }

        /// The longitude in degrees.
        package var longitudeDegrees: Double { Double(longitude) / 1e7 }
    }

    /// A place that passengers know by name: a stop, a station, or a part of a station.
    package struct Stop: Equatable, Sendable {
        /// The kinds of `location_type`, by GTFS's own numbers.
        package enum Kind: Int, Sendable {
            case stop = 0
            case station = 1
            case entrance = 2
            case node = 3
            case boardingArea = 4
        }

        /// The feed's `stop_id`.
        package var id: String

        /// The name; if the feed has none, the code or else the id.
        package var name: String

        /// The short text on the stop's sign, if there is one.
        package var code: String?

        /// Whether it is a stop, a station or a part of one.
        package var kind: Kind

        /// Its position.
        package var position: Position

        /// The station (or platform) that it belongs to, a position in `Feed.stops`.
        package var parent: Int?

        /// Makes a stop, by default one at the roadside.
        package init(
            id: String, name: String, code: String? = nil, kind: Kind = .stop,
            position: Position, parent: Int? = nil
        ) {
            self.id = id
            self.name = name
            self.code = code
            self.kind = kind
            self.position = position
            self.parent = parent
        }
    }

    /// A line as the public knows it.
    package struct Route: Equatable, Sendable {
        /// The feed's `route_id`.
        package var id: String

        /// The name on the vehicle, such as "7".
        package var shortName: String?

        /// The full name, such as "Alder to Cedar".
        package var longName: String?

        /// GTFS's `route_type`: 3 is a bus; extended types (100 to 1799) are kept unchanged.
        package var kind: Int

        /// Red, green and blue as 0xRRGGBB; `nil` when the feed has none.
        package var colour: Int?

        /// Makes a route, by default a bus.
        package init(
            id: String, shortName: String? = nil, longName: String? = nil, kind: Int = 3,
            colour: Int? = nil
        ) {
            self.id = id
            self.shortName = shortName
            self.longName = longName
            self.kind = kind
            self.colour = colour
        }

        /// The name to show: the short one, else the long one, else the id.
        package var name: String { shortName ?? longName ?? id }
    }

    /// One run of a vehicle along a pattern.
    package struct Trip: Sendable {
        /// The feed's `trip_id`; of a run that was added, see `Feed.runID(of:leaving:)`.
        package var id: String

        /// The id of the trip of `frequencies.txt` whose run it is; nil for a trip of the feed.
        package var repeats: String?

        /// A position in `Feed.patterns`.
        package var pattern: Int32

        /// A position in `Feed.calendars`.
        package var calendar: Int32

        /// A position in `Feed.headsigns`.
        package var headsign: Int32?

        /// When it leaves its first stop, in seconds after noon minus 12 h of the service day.
        package var departure: Int32

        /// The same for the arrival at its last stop; more than 86,400 is after midnight.
        package var arrival: Int32

        /// The range of its times in `Feed.packedTimes`.
        package var times: Range<Int>

        /// How it numbers its calls, a position in `Feed.numberings`.
        package var numbering: Int32
    }

    /// The numbers of rows read and left out.
    package struct Counts: Equatable, Sendable {
        /// Rows of `stop_times.txt`.
        package var stopTimes = 0

        /// Points of `shapes.txt`.
        package var shapePoints = 0

        /// Trips left out because they have fewer than two stops, so that nobody can ride them.
        package var unusableTrips = 0

        /// Trips that name a shape which the feed doesn't have: their line is straight from stop to
        /// stop.
        package var tripsWithoutShape = 0

        /// Makes counts of zero.
        package init() {}
    }

    /// The progress of reading or writing a feed.
    package struct Progress: Equatable, Sendable {
        /// The file being read or written.
        package var file: String

        /// The number of rows processed in all files together.
        package var rows: Int

        /// The expected total of `rows`, estimated from the remaining bytes.
        package var estimatedRows: Int

        /// Makes a progress.
        package init(file: String, rows: Int, estimatedRows: Int) {
            self.file = file
            self.rows = rows
            self.estimatedRows = estimatedRows
        }
    }

    /// The times of a trip, one for each stop of its pattern.
    package func times(of trip: Trip) -> [StopTime] {
        PackedTimes.unpack(packedTimes[trip.times]) ?? []
    }

    /// The headsign of a trip, if it has one.
    package func headsign(of trip: Trip) -> String? {
        trip.headsign.map { headsigns[Int($0)] }
    }
}
