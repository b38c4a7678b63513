import Foundation
import RideEvaluation
import RideTracking
import TestSupport
import Testing

@testable import TransitAlertService

/// The goals, measured on real recordings. Without the data they are skipped.
///
/// A debug build evaluates every sixth stop of a ride, a release build every one.
@Suite(
    .serialized,
    .enabled(
        if: Recordings.folder("transit") != nil,
        "\(Recordings.variable) names no folder with recorded rides"))
struct RecordedRideTests {
    #if DEBUG
        static let stride = 6
    #else
        static let stride = 1
    #endif

    struct Recording: Sendable {
        var ride: RecordedRide
        var trip: String
        var lines: RecordedLines
    }

    static func recordings(
        _ feed: String, _ read: (URL) throws -> [RecordedRides.Trip]
    ) throws -> [Recording] {
        let folder = try #require(Recordings.folder("transit"))
        let lines = try RecordedLines(feed: folder.appending(path: "gtfs/\(feed)"))
        let recordings: [Recording] = try read(folder).compactMap { trip in
            let start = trip.trace.fixes.first?.time ?? 0
            guard
                let line = try lines.line(trip: trip.id, at: start, knowsDay: trip.knowsTime)
            else { return nil }
            let truth = Truth(of: trip.trace, on: line)
            guard truth.times.count > 5 else { return nil }
            let ride = RecordedRide(line: line, truth: truth, trace: trip.trace)
            return Recording(ride: ride, trip: trip.id, lines: lines)
        }
        guard !recordings.isEmpty else { throw Complaint("no ride of \(feed) can be judged") }
        return recordings
    }

    static let washington = Result {
        try recordings("wmata_gtfs_2026.zip") {
            try RecordedRides.washington($0.appending(path: "wmata-vehicle-positions.csv"))
        }
    }
    static let tampa = Result {
        try recordings("Hart.zip") {
            try RecordedRides.tampa($0.appending(path: "rides-tampa"))
        }
    }

    @Test func `in Washington 98 of 100 are alerted in time and nobody is missed`() throws {
        let rides = try Self.washington.get().map(\.ride)

        let report = RideEvaluation(stride: Self.stride).report(rides)

        print("Washington, as recorded:", report)
        #expect(report.shareInTime >= 0.98)
        #expect(report.missed == 0)
        #expect(report.lead(0.5) <= 400)
        #expect(report.shareNowGiven >= 0.97)
        #expect(report.shareNowInTime >= 0.70)
        #expect(report.passedEarly == 0)
        #expect(report.wrongDirections == 0)
    }

    @Test func `noise, outliers and signal loss change little`() throws {
        var disturbance = Disturbance()
        disturbance.dropoutInterval = 600
        let rides = try Self.washington.get().enumerated().map { index, recording in
            var ride = recording.ride
            ride.trace = disturbance.applied(to: ride.trace, seed: UInt64(index))
            return ride
        }

        let report = RideEvaluation(stride: Self.stride).report(rides)

        print("Washington, disturbed:", report)
        #expect(report.shareInTime >= 0.97)
        #expect(report.missed == 0)
        #expect(report.shareNowGiven >= 0.97)
    }

    @Test func `phones with one fix a second are alerted in time`() throws {
        var disturbance = Disturbance()
        disturbance.dropoutInterval = 600
        let rides = try Self.washington.get().enumerated().map { index, recording in
            var ride = recording.ride
            let phone = ride.truth.phone(named: ride.trace.name, on: ride.line, cadence: 1_000)
            ride.truth = phone.truth
            ride.trace = disturbance.applied(to: phone.trace, seed: UInt64(index))
            return ride
        }

        let report = RideEvaluation(stride: 8).report(rides)

        print("Washington, simulated phones:", report)
        #expect(report.shareInTime >= 0.97)
        #expect(report.missed == 0)
    }

    @Test func `without a fix in the last five minutes 98 of 100 are alerted in time`() throws {
        let rides = try Self.washington.get().map(\.ride)

        let report = RideEvaluation(stride: Self.stride, blackout: 300_000).report(rides)

        print("Washington, last five minutes dark:", report)
        #expect(report.shareInTime >= 0.98)
        #expect(Double(report.missed) <= 0.005 * Double(report.cases))
        #expect(report.shareNowGiven >= 0.95)
    }

    @Test(arguments: [1, 2, 5, 10]) func `other notices are respected`(minutes: Int64) throws {
        let rides = try Self.washington.get().map(\.ride)
        let evaluation = RideEvaluation(
            notice: minutes * 60_000, leastRide: minutes * 140_000, stride: Self.stride * 2)

        let report = evaluation.report(rides)

        print("Washington, notice \(minutes) min:", report)
        #expect(report.shareInTime >= 0.96)
        #expect(report.missed == 0)
    }

    @Test func `phones in Tampa are alerted in time`() throws {
        let rides = try Self.tampa.get().map(\.ride)

        let report = RideEvaluation(leastRide: 240_000).report(rides)

        print("Tampa, as recorded:", report)
        #expect(report.shareInTime >= 0.95)
        #expect(report.missed == 0)
        #expect(report.shareNowGiven >= 0.97)
    }

    @Test(arguments: [true, false]) func `the wrong vehicle hardly ever raises an alarm`(
        isOpposite: Bool
    ) throws {
        var alarms = FalseAlarms()
        for var recording in try Self.washington.get() {
            // Some buses report their next trip while they still finish the previous one, in the
            // opposite direction. Only the rest is the wrong vehicle.
            let truth = recording.ride.truth
            let start = (truth.firstAlong ?? 0) > 1_000 ? .min : truth.arrival(at: 1_000) ?? .max
            recording.ride.trace.fixes.removeAll { $0.time < start }
            for line in try recording.lines.others(than: recording.trip, isOpposite: isOpposite) {
                alarms.add(
                    recording.ride, armed: line, stride: (isOpposite ? 2 : 6) * Self.stride,
                    evaluation: RideEvaluation())
            }
        }
        #expect(alarms.cases > 0)

        print(isOpposite ? "Opposite direction," : "Another pattern,", alarms)
        // The remaining cases are rides that begin next to the stop, and streets that lines share.
        #expect(Double(alarms.counts[.now] ?? 0) <= 0.01 * Double(alarms.cases))
        #expect(Double(alarms.counts[.getReady] ?? 0) <= 0.03 * Double(alarms.cases))
    }
}
