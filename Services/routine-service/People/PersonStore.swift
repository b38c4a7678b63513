import Foundation
import GRDB
import Messages
import ServiceRuntime

/// A person whose days are kept.
struct PersonRow {
    let account: String
    /// The organisation of the account.
    let organisation: String
    var settings: DaySettings
    /// True if the settings can't be read; these are then what is known of them otherwise.
    private(set) var isDamaged = false

    /// The time zone: UTC until the person has one.
    var zone: String { settings.timeZone.isEmpty ? "UTC" : settings.timeZone }

    /// Returns the person of an account; nil for one who has stored nothing yet.
    static func ofAccount(_ account: String, _ db: Database) throws -> PersonRow? {
        guard let row = try stored(account, db) else { return nil }
        do { return try PersonRow(row) } catch is ProtobufError { return try salvaged(row, db) }
    }

    /// Returns the same, and reports settings that can't be read.
    static func ofAccount(_ account: String, in transaction: Transaction) throws -> PersonRow? {
        guard let row = try stored(account, transaction.db) else { return nil }
        let person = try transaction.readable("day settings") { try PersonRow(row) }
        return try person ?? salvaged(row, transaction.db)
    }

    private static func stored(_ account: String, _ db: Database) throws -> Row? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: "SELECT account, organisation, settings FROM person WHERE account = ?"),
            arguments: [account])
    }

    /// How many of a person's last days show what the settings were.
    private static let daysLooked = 10

    /// A person whose settings can't be read. The alerts go on as in the last days, and until the
    /// person changes the settings, nobody else may change anything or gets copies. Medicine is
    /// urgent, because it may have been before.
    private static func salvaged(_ row: Row, _ db: Database) throws -> PersonRow {
        let account: String = row["account"]
        var settings = DaySettings.usual(of: account)
        settings.urgent = ["medicine"]
        let days = try Day.last(daysLooked, of: account, db)
        if let day = days.first {
            (settings.timeZone, settings.warning) = (day.timeZone, day.warning)
            (settings.wake, settings.sleep) = (day.wake, day.sleep)
        }
        let items = days.flatMap(\.items)
        settings.withMeetings = items.contains { $0.stands(for: .meeting) }
        settings.withShifts = items.contains { $0.stands(for: .shift) }
        var person = PersonRow(
            account: account, organisation: row["organisation"], settings: settings)
        person.isDamaged = true
        return person
    }

    /// Returns the accounts of the people who let a carer change their days or send the carer
    /// copies of alerts.
    static func naming(_ carer: String, _ db: Database) throws -> [String] {
        try String.fetchAll(
            db.cachedStatement(sql: "SELECT person FROM carer WHERE carer = ? ORDER BY person"),
            arguments: [carer])
    }

    /// Saves the person.
    func save(_ db: Database) throws {
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO person (account, organisation, settings) VALUES (?, ?, ?)
                """, arguments: [account, organisation, Data(settings.packed())])
        try saveCarers(db)
    }

    /// Saves who may change the person's days or gets copies of alerts, to find the person by them.
    private func saveCarers(_ db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM carer WHERE person = ?")
            .execute(arguments: [account])
        let insert = try db.cachedStatement(
            sql: "INSERT INTO carer (carer, person) VALUES (?, ?)")
        for carer in Set(settings.editors + settings.told) {
            try insert.execute(arguments: [carer, account])
        }
    }

    /// Makes the table of carers. Earlier versions had them in the settings alone.
    static func makeCarers(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE carer (
                    carer TEXT NOT NULL, person TEXT NOT NULL, PRIMARY KEY (carer, person)
                ) WITHOUT ROWID, STRICT;
                CREATE INDEX carerByPerson ON carer (person);
                """)
        for row in try Row.fetchAll(db, sql: "SELECT account, organisation, settings FROM person") {
            guard let settings = DaySettings.readable(row["settings"]) else { continue }
            let person = PersonRow(
                account: row["account"], organisation: row["organisation"], settings: settings)
            try person.saveCarers(db)
        }
    }
}

extension PersonRow {
    fileprivate init(_ row: Row) throws {
        self.init(
            account: row["account"], organisation: row["organisation"],
            settings: try DaySettings(stored: [UInt8](row["settings"] as Data)))
    }
}
