import Foundation
import Messages
import TestSupport
import Testing

@testable import RideSources

/// Tests what is read from an agency's trip updates.
@Suite struct TripReportTests {
    private static func feed(_ updates: [TripUpdate], isDeleted: Bool = false) -> [UInt8] {
        VehicleFeed(
            header: FeedHeader(timestamp: 1_763_715_630),
            entity: updates.map { FeedEntity(isDeleted: isDeleted, tripUpdate: $0) }
        ).packed()
    }

    @Test func `the newest forecast for the trip is used, with its calls in order`() throws {
        let feed = Self.feed([
            TripUpdate(trip: VehicleTrip(tripId: "T0"), timestamp: 1_763_715_600),
            TripUpdate(
                trip: VehicleTrip(tripId: "T1"),
                stopTimeUpdate: [
                    StopTimeUpdate(
                        arrival: StopTimeEvent(delay: 60, time: 1_763_716_000), stopId: "A"),
                    StopTimeUpdate(departure: StopTimeEvent(delay: -30), stopId: "B"),
                    StopTimeUpdate(stopId: "C", scheduleRelationship: 1),
                    StopTimeUpdate(stopId: "D", scheduleRelationship: 2),
                    StopTimeUpdate(arrival: StopTimeEvent(delay: 1)),
                ], timestamp: 1_763_715_610, delay: 40),
            TripUpdate(trip: VehicleTrip(tripId: "T1"), timestamp: 1_763_715_500),
        ])

        let forecast = try TripReport.forecast(of: "T1", in: feed)

        #expect(
            forecast
                == RecordForecast(
                    tripId: "T1", made: 1_763_715_610_000,
                    calls: [
                        ForecastCall(stopId: "A", arrival: 1_763_716_000_000, delay: 60_000),
                        ForecastCall(stopId: "B", delay: -30_000),
                        ForecastCall(stopId: "C", skipped: true),
                        ForecastCall(stopId: "D", unknown: true),
                    ], delay: 40_000))
    }

    @Test func `a call that has only its number in the trip is passed on with it`() throws {
        let feed = Self.feed([
            TripUpdate(
                trip: VehicleTrip(tripId: "T1"),
                stopTimeUpdate: [
                    StopTimeUpdate(stopSequence: 0, arrival: StopTimeEvent(delay: 60)),
                    StopTimeUpdate(stopSequence: 7, scheduleRelationship: 1),
                    StopTimeUpdate(arrival: StopTimeEvent(delay: 1)),
                ])
        ])

        let forecast = try TripReport.forecast(of: "T1", in: feed)

        #expect(
            forecast.calls == [
                ForecastCall(delay: 60_000, sequence: 0), ForecastCall(skipped: true, sequence: 7),
            ])
    }

    /// A run of trip T1 that arrives some minutes after the feed was made.
    private static func run(
        _ minutes: [Int64], _ relationship: Int32 = 0, time: UInt64 = 1_763_715_600
    ) -> TripUpdate {
        TripUpdate(
            trip: VehicleTrip(tripId: "T1", scheduleRelationship: relationship),
            stopTimeUpdate: minutes.map {
                StopTimeUpdate(
                    arrival: StopTimeEvent(time: 1_763_715_630 + $0 * 60), stopId: "A")
            }, timestamp: time)
    }

    @Test func `of several runs of a trip the next one counts, and a copy of it never does`() throws
    {
        let cases: [(updates: [TripUpdate], minutes: Int64)] = [
            // It runs every ten minutes, and the first run is over.
            ([Self.run([-20, -5]), Self.run([15, 25]), Self.run([5, 15])], 5),
            // It also runs tomorrow.
            ([Self.run([1_440], time: 1_763_715_630), Self.run([-5, 9])], -5),
            // A copy of it runs earlier.
            ([Self.run([5], 6), Self.run([30])], 30),
        ]
        for (updates, minutes) in cases {
            for updates in [updates, updates.reversed()] {
                let forecast = try TripReport.forecast(of: "T1", in: Self.feed(updates))

                #expect(forecast.calls.first?.arrival == 1_763_715_630_000 + minutes * 60_000)
            }
        }
        let copy = Self.feed([Self.run([5], 6)])
        #expect(throws: VehicleReport.Lack.self) { try TripReport.forecast(of: "T1", in: copy) }
    }

    @Test func `a trip that is cancelled today is not taken for the run of tomorrow`() throws {
        let updates = [Self.run([1_440], time: 1_763_715_630), Self.run([], 3)]

        #expect(try TripReport.forecast(of: "T1", in: Self.feed(updates)).cancelled)
        // The one of tomorrow says nothing about today's.
        let tomorrow = [Self.run([], 3, time: 1_763_715_630), Self.run([5, 15])]
        #expect(try !TripReport.forecast(of: "T1", in: Self.feed(tomorrow)).cancelled)
    }

    @Test func `a cancelled trip is reported, and one without a time gets the feed's`()
        throws
    {
        let feed = Self.feed([
            TripUpdate(trip: VehicleTrip(tripId: "T1", scheduleRelationship: 3))
        ])

        let forecast = try TripReport.forecast(of: "T1", in: feed)

        #expect(forecast.cancelled && forecast.made == 1_763_715_630_000)
    }

    @Test func `extreme times and delays are used or ignored, and never crash`() throws {
        for time in [Int64.min, -1, 0, 253_402_300_800, .max] {
            let event = StopTimeEvent(delay: .min, time: time)
            let feed = Self.feed([
                TripUpdate(
                    trip: VehicleTrip(tripId: "T1"),
                    stopTimeUpdate: [StopTimeUpdate(arrival: event, stopId: "A")], delay: .max)
            ])

            let forecast = try TripReport.forecast(of: "T1", in: feed)

            #expect(forecast.calls == [ForecastCall(stopId: "A", delay: -2_147_483_648_000)])
        }
    }

    @Test func `a feed that is unreadable or lacks the trip is reported with the reason`() {
        let other = Self.feed([TripUpdate(trip: VehicleTrip(tripId: "T0"))])
        let gone = Self.feed([TripUpdate(trip: VehicleTrip(tripId: "T1"))], isDeleted: true)
        for (bytes, reason) in [
            (other, "doesn't have trip T1 now, of 1 trips"), (gone, "has no forecasts"),
            ([0xFF, 0xFF], "isn't a GTFS-Realtime feed"), ([], "has no forecasts"),
        ] {
            do {
                _ = try TripReport.forecast(of: "T1", in: bytes)
                Issue.record("it was read")
            } catch { #expect("\(error)".contains(reason), "\(error)") }
        }
    }

    @Test(.enabled(if: Recordings.folder("transit/gtfs-realtime") != nil, "no recorded feeds"))
    func `recorded feeds from New York are read`() throws {
        let folder = try #require(Recordings.folder("transit/gtfs-realtime"))
        let bytes = try [UInt8](
            Data(contentsOf: folder.appending(path: "nyct_multi_trips__1707398848.ace.pb")))
        let feed = try VehicleFeed(unpacking: bytes, limits: VehicleReport.limits)
        let trips = feed.entity.compactMap { $0.tripUpdate?.trip?.tripId }
        #expect(trips.count > 20)

        let forecasts = try trips.map { try TripReport.forecast(of: $0, in: bytes) }

        #expect(forecasts.contains { $0.calls.contains { $0.arrival != nil } })
    }
}
