import Messages
import RideTracking
import Testing

@testable import TransitAlertService

/// Tests how many positions of one command are followed.
@Suite struct BatchTests {
    private func fixes(_ times: [Int64]) -> [Fix] {
        times.map { Fix(time: $0, place: Coordinate(latitudeE7: 540_000_000, longitudeE7: 0)) }
    }

    @Test(arguments: [0, 1, 500, 100_000, 120_000, 1_000_000, 4_000_000, 100_000_000])
    func `a batch costs a bounded amount of work, and never its newest position`(
        points: Int
    ) {
        let batch = fixes(Array(1...500))

        let followed = JourneyWatch.affordable(batch, points: points)

        let times = followed.map(\.time)
        #expect(times == times.sorted() && times.last == 500)
        #expect(followed.count <= 2 || followed.count * points <= JourneyWatch.mostWork)
        #expect(points > 120_000 || followed == batch)
        // The others are spread over the whole batch.
        #expect(points > 4_000_000 || (times.first ?? 500) <= 80)
    }

    @Test func `the newest position counts wherever it is in a batch`() {
        let batch = fixes([900] + Array(1...499))

        let followed = JourneyWatch.affordable(batch, points: 10_000_000)

        #expect(followed.first?.time == 900 && followed.last?.time == 499)
        #expect(followed.count <= 6)
    }
}
