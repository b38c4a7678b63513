import Messages
import RideTracking
import Testing

@testable import TransitAlertService

/// Which call of a trip an agency's forecast is about, if the trip calls at the stop twice.
@Suite struct ForecastTests {
    private let stored: StoredFeed
    private let file: FeedFile
    /// Noon of the service day on which the loop runs, 3 May 2026 in Paris.
    private let noon: Int64 = 1_777_802_400_000

    init() throws {
        // The stop is called at first at 23:00, and again at 00:20.
        stored = try StoredFeed()
        file = try stored.stored()
    }

    /// The forecast for the stop, in minutes after noon; nil if there is none.
    private func minutes(
        _ calls: [ForecastCall], ahead: Int? = nil, of trip: String = "LOOP", delay: Int64? = nil
    ) throws -> Int64? {
        let command = RecordForecast(
            tripId: trip, made: noon, calls: calls, delay: delay.map { $0 * 60_000 })
        let forecast = try Forecasts.forecast(
            command, for: "S0", in: file, at: noon + 11 * 3_600_000, ahead: { _ in ahead })
        return forecast.arrival.map { ($0 - noon) / 60_000 }
    }

    private func call(
        _ stop: String, _ arrival: Int64? = nil, delay: Int64? = nil, number: UInt32? = nil
    ) -> ForecastCall {
        ForecastCall(
            stopId: stop, arrival: arrival.map { noon + $0 * 60_000 },
            delay: delay.map { $0 * 60_000 }, sequence: number)
    }

    @Test func `the number of a call tells which of two calls at a stop is meant`() throws {
        let both = [call("S0", 741, number: 3), call("S0", 661, number: 1)]

        #expect(try minutes(both) == 661)
        #expect(try minutes(both, ahead: 0) == 661)
        #expect(try minutes(both, ahead: 2) == 741)
        #expect(try minutes([call("S0", 741, number: 3)]) == nil)
        // The vehicle is a minute late at the first one, and so at the second.
        #expect(try minutes([call("S0", 661, number: 1)], ahead: 2) == 741)
    }

    @Test func `calls without a number come in the order of the trip`() throws {
        let all = [call("S0", 661), call("P", 671), call("S0", 741)]

        #expect(try minutes(all) == 661)
        #expect(try minutes(all, ahead: 2) == 741)
        // After the first call, only the others are left.
        let rest = Array(all.dropFirst())
        #expect(try minutes(rest) == nil)
        #expect(try minutes(rest, ahead: 2) == 741)
        // It may be about either call.
        #expect(try minutes([call("S0", 741)]) == nil)
        #expect(try minutes([call("S0", 741)], ahead: 2) == 741)
    }

    @Test func `a delay counts for the call that follows it, and not for an earlier one`() throws {
        let late = [call("P", delay: 5, number: 2)]

        #expect(try minutes(late) == nil)
        #expect(try minutes(late, ahead: 2) == 745)
        #expect(try minutes([call("S0", delay: 2, number: 1)], ahead: 2) == 742)
        #expect(try minutes([call("S0", delay: 9, number: 3)], delay: 1) == 661)
    }

    @Test func `a time at one call is a delay of those that follow`() throws {
        #expect(try minutes([call("P", 668, number: 2)], ahead: 2) == 738)
        // The vehicle leaves at 23:12.
        let leaving = ForecastCall(stopId: "P", departure: noon + 675 * 60_000)
        #expect(try minutes([leaving], ahead: 2) == 743)
        // The last one counts.
        let both = [call("S0", delay: 9, number: 1), call("P", 671, number: 2)]
        #expect(try minutes(both, ahead: 2) == 741)
        let unknown = ForecastCall(stopId: "P", unknown: true)
        #expect(try minutes([call("S0", 661, number: 1), unknown], ahead: 2) == nil)
    }

    @Test func `of a call with only a departure, the vehicle arrives as long before as it stays`()
        throws
    {
        let leaving = ForecastCall(stopId: "P", departure: noon + 675 * 60_000)
        let command = RecordForecast(tripId: "LOOP", made: noon, calls: [leaving])

        let forecast = try Forecasts.forecast(
            command, for: "P", in: file, at: noon + 11 * 3_600_000, ahead: { _ in nil })

        #expect(forecast.arrival == noon + 673 * 60_000)
    }

    @Test func `a number that the timetable gives to another stop doesn't count`() throws {
        #expect(try minutes([call("S0", 661, number: 2), call("P", 671)]) == 661)
        #expect(try minutes([call("another platform", delay: 3, number: 2)], ahead: 2) == 743)
    }

    @Test func `of a trip that isn't in the timetable the first call at the stop counts`() throws {
        #expect(try minutes([call("S0", 661), call("S0", 741)], of: "unknown") == 661)
    }
}
