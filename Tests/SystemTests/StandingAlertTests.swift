import Bus
import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// Tests the alerts of journeys and days in stores of versions up to 0.1.
@Suite(.serialized, .waiting) struct StandingAlertTests {
    @Test func `a store of an earlier version keeps its alerts and raises none twice`() throws {
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

        // A restarted service has no earlier snapshot.
        try town.restartTransit()
        #expect(try town.system.raisedInSnapshot(of: .transitAlert) == [])
        #expect(try town.alerts().count == 1)
        let ended = try town.client.ask(FinishJourney(journeyId: journey.id), for: Journey.self)
        #expect(ended.stage == .finished)
        #expect(try town.system.query(.transitAlert, "SELECT * FROM standingAlert") == [])
    }

    @Test
    func `a store of an earlier version keeps a day's alerts, and repeats no acknowledged one`()
        throws
    {
        let home = try Household()
        try home.makeRoutines()
        try home.run("day plan --tag morning")
        try home.run("day confirm")
        try home.setClock(to: "07:01")
        try eventually("it is told") {
            try home.alerts().contains { $0.contains("Now: Brush your teeth") }
        }
        let told = try home.system.raised(by: .routine)
        home.killService()
        try home.system.forgetStandingAlerts(
            of: .routine, migration: "routine: standing alerts",
            """
            CREATE TABLE dayAlert (
                key TEXT NOT NULL PRIMARY KEY, person TEXT NOT NULL, date TEXT NOT NULL,
                alert BLOB NOT NULL
            ) WITHOUT ROWID, STRICT;
            CREATE INDEX dayAlertByDay ON dayAlert (person, date);
            INSERT INTO dayAlert SELECT key, rtrim(substr(subject, 1, length(subject) - 11)),
                substr(subject, -10), alert FROM standingAlert
            """)

        try home.startService()
        #expect(try home.system.query(.routine, "SELECT occasion FROM standingAlert").count == 1)
        #expect(try standing(home) == told.suffix(1).map(\.key))
        // Time passes during the same action: no alert is repeated.
        try home.setClock(to: "07:03")
        try home.run("day more 5")
        let id = try #require(try home.rows("alerts list").first?["id"] as? String)
        try home.run("alerts ack \(id)")
        try eventually("the service knows it") {
            try home.system.query(
                .routine, "SELECT count(*) FROM standingAlert WHERE acknowledged > 0") == [["1"]]
        }
        try home.run("day more 5")
        home.killService()
        try home.startService()
        #expect(try standing(home) == [])
        #expect(try home.system.raised(by: .routine) == told)
        try home.run("day done")
        try eventually("the next action is told") {
            try home.alerts().contains { $0.contains("Now: Eat breakfast") }
        }
        #expect(try home.system.raised(by: .routine).count == told.count + 1)
    }

    /// The keys of the alerts of days in a snapshot, which nobody has acknowledged.
    private func standing(_ home: Household) throws -> [String] {
        try home.system.query(
            .routine, "SELECT key FROM standingAlert WHERE acknowledged IS NULL ORDER BY key"
        ).flatMap { $0 }
    }
}
