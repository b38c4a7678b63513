import Foundation

/// The scheduled times of one trip, or of a typical trip, at each stop of its line.
package struct Timetable: Hashable, Sendable, Codable {
    /// One call at a stop, in seconds since the start of the service day; may exceed 24 hours. A
    /// time that the feed omits is missing here too and is interpolated by distance.
    package struct Call: Hashable, Sendable, Codable {
        package var arrival: Int?
        package var departure: Int?
        /// Whether the vehicle waits here for its departure time (GTFS `timepoint`).
        package var isTimepoint: Bool

        package init(arrival: Int?, departure: Int?, isTimepoint: Bool = false) {
            self.arrival = arrival
            self.departure = departure
            self.isTimepoint = isTimepoint
        }
    }

    package var calls: [Call]
    /// When the service day starts, in milliseconds since 1970: noon minus twelve hours, in the
    /// zone of the agency (GTFS Schedule reference, field type Time). Set for the ridden trip; nil
    /// for a typical trip, for which only the times between stops count.
    package var serviceDay: Int64?

    package init(calls: [Call], serviceDay: Int64? = nil) {
        self.calls = calls
        self.serviceDay = serviceDay
    }
}
