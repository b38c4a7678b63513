import Bus
import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// Tests the alerts of journeys in stores of versions up to 0.1.
@Suite(.serialized, .waiting) struct StandingAlertTests {
    @Test func `a store of an earlier version keeps its alerts and tells none twice`() throws {
        let town = try Town()
        try town.load()
        let ride = try Town.ride()
        let journey = try town.client.ask(
            StartJourney(
                feed: "town", stopId: "4131",
                clock: JourneyClock(origin: ride[0].time, speed: 1)), for: Journey.self)
        var sent = 0
        while try town.system.raised(by: .transitAlert).isEmpty, sent < ride.count {
            let some = Array(ride[sent..<min(sent + 20, ride.count)])
            _ = try town.client.ask(
                RecordPositions(journeyId: journey.id, fixes: some), for: Journey.self)
            sent += some.count
        }
        let told = try town.system.raised(by: .transitAlert)
        #expect(told.map(\.kind) == ["transit.getReady"])
        try eventually("the notifier has it") { try town.alerts().map(\.state) == [.open] }
        town.transit.kill()
        let kept = String(decoding: try JSONEncoder().encode(told), as: UTF8.self)
            .replacing("'", with: "''")
        try town.system.forgetStandingAlerts(
            of: .transitAlert, migration: "transit: standing alerts",
            """
            ALTER TABLE journey ADD COLUMN alerts TEXT NOT NULL DEFAULT '[]';
            UPDATE journey SET alerts = '\(kept)'
            """)

        try town.restartTransit()
        #expect(try town.system.raised(by: .transitAlert) == told)
        #expect(try town.system.raisedInSnapshot(of: .transitAlert) == told)
        let notifier = try town.system.client(of: .notifier)
        let open = try #require(try town.alerts().first)
        _ = try notifier.ask(AcknowledgeAlert(id: open.id), for: AlertAcknowledged.self)
        try eventually("the service knows who has acknowledged it") {
            try town.system.query(.transitAlert, "SELECT acknowledgedBy FROM standingAlert")
                == [[try town.alerts().first?.acknowledgedBy ?? ""]]
        }

        // A service that has just started has no earlier snapshot.
        try town.restartTransit()
        #expect(try town.system.raisedInSnapshot(of: .transitAlert) == [])
        #expect(try town.alerts().count == 1)
        let ended = try town.client.ask(FinishJourney(journeyId: journey.id), for: Journey.self)
        #expect(ended.stage == .finished)
        #expect(try town.system.query(.transitAlert, "SELECT * FROM standingAlert") == [])
    }
}
