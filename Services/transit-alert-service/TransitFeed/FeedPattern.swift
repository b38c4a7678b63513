extension Feed {
    /// The trips of one route with the same stops in the same order along the same line.
    package struct Pattern: Equatable, Sendable {
        /// A position in `Feed.routes`.
        package var route: Int

        /// GTFS's `direction_id`, 0 or 1, if given.
        package var direction: Int?

        /// The headsign of most of its trips, a position in `Feed.headsigns`.
        package var headsign: Int32?

        /// The feed's `shape_id`; `nil` when the line consists of straight lines between stops.
        package var shape: String?

        /// A position in `Feed.polylines`.
        package var polyline: Int

        /// Its stops in order, at least two.
        package var calls: [Call]

        /// Its trips, positions in `Feed.trips`, ordered by departure; none if there is no
        /// timetable.
        package var trips: Range<Int>
    }

    /// One stop in a pattern.
    package struct Call: Hashable, Sendable {
        /// A position in `Feed.stops`.
        package var stop: Int32

        /// Centimetres along the pattern's polyline; never less than the call before.
        package var along: Int32

        /// How passengers board here.
        package var pickup: Boarding

        /// How passengers alight here.
        package var dropOff: Boarding

        /// Whether vehicles wait here for their departure time: GTFS's `timepoint`. False if it is
        /// set at all stops of the pattern, because then it means nothing.
        package var isTimepoint: Bool

        /// Makes a call, by default one where everyone may board and alight.
        package init(
            stop: Int32, along: Int32, pickup: Boarding = .regular, dropOff: Boarding = .regular,
            isTimepoint: Bool = false
        ) {
            self.stop = stop
            self.along = along
            self.pickup = pickup
            self.dropOff = dropOff
            self.isTimepoint = isTimepoint
        }

        /// Metres along the pattern's polyline.
        package var alongMetres: Double { Double(along) / 100 }
    }

    /// How passengers board or alight at a stop: GTFS's `pickup_type` and `drop_off_type`, same
    /// numbers.
    package enum Boarding: UInt8, Sendable {
        case regular = 0
        case none = 1
        case byPhone = 2
        case byDriver = 3
    }
}

/// The times of a trip at one stop, in seconds after noon minus 12 h of its service day.
///
/// That is midnight except on the days the clocks change; more than 86,400 is after midnight.
package struct StopTime: Hashable, Sendable {
    /// When it arrives.
    package var arrival: Int32

    /// When it leaves; never before the arrival.
    package var departure: Int32

    /// Makes the times at a stop, in seconds.
    package init(arrival: Int32, departure: Int32) {
        self.arrival = arrival
        self.departure = departure
    }
}
