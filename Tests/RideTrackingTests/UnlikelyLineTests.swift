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

    /// Another line that doesn't run. Its stop with that number is the passenger's.
    private func unlikely(_ corners: [(Double, Double)], calling number: Int) throws -> Line {
        var line = try Synthetic.line(
            id: "other", corners: corners, names: [15: "other15", number: "s15"])
        line.isUnlikely = true
        return line
    }

    /// When GET READY comes to a passenger in a vehicle of the line east that is seen on `other`
    /// up to `end`, and when the vehicle is at the stop.
    private func ready(
        beside other: Line, to end: Double, distance: Double
    ) throws -> (told: Int64, arrival: Int64) {
        var ride = try Ride(to: "s15", on: [east, other], at: Synthetic.time(36_000))
        let told = Synthetic.told(&ride, Synthetic.drive(other, to: end), on: [east, other])
        return (try #require(told.time(of: .getReady)), Synthetic.time(36_000 + distance / 5))
    }

    @Test func `a line that doesn't run delays no alarm of a detour in the next street`() throws {
        // The line in that street takes a long way round to the stop.
        let other = try unlikely(
            [(0, 70), (5_500, 70), (5_500, 4_000), (6_000, 4_000), (6_000, 0)], calling: 34)

        let ready = try ready(beside: other, to: 5_400, distance: 6_000)

        #expect(ready.arrival - ready.told >= Ride.usualNotice)
    }

    @Test func `a vehicle first seen on a line that doesn't run is alerted by the one that does`()
        throws
    {
        // Both share five kilometres; then the other takes a long way round.
        let other = try unlikely(
            [(0, 1_000), (0, 0), (5_000, 0), (5_000, 4_000), (6_000, 4_000), (6_000, 0)],
            calling: 37)

        let ready = try ready(beside: other, to: 5_900, distance: 7_000)

        #expect(ready.arrival - ready.told >= Ride.usualNotice)
    }

    @Test func `a vehicle against a line that doesn't run may still come to the stop`() throws {
        let other = try unlikely([(6_000, 0), (6_000, 4_000)], calling: 0)
        var ride = try Ride(to: "s15", on: [east, other], at: Synthetic.time(36_000))

        let told = Synthetic.told(
            &ride, Synthetic.drive(other, from: 3_875, to: 100, cadence: 15), on: [east, other])

        #expect(told.kinds == [.offRoute, .getReady, .now])
    }

    @Test func `a line that doesn't run doesn't say that a stop was passed that was never ahead`()
        throws
    {
        let other = try unlikely(
            [(6_000, 0), (10_000, 0), (10_000, 4_000), (6_000, 4_000), (6_000, 500)], calling: 0)
        let way = try Synthetic.line(corners: [(10_000, 4_000), (6_000, 4_000), (6_000, 0)])
        var ride = try Ride(to: "s15", on: [east, other], at: Synthetic.time(36_000))

        let told = Synthetic.told(
            &ride, Synthetic.drive(way, to: 7_900, cadence: 15), on: [east, other])

        #expect(told.kinds == [.offRoute, .getReady, .now])
    }
}
