import Foundation

/// One pattern of a line: the route of its vehicles, its stops in order, and their pace.
package struct Line: Hashable, Sendable {
    /// One call of the line at a stop; a loop calls at the same stop more than once.
    package struct Stop: Hashable, Sendable, Codable {
        package var id: String
        package var name: String
        /// The id of the station that it belongs to, if any: a ride may go to that.
        package var station: String?
        /// The distance from the start of the line, measured along it, in metres.
        package var along: Double

        package init(id: String, name: String, station: String? = nil, along: Double) {
            self.id = id
            self.name = name
            self.station = station
            self.along = along
        }
    }

    /// Why a line can't be followed; its text is a sentence for a person.
    package struct Unusable: Error, Hashable, CustomStringConvertible {
        package let description: String

        package init(description: String) {
            self.description = description
        }
    }

    package let id: String
    package let stops: [Stop]
    /// How long the line takes between its stops.
    package private(set) var pace: Pace
    let path: Path
    /// Whether its path only joins the stops, because the streets between them are unknown.
    package let isStraight: Bool
    /// Whether it doesn't run at the hour, by its timetable: a vehicle is on it only if it is on no
    /// line that does.
    package var isUnlikely = false

    /// The length in metres.
    package var length: Double { path.length }

    /// The number of points of its path, at least two.
    package var points: Int { path.count }

    /// About how much memory it takes, in bytes.
    package var size: Int { 24 * points + 400 * stops.count }

    /// Makes a line. One without a timetable runs at the speed of a typical city bus
    /// (`Rules.priorSpeed`). `isStraight` says that the path only joins the stops by straight
    /// lines.
    package init(
        id: String, path positions: [Position], stops: [Stop], timetable: Timetable? = nil,
        isStraight: Bool = false, lessons: [Lesson?] = []
    ) throws(Unusable) {
        guard let path = Path(positions, isStraight: isStraight) else {
            throw Unusable(description: "line \(id) has fewer than two different points on earth")
        }
        guard !stops.isEmpty else { throw Unusable(description: "line \(id) has no stops") }
        for (earlier, later) in zip(stops, stops.dropFirst()) where later.along < earlier.along {
            throw Unusable(
                description: "line \(id) runs backwards from stop \(earlier.id) "
                    + "to stop \(later.id): order the stops by their distance along the line")
        }
        guard stops.allSatisfy({ $0.along.isFinite }) else {
            throw Unusable(description: "line \(id) has a stop without a distance along the line")
        }
        self.id = id
        self.stops = stops
        self.path = path
        self.isStraight = isStraight
        pace = try Self.makePace(of: id, along: stops, by: timetable, lessons)
    }

    private static func makePace(
        of id: String, along stops: [Stop], by timetable: Timetable?, _ lessons: [Lesson?]
    ) throws(Unusable) -> Pace {
        if let timetable, timetable.calls.count != stops.count {
            throw Unusable(
                description: "line \(id) has \(stops.count) stops "
                    + "but times for \(timetable.calls.count)")
        }
        return Pace(alongs: stops.map(\.along), timetable: timetable).taught(lessons)
    }

    /// The pace that it would have with another timetable, and with what was learned from earlier
    /// rides.
    package func makePace(
        by timetable: Timetable?, _ lessons: [Lesson?]
    ) throws(Unusable) -> Pace {
        try Self.makePace(of: id, along: stops, by: timetable, lessons)
    }

    /// The same line at another pace.
    package func paced(_ pace: Pace) -> Line {
        var line = self
        line.pace = pace
        return line
    }

    /// The same line with what was learned from earlier rides, from each stop to the next.
    package func taught(_ lessons: [Lesson?]) -> Line {
        var line = self
        line.pace = pace.taught(lessons)
        return line
    }

    /// The position this many metres from the start of the line.
    package func position(at along: Double) -> Position {
        path.projection.position(path.point(at: along))
    }

    /// The calls of the line at a stop or, for a station, at one of its stops.
    func calls(at stop: String) -> [Int] {
        stops.indices.filter { stops[$0].id == stop || stops[$0].station == stop }
    }
}
