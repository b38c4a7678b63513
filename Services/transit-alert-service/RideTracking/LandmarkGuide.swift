import Foundation

/// A landmark along a line.
package struct LandmarkOnLine: Hashable, Sendable {
    /// Its number, the same in each ride.
    package let number: Int64
    /// Where the vehicle passes it, in metres from the start of the line.
    package let along: Double
    /// Its distance from the line in metres.
    package let offset: Double
    /// Whether it is on the left of the line.
    package let isLeft: Bool
    /// What it is called, and about where it is: the same for several landmarks that are one thing,
    /// as a node and a building of a map are, and after another import. Empty if unknown.
    package var thing: String

    package init(number: Int64, along: Double, offset: Double, isLeft: Bool, thing: String = "") {
        (self.number, self.along, self.offset, self.isLeft) = (number, along, offset, isLeft)
        self.thing = thing
    }
}

extension Line {
    /// The maximum distance of a landmark from a line to be seen from the vehicle, in metres.
    package static let sight = 100.0

    /// Where vehicles of the line pass a landmark: more than once if the line comes back.
    package func passes(_ number: Int64, at position: Position) -> [LandmarkOnLine] {
        let point = path.projection.point(position)
        let feet = path.feet(
            of: point, in: 0...length, radius: Self.sight, separation: 2 * Self.sight)
        return feet.filter { $0.offset <= Self.sight }.map { foot in
            // The side follows from the line's course before and after.
            let before = path.point(at: max(0, foot.along - 5))
            let after = path.point(at: min(length, foot.along + 5))
            let turn =
                (after.x - before.x) * (point.y - before.y)
                - (after.y - before.y) * (point.x - before.x)
            return LandmarkOnLine(
                number: number, along: foot.along, offset: foot.offset, isLeft: turn > 0)
        }
    }

    /// The maximum number of positions of ``samples(every:)`` after the first. If a timetable has a
    /// stop at a wrong place, such as 0, 0, a line can be as long as the earth is around.
    package static let mostSamples = 20_000

    /// Positions at most this many metres apart along the line, from its start to its end, or until
    /// there are ``mostSamples`` of them.
    package func samples(every metres: Double) -> [Position] {
        let count = max(1, (length / metres).rounded(.up))
        let last = Int(min(count, Double(Self.mostSamples)))
        return (0...last).map { position(at: length * Double($0) / count) }
    }
}

/// Which landmark is announced to a passenger, and when: each at most once in a ride, some time
/// apart, and none while they should get ready.
package struct LandmarkGuide: Hashable, Sendable, Codable {
    /// How far ahead a landmark is announced, in seconds. Positions come up to half a minute apart,
    /// so the earliest time is well before the latest.
    static let notice = 10.0...75.0
    /// The minimum time between two announcements, in milliseconds.
    static let pause: Int64 = 45_000
    /// How long before GET READY is due announcements stop, in milliseconds.
    static let quietBefore: Int64 = 60_000

    /// The numbers of the announced landmarks, in order.
    package private(set) var told: [Int64] = []
    /// What the announced landmarks were; nil in a ride that began with an earlier version.
    private var things: [String]?
    var last: Int64?

    package init() {}

    /// The landmark to announce now, if any.
    ///
    /// - Parameters:
    ///   - ride: the ride, after its newest fix.
    ///   - time: the time of that fix, in milliseconds since 1970.
    ///   - line: the line that the vehicle is on.
    ///   - landmarks: those of the line that the passenger wants, ordered by their places.
    package mutating func next(
        on ride: Ride, at time: Int64, along line: Line, among landmarks: [LandmarkOnLine]
    ) -> LandmarkOnLine? {
        guard !ride.isOver, !ride.given.contains(.getReady), !ride.given.contains(.now),
            ride.line == line.id, let along = ride.along,
            last.map({ time - $0 >= Self.pause }) ?? true,
            ride.timerDue.map({ $0 - time > Self.quietBefore }) ?? true
        else { return nil }
        let next = landmarks.first { landmark in
            landmark.along > along && !isTold(landmark)
                && Self.notice.contains(line.pace.seconds(from: along, to: landmark.along))
        }
        guard let next else { return nil }
        told.append(next.number)
        if !next.thing.isEmpty { things = (things ?? []) + [next.thing] }
        last = time
        return next
    }

    private func isTold(_ landmark: LandmarkOnLine) -> Bool {
        told.contains(landmark.number)
            || !landmark.thing.isEmpty && things?.contains(landmark.thing) == true
    }
}
