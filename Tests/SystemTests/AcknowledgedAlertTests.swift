import Bus
import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// Tests what happens to a passenger's alert after it is acknowledged.
@Suite(.serialized, .waiting) struct AcknowledgedAlertTests {
    @Test func `an acknowledged alert isn't in a snapshot of its journey`() throws {
        let town = try Town()
        try town.load()
        let ride = try Town.ride()
        let journey = try town.client.ask(
            StartJourney(
                feed: "town", stopId: "4131",
                clock: JourneyClock(origin: ride[0].time, speed: 1)),
            for: Journey.self)
        for begin in stride(from: 0, to: ride.count, by: 200) {
            let some = Array(ride[begin..<min(begin + 200, ride.count)])
            _ = try town.client.ask(
                RecordPositions(journeyId: journey.id, fixes: some), for: Journey.self)
        }
        try eventually("the notifier has all") { try town.alerts().count >= 3 }
        let passed = try #require(try town.alerts().last)
        #expect(passed.state == .open)
        let key = try #require(passed.raised?.key)
        let told = try raised(town)
        #expect(told.contains(key))

        let notifier = try town.system.client(of: .notifier)
        _ = try notifier.ask(AcknowledgeAlert(id: passed.id), for: AlertAcknowledged.self)

        // A restarted service has no earlier snapshot.
        try eventually("the snapshot no longer has it", within: .seconds(180)) {
            try town.restartTransit()
            return try raised(town) == told.filter { $0 != key }
        }
    }

    /// Returns the keys of the alerts in a snapshot, as served to a follower whose history is
    /// unknown. While the service puts a snapshot together, it asks to wait.
    private func raised(_ town: Town) throws -> [String] {
        var page: ReplayPage?
        try eventually("there is a snapshot") {
            do {
                page = try town.client.ask(Replay(epoch: 1, limit: 500), for: ReplayPage.self)
            } catch ClientError.refused(let refusal) where refusal.code == .conflict {}
            return page != nil
        }
        let snapshot = try #require(page)
        #expect(snapshot.snapshot)
        return try snapshot.events.map { try Envelope(unpacking: $0) }
            .filter { $0.type == AlertRaised.protobufName }
            .map { try AlertRaised(unpacking: $0.data).key }
    }
}
