import RideTracking
import Testing

/// Rides with a position every two minutes, between which a vehicle covers a kilometre.
@Suite struct RarePositionTests {
    private static let cadence = 120.0
    private let line: Line

    init() throws { line = try Synthetic.line() }

    @Test func `GET READY waits for a position that should come soon`() throws {
        let start = Synthetic.time(36_000)
        // By the last position but one, GET READY would be due five seconds before the last.
        let fixes = Synthetic.drive(line, from: 850, to: 3_850, cadence: Self.cadence)
        let arrival = Synthetic.time(36_000 + (6_000 - 850) / 5)
        var ride = try Ride(to: "s15", on: [line], at: start)
        var blind = ride

        let told = Synthetic.told(&ride, fixes, on: [line], until: arrival)
        let alone = Synthetic.told(&blind, Array(fixes.dropLast()), on: [line], until: arrival)

        let (awaited, last) = (fixes[fixes.count - 1].time, fixes[fixes.count - 2].time)
        let ready = try #require(told.time(of: .getReady))
        #expect(ready > awaited && arrival - ready >= Ride.usualNotice)
        // It is given soon after if none comes, and still in time.
        let unaided = try #require(alone.time(of: .getReady))
        #expect((last + 120_000...last + 135_000).contains(unaided))
        #expect(arrival - unaided >= Ride.usualNotice)
    }

    @Test func `GET READY doesn't wait if positions are frequent`() throws {
        let fixes = Synthetic.drive(line, from: 850, to: 3_250, cadence: 40)
        let arrival = Synthetic.time(36_000 + (6_000 - 850) / 5)
        var ride = try Ride(to: "s15", on: [line], at: Synthetic.time(36_000))

        let told = Synthetic.told(&ride, fixes, on: [line], until: arrival)

        let last = try #require(fixes.last).time
        #expect((last + 110_000...last + 120_000).contains(told.time(of: .getReady) ?? 0))
    }

    /// What is signalled on streets that no line of the ride uses. `place` is where the vehicle is
    /// at a second, in metres east and north.
    private func stray(
        to stop: String, extra: [Double] = [], _ place: (Double) -> (Double, Double)
    ) throws -> [(time: Int64, signal: Signal)] {
        var ride = try Ride(to: stop, on: [line], at: Synthetic.time(36_000))
        let seconds = stride(from: 0, through: 1_800, by: Self.cadence) + extra
        let fixes = seconds.sorted().map { second in
            let (east, north) = place(second)
            return Synthetic.fix(Synthetic.at(east, north), 36_000 + second)
        }
        return Synthetic.told(&ride, fixes, on: [line])
    }

    @Test func `a vehicle of no known line that comes straight to the stop gets GET READY`() throws
    {
        // It is at the stop between two positions, 500 m before it and 700 m past it.
        let told = try stray(to: "s15") { (6_000, 11_300 - 10 * $0) }

        let arrival = Synthetic.time(36_000 + 1_130)
        #expect(arrival - (told.time(of: .getReady) ?? .max) == 170_000)
        #expect(told.time(of: .now) == nil)
    }

    @Test func `a vehicle of no known line that only passes by gets no GET READY`() throws {
        let told = try stray(to: "s15") { (10 * $0, 2_200) }

        #expect(told.kinds == [.offRoute])
    }

    @Test func `two positions soon after each other don't make a vehicle seem to close in`()
        throws
    {
        // Two seconds after the position at 960 s it seems to have come 20 m closer. That at 60 s
        // shows that others will come.
        let told = try stray(to: "s15", extra: [60, 962]) { (6_000, $0 == 962 ? 1_680 : 1_700) }

        #expect(told.kinds == [.offRoute])
    }
}
