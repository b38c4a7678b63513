import RideTracking
import Testing

/// Tests which landmarks are announced on a ride, and when.
@Suite struct LandmarkGuideTests {
    /// A line that runs 10 km to the north, with a stop every kilometre.
    private static func line() throws -> Line {
        let north = { (metres: Double) in Position(latitude: metres / 111_132, longitude: 0) }
        return try Line(
            id: "north", path: [north(0), north(10_000)],
            stops: (0...10).map { Line.Stop(id: "\($0)", name: "\($0)", along: Double($0) * 1_000) }
        )
    }

    /// Rides the line at 10 m/s with a fix every `interval` seconds.
    private func ride(
        among landmarks: [LandmarkOnLine], interval: Int64 = 5
    ) throws -> [(number: Int64, time: Int64, ahead: Double)] {
        let line = try Self.line()
        var ride = try Ride(to: "10", on: [line], at: 0)
        var guide = LandmarkGuide()
        var told: [(number: Int64, time: Int64, ahead: Double)] = []
        for seconds in Swift.stride(from: 0, through: 1_000, by: Int(interval)) {
            let along = Double(seconds) * 10
            let time = Int64(seconds) * 1_000
            let fix = RideFix(time: time, latitude: along / 111_132, longitude: 0)
            _ = ride.advance(fix, on: [line])
            if let next = guide.next(on: ride, at: time, along: line, among: landmarks) {
                told.append((next.number, time, next.along - along))
            }
        }
        return told
    }

    private func landmark(
        _ number: Int64, _ along: Double, thing: String = ""
    ) -> LandmarkOnLine {
        LandmarkOnLine(number: number, along: along, offset: 30, isLeft: true, thing: thing)
    }

    @Test func `a line around the earth is looked at in a bounded number of places`() throws {
        let poles = (0..<1_000).map {
            Position(latitude: $0.isMultiple(of: 2) ? -80 : 80, longitude: 0)
        }
        let line = try Line(id: "poles", path: poles, stops: [.init(id: "0", name: "0", along: 0)])

        #expect(line.length > 10_000_000_000)
        #expect(line.samples(every: 200).count == Line.mostSamples + 1)
        let short = try #require(try Self.line().samples(every: 200).last)
        #expect(short.metres(to: Position(latitude: 10_000 / 111_132, longitude: 0)) < 1)
    }

    @Test func `each landmark is announced once, before it is passed`() throws {
        let told = try ride(among: [landmark(1, 1_500), landmark(2, 4_000), landmark(1, 5_000)])

        #expect(told.map(\.number) == [1, 2])
        #expect(told.allSatisfy { $0.ahead > 0 && $0.ahead < 400 })
    }

    @Test func `what was announced isn't announced again under another number`() throws {
        let told = try ride(among: [
            landmark(1, 1_500, thing: "mill"), landmark(2, 2_500, thing: "mill"),
            landmark(3, 3_500, thing: "church"), landmark(4, 4_500),
        ])

        #expect(told.map(\.number) == [1, 3, 4])
    }

    @Test func `landmarks are announced at least 45 seconds apart`() throws {
        let told = try ride(among: (0..<60).map { landmark(Int64($0), Double($0) * 100 + 500) })

        #expect(told.count > 5)
        for (first, second) in zip(told, told.dropFirst()) {
            #expect(second.time - first.time >= 45_000)
        }
    }

    @Test func `no landmark is announced in the minute before the alarm, or after it`() throws {
        let line = try Self.line()
        var ride = try Ride(to: "10", on: [line], at: 0)
        var ready: Int64?
        for seconds in 0...1_000 where ready == nil {
            let fix = RideFix(
                time: Int64(seconds) * 1_000, latitude: Double(seconds) * 10 / 111_132,
                longitude: 0)
            if ride.advance(fix, on: [line]).contains(where: { $0.kind == .getReady }) {
                ready = fix.time
            }
        }
        let told = try self.ride(among: (0..<100).map { landmark(Int64($0), Double($0) * 100) })

        let alarm = try #require(ready)
        #expect(!told.isEmpty)
        #expect(told.allSatisfy { $0.time < alarm - 50_000 })
    }

    @Test func `a landmark's side is relative to the direction of travel`() throws {
        let line = try Self.line()
        let west = line.passes(1, at: Position(latitude: 5_000 / 111_132, longitude: -0.0005))
        let east = line.passes(1, at: Position(latitude: 5_000 / 111_132, longitude: 0.0005))
        let far = line.passes(1, at: Position(latitude: 5_000 / 111_132, longitude: 0.005))

        #expect(west.map(\.isLeft) == [true])
        #expect(east.map(\.isLeft) == [false])
        #expect(abs(west[0].along - 5_000) < 30)
        #expect(far.isEmpty)
    }
}
