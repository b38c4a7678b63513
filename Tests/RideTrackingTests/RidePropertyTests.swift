import Foundation
import RideEvaluation
import RideTracking
import Testing

/// Properties of every ride: seeded rides over seeded lines, with noise, outliers, dropouts,
/// duplicate and reordered fixes. `SEED=7` in the environment runs only that seed.
@Suite struct RidePropertyTests {
    static let seeds: [UInt64] =
        ProcessInfo.processInfo.environment["SEED"]
        .flatMap(UInt64.init).map { [$0] } ?? Array(1...60)

    struct Sample {
        var line: Line
        var target: String
        var targetAlong: Double
        var fixes: [RideFix]
        var speed: Double
    }

    /// A winding line, a vehicle near its timetable, and a phone's fixes.
    static func sample(_ seed: UInt64, isDisturbed: Bool = true) throws -> Sample {
        var random = Seeded(seed)
        var corners: [(Double, Double)] = [(0, 0)]
        for _ in 0..<Int.random(in: 3...9, using: &random) {
            let last = corners[corners.count - 1]
            corners.append(
                (
                    last.0 + Double.random(in: 300...1_500, using: &random),
                    last.1 + Double.random(in: -900...900, using: &random)
                ))
        }
        let speed = Double.random(in: 3...12, using: &random)
        let line = try Synthetic.line(corners: corners, speed: speed, knowsDay: true)
        let call = Int.random(in: line.stops.count / 2..<line.stops.count, using: &random)
        let cadence = [1.0, 2, 5, 15, 30][Int.random(in: 0..<5, using: &random)]
        let drive = Synthetic.drive(
            line, to: line.length, speed: speed, cadence: cadence)
        var disturbance = Disturbance()
        disturbance.dropoutInterval = 400
        disturbance.duplicates = 0.03
        disturbance.reordered = 0.03
        disturbance.outliers = 0.01
        let trace = Trace(name: "\(seed)", fixes: drive)
        return Sample(
            line: line, target: line.stops[call].id, targetAlong: line.stops[call].along,
            fixes: isDisturbed ? disturbance.applied(to: trace, seed: seed).fixes : drive,
            speed: speed)
    }

    @Test(arguments: seeds) func `each signal comes at most once and in order`(
        seed: UInt64
    ) throws {
        let sample = try Self.sample(seed)
        var ride = try Ride(to: sample.target, on: [sample.line], at: sample.fixes[0].time)

        let told = Synthetic.told(
            &ride, sample.fixes, on: [sample.line], until: Synthetic.time(90_000))

        let alarms = told.kinds.filter { [.getReady, .now, .passed].contains($0) }
        #expect(Set(told.kinds).count == told.count, "seed \(seed)")
        #expect(alarms.prefix(2) == [.getReady, .now], "seed \(seed)")
        #expect(!told.kinds.contains(.wrongDirection), "seed \(seed)")
        #expect(ride.given == told.kinds, "seed \(seed)")
    }

    @Test(arguments: seeds)
    func `a ride that is stored and loaded after any fix continues the same`(
        seed: UInt64
    ) throws {
        let sample = try Self.sample(seed)
        var random = Seeded(seed &+ 1_000)
        var ride = try Ride(to: sample.target, on: [sample.line], at: sample.fixes[0].time)
        var stored = ride
        for fix in sample.fixes {
            if random.share() < 0.1 {
                let bytes = try JSONEncoder().encode(stored)
                stored = try JSONDecoder().decode(Ride.self, from: bytes)
                #expect(bytes.count < 4_000)
            }

            let told = ride.advance(fix, on: [sample.line])

            #expect(stored.advance(fix, on: [sample.line]) == told, "seed \(seed)")
        }
        #expect(stored == ride, "seed \(seed)")
    }

    @Test(arguments: seeds) func `whenever the signal is lost, the alarm comes before the arrival`(
        seed: UInt64
    ) throws {
        let sample = try Self.sample(seed, isDisturbed: false)
        let arrival = Synthetic.time(36_000 + sample.targetAlong / sample.speed)
        var random = Seeded(seed &+ 2_000)
        for _ in 0..<10 {
            let last =
                Int64(random.share() * Double(arrival - Synthetic.time(36_000)))
                + Synthetic.time(36_000)
            let fixes = sample.fixes.filter { $0.time <= last }
            var ride = try Ride(
                to: sample.target, on: [sample.line], at: Synthetic.time(36_000))

            let told = Synthetic.told(&ride, fixes, on: [sample.line], until: arrival)

            let ready = try #require(told.time(of: .getReady), "seed \(seed) until \(last)")
            #expect(ready < arrival, "seed \(seed) until \(last)")
        }
    }

    @Test(arguments: seeds)
    func `a late timer call gives the same kinds of signals as a punctual one`(
        seed: UInt64
    ) throws {
        let sample = try Self.sample(seed)
        var punctual = try Ride(to: sample.target, on: [sample.line], at: sample.fixes[0].time)
        var late = punctual

        let told = Synthetic.told(&punctual, sample.fixes, on: [sample.line])
        var byFixes: [Signal] = []
        for fix in sample.fixes { byFixes += late.advance(fix, on: [sample.line]) }

        #expect(byFixes.map(\.kind) == told.kinds, "seed \(seed)")
    }
}
