import Foundation
import RideTracking
import Testing

@Suite struct LineTests {
    @Test func `a degree has its length on the WGS 84 ellipsoid`() {
        // Snyder 1987, table of the lengths of a degree on the Clarke and WGS ellipsoids:
        // at 45° a degree of latitude is 111.132 km, one of longitude 78.847 km.
        let start = Position(latitude: 44.5, longitude: 7)
        let north = Position(latitude: 45.5, longitude: 7)
        let west = Position(latitude: 45, longitude: 7)
        let east = Position(latitude: 45, longitude: 8)

        #expect(abs(start.metres(to: north) - 111_132) < 5)
        #expect(abs(west.metres(to: east) - 78_847) < 5)
    }

    @Test func `a line across the date line is in one piece`() throws {
        let path = [179.99, -179.99].map { Position(latitude: -17, longitude: $0) }

        let line = try Line(id: "1", path: path, stops: [.init(id: "a", name: "A", along: 0)])

        #expect(abs(line.length - 2_129) < 3)
    }

    @Test func `a line takes as much memory as its points and its stops`() throws {
        let short = try Synthetic.line(spacing: 4_000)
        let winding = try Synthetic.line(
            corners: (0...10_000).map { (Double($0), Double($0 % 2)) }, spacing: 4_000)

        #expect(short.size < 4_000)
        #expect(winding.size > 24 * 10_000)
        #expect(try Synthetic.line(spacing: 4).size > 400 * 2_000)
    }

    @Test func `a line of one point is refused`() {
        let path = [Synthetic.origin, Synthetic.origin]

        #expect(
            throws: Line.Unusable(
                description: "line 7 has fewer than two different points on earth")
        ) {
            try Line(id: "7", path: path, stops: [.init(id: "a", name: "A", along: 0)])
        }
    }

    @Test func `a line whose stops run backwards is refused`() {
        let path = [Synthetic.origin, Synthetic.at(1_000, 0)]
        let stops = [800.0, 200].map { Line.Stop(id: "\($0)", name: "", along: $0) }

        #expect(throws: Line.Unusable.self) { try Line(id: "7", path: path, stops: stops) }
    }

    @Test func `a timetable for other stops is refused`() {
        let path = [Synthetic.origin, Synthetic.at(1_000, 0)]
        let table = Timetable(calls: [0, 9].map { .init(arrival: $0, departure: $0) })

        #expect(throws: Line.Unusable(description: "line 7 has 1 stops but times for 2")) {
            try Line(
                id: "7", path: path, stops: [.init(id: "a", name: "A", along: 0)],
                timetable: table)
        }
    }

    @Test func `missing times in a timetable are interpolated by distance`() throws {
        let path = [Synthetic.origin, Synthetic.at(1_000, 0)]
        let stops = [0.0, 400, 1_000].map { Line.Stop(id: "\($0)", name: "", along: $0) }
        let table = Timetable(calls: [
            .init(arrival: 0, departure: 0), .init(arrival: nil, departure: nil),
            .init(arrival: 200, departure: 200),
        ])

        let line = try Line(id: "7", path: path, stops: stops, timetable: table)

        #expect(abs(line.pace.seconds(from: 0, to: 400) - 80) < 0.001)
        #expect(abs(line.pace.seconds(from: 200, to: 700) - 100) < 0.001)
    }

    @Test func `neither stops with the same minute nor learned times slow a fast line down`()
        throws
    {
        let path = [Synthetic.origin, Synthetic.at(21_000, 0)]
        let stops = [0.0, 900, 9_000, 21_000].map { Line.Stop(id: "\($0)", name: "", along: $0) }
        // 12 km in 5 minutes are 144 km/h.
        let table = Timetable(calls: [0, 0, 240, 540].map { .init(arrival: $0, departure: $0) })
        let lessons = [Lesson?](repeating: Lesson(seconds: 300, rides: 10), count: 3)

        let line = try Line(id: "7", path: path, stops: stops, timetable: table)

        #expect(abs(line.pace.seconds(from: 0, to: 900) - 30) < 0.001)
        #expect(abs(line.pace.seconds(from: 0, to: 9_000) - 240) < 0.001)
        #expect(abs(line.pace.seconds(from: 0, to: 21_000) - 540) < 0.001)
        #expect(abs(line.taught(lessons).pace.seconds(from: 9_000, to: 21_000) - 300) < 0.001)
    }

    @Test func `the notice distance grows with the notice`() throws {
        let line = try Synthetic.line(corners: [(0, 0), (20_000, 0)])

        let distances = [1, 3, 5, 10, 30].map {
            line.pace.noticeDistance(to: 50, notice: Int64($0) * 60_000)
        }

        #expect(distances == distances.sorted())
        #expect((1_800...1_950).contains(distances[1]))
    }

    #if !DEBUG
        @Test func `a fix costs less than twenty microseconds on a line of a thousand points`()
            throws
        {
            let corners = (0...1_000).map { (Double($0) * 12, Double($0 % 7) * 3) }
            let line = try Synthetic.line(corners: corners)
            let fixes = Synthetic.drive(line, to: line.length, cadence: 1)
            var ride = try Ride(to: "s29", on: [line], at: Synthetic.time(36_000))

            let elapsed = ContinuousClock().measure {
                for fix in fixes { _ = ride.advance(fix, on: [line]) }
            }

            #expect(elapsed / fixes.count < .microseconds(20))
        }
    #endif
}
