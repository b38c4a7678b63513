import Bus
import Foundation
import GRDB
import Messages
import TestSupport
import TestThreads
import Testing

/// Tests the programs of this version on the stores of earlier ones. `Stores` has a folder for each
/// version whose stores may be in use, written by that version and dumped as SQL. The clock of the
/// programs shows an hour after that, because closed alerts are deleted, and signing keys replaced,
/// as time passes.
@Suite(.serialized, .waiting) struct UpgradeTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Stores")
    private static let versions = Result {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }
    /// The tables that are kept as long as the installation lives, by service.
    private static let lasting: [ServiceName: [String]] = [
        .account: ["account", "organisation", "audit", "signingKey", "fact"],
        .notifier: ["alert"],
        .transitAlert: ["feed", "journey"],
    ]
    /// A column that has since moved to another table: see `StandingAlertTests`.
    private static let moved = ["journey": "alerts"]

    private let system: System
    private let user: CommandLineUser
    private let settings: [String: String]

    init() throws {
        system = try System()
        settings = [
            "LD_PRELOAD": "\(System.executables)/libShiftedClock.so",
            "SHIFTED_CLOCK": system.path("clock"),
        ]
        user = CommandLineUser(of: system, device: "desk", adding: settings)
    }

    /// Sets the clock of all programs to an hour after the newest event in the stores of services.
    private func setClock(after services: some Sequence<ServiceName>) throws {
        let times = try services.map { service -> Int64 in
            let rows = try system.query(service, "SELECT coalesce(max(time), 0) FROM outbox")
            return Int64(rows.first?.first ?? "") ?? 0
        }
        let newest = try #require(times.max())
        let seconds = (newest - WallClock.milliseconds()) / 1000 + 3600
        try "\(seconds)".write(toFile: system.path("clock"), atomically: true, encoding: .utf8)
    }

    @Test func `the stores of the first release are among the samples`() throws {
        #expect(try Self.versions.get().contains("0.1.0"))
    }

    @Test(arguments: try versions.get())
    func `what an earlier version stored is kept`(version: String) throws {
        try system.makeFolder("data")
        let dumps = Self.folder.appending(path: version)
        var heads: [ServiceName: Int] = [:]
        var kept: [String: [[String: DatabaseValue]]] = [:]
        for service in ServiceName.allCases {
            let dump = dumps.appending(path: "\(service.rawValue).sql").path
            // A newer service begins with an empty store.
            guard FileManager.default.fileExists(atPath: dump) else { continue }
            let load = try system.spawn(
                ["/bin/sh", "-c", "sqlite3 '\(system.store(service))' < '\(dump)'"],
                environment: system.environment())
            try #require(try load.waitForEnd() == .exited(0), "\(load.err)")
            heads[service] = try head(service)
            for table in Self.lasting[service] ?? [] {
                let rows = try rows(of: table, service)
                #expect(!rows.isEmpty, "\(table)")
                kept[table] = rows
            }
        }
        #expect(heads.count >= 3)

        try setClock(after: heads.keys)
        let programs = try ServiceName.allCases.map {
            try system.launch($0.rawValue, adding: settings)
        }
        for program in programs { try program.waitUntilReady() }

        for (service, tables) in Self.lasting where heads[service] != nil {
            for table in tables {
                let now = try rows(of: table, service)
                for row in kept[table] ?? [] {
                    // A later version may have added columns to the table.
                    #expect(
                        now.contains { found in
                            row.allSatisfy { (column, value) in
                                found[column] == value || Self.moved[table] == column
                            }
                        },
                        "\(table): \(row)")
                }
            }
        }
        let organisations = try user.client(of: .account)
            .ask(ListOrganisations(), for: Organisations.self).organisations.map(\.name)
        #expect(organisations.contains("north"))
        let login = try user.client(of: .account).ask(
            LogIn(name: "root", password: "harbour bridge at noon"), for: LoggedIn.self)
        #expect(!login.refreshToken.isEmpty)
        let feeds = try user.client(of: .transitAlert).ask(ListFeeds(), for: Feeds.self).feeds
        #expect(feeds.map(\.name) == ["harbour-line"])
        let alerts = try user.client(of: .notifier)
            .ask(ListAlerts(recipient: "root", limit: 100), for: Alerts.self).alerts
        #expect(alerts.map { $0.raised?.kind } == ["transit.now", "transit.getReady"])
        #expect(alerts.allSatisfy { $0.raised?.title.contains("General Hospital") == true })
        for (service, before) in heads {
            #expect(try head(service) >= before)
            let status = try user.client(of: service).ask(ReadStatus(), for: ServiceStatus.self)
            #expect(status.deadLetters == 0)
        }
        try eventually("everyone has followed") {
            try ServiceName.allCases.allSatisfy { service in
                try user.client(of: service).ask(ReadStatus(), for: ServiceStatus.self)
                    .cursors.allSatisfy { $0.heard > 0 && $0.sequence == $0.head }
            }
        }
        withExtendedLifetime(programs) {}
    }

    /// Returns all rows of a table, each with its values by column.
    private func rows(
        of table: String, _ service: ServiceName
    ) throws -> [[String: DatabaseValue]] {
        try system.reading(service) { db in
            try Row.fetchAll(db, sql: "SELECT * FROM \(table)").map { row in
                Dictionary(row.map { ($0, $1) }) { first, _ in first }
            }
        }
    }

    private func head(_ service: ServiceName) throws -> Int {
        let rows = try system.query(service, "SELECT coalesce(max(sequence), 0) FROM outbox")
        return Int(rows.first?.first ?? "") ?? -1
    }
}
