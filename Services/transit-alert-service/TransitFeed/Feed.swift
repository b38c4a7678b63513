/// A transit feed held in memory: what a GTFS archive says, checked, and its trips grouped.
///
/// Cross references are positions in the arrays (`Int32` where there are many of them). Ids are
/// kept byte for byte; every other text is in Unicode normal form C.
package struct Feed: Sendable {
    /// The agency's name; of several agencies, their names joined by a comma.
    package var name: String

    /// The IANA name of the zone all times are in, for example `America/New_York`.
    package var timeZone: String

    /// The stops, stations and their parts, in the order of `stops.txt`.
    package var stops: [Stop]

    /// The routes, in the order of `routes.txt`.
    package var routes: [Route]

    /// The services of `calendar.txt`, then those of `calendar_dates.txt` alone.
    package var calendars: [Calendar]

    /// The lines that patterns follow; several patterns may share one.
    package var polylines: [Polyline]

    /// The patterns, each with at least one trip.
    package var patterns: [Pattern]

    /// All usable trips, ordered by pattern and, within one, by departure.
    package var trips: [Trip]

    /// The different headsigns, to which trips and patterns refer.
    package var headsigns: [String]

    /// The times of all trips, packed one after the other; see ``PackedTimes``.
    package var packedTimes: [UInt8]

    /// What was read, and what of it was left out.
    package var counts: Counts

    /// A place on the earth, WGS 84, in units of 1e-7 degrees.
    package struct Position: Hashable, Sendable {
        /// North of the equator, in 1e-7 degrees.
        package var latitude: Int32

        /// East of Greenwich, in 1e-7 degrees.
        package var longitude: Int32

        /// A place from its coordinates in 1e-7 degrees.
        package init(latitude: Int32, longitude: Int32) {
            self.latitude = latitude
            self.longitude = longitude
        }

        /// The latitude in degrees.
        package var latitudeDegrees: Double { Double(latitude) / 1e7 }

        /// The longitude in degrees.
        package var longitudeDegrees: Double { Double(longitude) / 1e7 }
    }

    /// A place passengers know by name: a stop, a station, or a part of a station.
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

        /// The name; where the feed gives none, the code or else the id.
        package var name: String

        /// The short text on the stop's sign, where there is one.
        package var code: String?

        /// Whether it is a stop, a station or a part of one.
        package var kind: Kind

        /// Where it is.
        package var position: Position

        /// The station (or platform) it belongs to, a position in `Feed.stops`.
        package var parent: Int?

        /// A stop of these values; without more said, one at the roadside.
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

        /// GTFS's `route_type`: 3 is a bus; extended types (100 to 1799) are kept as they are.
        package var kind: Int

        /// Red, green and blue as 0xRRGGBB; `nil` when the feed gives none.
        package var colour: Int?

        /// A route of these values; without more said, a bus.
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
        /// The feed's `trip_id`.
        package var id: String

        /// A position in `Feed.patterns`.
        package var pattern: Int32

        /// A position in `Feed.calendars`.
        package var calendar: Int32

        /// A position in `Feed.headsigns`.
        package var headsign: Int32?

        /// Seconds after noon minus 12 h of the service day at which it leaves its first stop.
        package var departure: Int32

        /// The same for the arrival at its last stop; more than 86,400 is after midnight.
        package var arrival: Int32

        /// Where its times lie in `Feed.packedTimes`.
        package var times: Range<Int>
    }

    /// Rows read and rows left out.
    package struct Counts: Equatable, Sendable {
        /// Rows of `stop_times.txt`.
        package var stopTimes = 0

        /// Points of `shapes.txt`.
        package var shapePoints = 0

        /// Trips with fewer than two stops: nobody can ride them, so they are left out.
        package var unusableTrips = 0

        /// Nothing read yet.
        package init() {}
    }

    /// How far the reading or the writing of a feed has come.
    package struct Progress: Equatable, Sendable {
        /// The file being read or written.
        package var file: String

        /// Rows done in all files together.
        package var rows: Int

        /// What `rows` will be at the end, as estimated from the bytes still to come.
        package var estimatedRows: Int

        /// A progress of these values.
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

    /// The headsign of a trip, where it has one.
    package func headsign(of trip: Trip) -> String? {
        trip.headsign.map { headsigns[Int($0)] }
    }
}
