import RideTracking
import Testing

/// Rides with a line that doesn't run at the hour, beside one that does. They share four
/// kilometres; then one goes on east, and the other turns north.
@Suite struct UnlikelyLineTests {
    private let east: Line
    private let north: Line

    init() throws {
        var line = try Synthetic.line(id: "north", corners: [(0, 0), (4_000, 0), (4_000, 4_000)])
        line.isUnlikely = true
        (east, north) = (try Synthetic.line(id: "east"), line)
    }

    @Test func `a vehicle on a line that doesn't run by its timetable is alerted in time`() throws {
        let start = Synthetic.time(36_000)
        var ride = try Ride(to: "s15", on: [east, north], at: start)

        let told = Synthetic.told(
            &ride, Synthetic.drive(north, to: 6_000), on: [east, north])

        let arrival = Synthetic.time(36_000 + 1_200)
        let ready = try #require(told.time(of: .getReady))
        #expect(arrival - ready >= Ride.usualNotice)
        #expect(told.time(of: .now) != nil && told.time(of: .offRoute) == nil)
        #expect(ride.line == "north")
    }

    @Test func `where both lines go, a vehicle is on the one that runs`() throws {
        var ride = try Ride(to: "s15", on: [north, east], at: Synthetic.time(36_000))

        _ = Synthetic.told(&ride, Synthetic.drive(north, to: 3_500), on: [north, east])

        #expect(ride.line == "east")
    }
}
