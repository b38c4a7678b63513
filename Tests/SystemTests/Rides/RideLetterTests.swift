import Bus
import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// Tests that a ride is also erased where its events could not be applied.
@Suite(.serialized, .waiting) struct RideLetterTests {
    private let town: Town
    private let user: CommandLineUser

    init() throws {
        town = try Town()
        try town.load()
        user = CommandLineUser(of: town.system, device: "phone")
    }

    /// Puts an event aside, as a service does that can't apply it; `damage` comes before its bytes.
    private func putAside(
        _ event: Envelope, at service: ServiceName, damage: [UInt8] = []
    ) throws {
        let bytes = (damage + event.packed()).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
        try town.system.edit(
            service,
            """
            INSERT INTO deadLetter (producer, sequence, type, envelope, reason, time, subject)
            VALUES ('transit-alert-service', 1, '\(event.type)', X'\(bytes)', 'a trial', 1,
                '\(event.subject)')
            """)
    }

    @Test func `T10 erasing covers dead letters about a ride, and spares those of others`() throws {
        let ride = Town.root + "/deploy/demo/ride.csv"
        try user.run("transit ride '\(ride)' --to 4131 --speed 400")
        try eventually("the notifier has all") { try town.alerts().count >= 2 }
        let own = try #require(
            try town.system.published(by: .transitAlert).first {
                $0.type == AlertRaised.protobufName
            })
        // One is about a journey that the notifier doesn't know otherwise, one somebody else's.
        var alert = try AlertRaised(unpacking: own.data)
        var (lost, others) = (own, own)
        lost.subject = "0196c3a5-8c14-7d2e-9a61-3f0c5f1b2a01"
        (alert.subject, alert.key) = (lost.subject, "journey/\(lost.subject)/getReady")
        lost.data = alert.packed()
        others.subject = "0196c3a5-8c14-7d2e-9a61-3f0c5f1b2a02"
        (alert.subject, alert.key) = (others.subject, "journey/\(others.subject)/getReady")
        alert.recipient = "quentin"
        others.data = alert.packed()
        town.notifier.kill()
        for event in [own, lost, others] { try putAside(event, at: .notifier) }
        try town.restartNotifier()
        #expect(try user.run("dead-letters list").contains("a trial"))

        try user.run("transit erase --yes")

        try eventually("only that of somebody else is left") {
            try town.system.query(.notifier, "SELECT subject FROM deadLetter")
                == [[others.subject]]
        }
        let folder = town.system.path("data")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { $0.hasPrefix("notifier.sqlite") }
        for id in [own.subject, lost.subject] {
            try eventually("no file of the notifier has \(id)") {
                try names.allSatisfy {
                    try Data(contentsOf: URL(filePath: "\(folder)/\($0)"))
                        .range(of: Data(id.utf8)) == nil
                }
            }
        }
    }

    @Test func `T10 erasing covers what can't be read of a ride's alerts, too`() throws {
        let ride = Town.root + "/deploy/demo/ride.csv"
        try user.run("transit ride '\(ride)' --to 4131 --speed 400")
        try eventually("the notifier has all, and the first is over") {
            let alerts = try town.alerts()
            return alerts.count >= 2 && alerts[0].state != .open
        }
        let own = try #require(
            try town.system.published(by: .transitAlert).first {
                $0.type == AlertRaised.protobufName
            })
        town.notifier.kill()
        try putAside(own, at: .notifier, damage: [UInt8](repeating: 0xFF, count: 11))
        try town.system.edit(
            .notifier,
            """
            UPDATE alert SET alert = X'FF' WHERE id = (
                SELECT min(id) FROM alert WHERE source = 'transit-alert-service')
            """)
        try town.restartNotifier()

        try user.run("transit erase --yes")

        try eventually("neither the alerts nor the letter is left") {
            try town.system.query(
                .notifier, "SELECT id FROM alert WHERE source = 'transit-alert-service'") == []
                && town.system.query(.notifier, "SELECT id FROM deadLetter") == []
        }
    }

    @Test func `T10 what can't be read stops no erasure, and is erased with it`() throws {
        let ride = Town.root + "/deploy/demo/ride.csv"
        try user.run("transit ride '\(ride)' --to 4131 --speed 400")
        try eventually("the notifier has all") { try town.alerts().count >= 2 }
        let before = try town.system.published(by: .transitAlert)
        town.notifier.kill()
        try town.system.edit(
            .notifier,
            """
            UPDATE notice SET notice = X'FF' WHERE sequence = 1;
            INSERT INTO deadLetter (producer, sequence, type, envelope, reason, time, subject)
            VALUES ('transit-alert-service', 1, 'alert.AlertRaised', X'FF', 'a trial', 1, '');
            """)
        // The envelope of this letter can be read, but not its alert.
        var letter = try #require(before.first { $0.type == AlertRaised.protobufName })
        (letter.subject, letter.data) = ("", [0xFF])
        try putAside(letter, at: .notifier)
        try town.system.edit(
            .transitAlert,
            """
            UPDATE outbox SET envelope = X'FF' WHERE sequence = \(before[1].sequence);
            UPDATE inbox SET reply = X'FF' WHERE id = (SELECT max(id) FROM inbox);
            """)
        try town.restartNotifier()

        try user.run("transit erase --yes")

        let damaged: [(service: ServiceName, rows: String)] = [
            (.notifier, "notice WHERE notice"), (.notifier, "deadLetter WHERE envelope"),
            (.transitAlert, "outbox WHERE envelope"), (.transitAlert, "inbox WHERE reply"),
        ]
        for (service, rows) in damaged {
            try eventually("no damage is left: \(rows)") {
                try town.system.query(service, "SELECT count(*) FROM \(rows) = X'FF'") == [["0"]]
            }
        }
        try eventually("no dead letter is left") {
            try town.system.query(.notifier, "SELECT id FROM deadLetter") == []
        }
        // Followers find their place as before.
        let after = try town.system.published(by: .transitAlert)
        #expect(after.prefix(before.count).map(\.id) == before.map(\.id))
        #expect(after[1].epoch == before[1].epoch && after[1].previous == before[0].id)
    }
}
