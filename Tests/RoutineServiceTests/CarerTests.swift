import GRDB
import Messages
import ServiceRuntime
import TestStore
import Testing

@testable import RoutineService

/// Who gets copies of alerts, in a real store.
struct CarerTests {
    /// The morning of 2027-01-15.
    private static let now: Int64 = 1_800_000_000_000

    private let store: MemoryStore

    init() throws {
        store = try MemoryStore(of: .routine, RoutineStore.migrator)
    }

    private func run<R>(_ body: (Transaction) throws -> R) throws -> R {
        try store.run(at: Self.now, body)
    }

    /// Keeps people who want copies sent to some accounts, each with a day that the weekly rhythm
    /// has proposed, which raises an alert.
    private func keep(_ people: [String], told: [String], zone: String = "UTC") throws {
        try run { transaction in
            for account in people {
                var settings = DaySettings.usual(of: account)
                (settings.told, settings.name) = (told, account)
                try PersonRow(account: account, organisation: "local", settings: settings)
                    .save(transaction.db)
                try Day(
                    person: account, date: "2027-01-15", timeZone: zone, state: .proposed,
                    rhythm: "Work"
                ).save(transaction.db)
            }
        }
    }

    /// Sends the alerts of a person's days.
    private func tell(_ account: String) throws {
        try run { transaction in
            let person = try #require(try PersonRow.ofAccount(account, transaction.db))
            try DayWatch.settle(person, in: transaction)
        }
    }

    /// An account was changed.
    private func change(
        _ account: String, caresFor people: [String], isDisabled: Bool = false
    ) throws {
        try run { transaction in
            let account = Account(
                id: account, organisation: "local", isDisabled: isDisabled, caresFor: people)
            try People.accountChanged(
                AccountChanged(account: account), Envelope(), in: transaction)
        }
    }

    /// Whom a person wants to get copies.
    private func told(of person: String) throws -> [String] {
        try run { transaction in
            let row = try #require(try PersonRow.ofAccount(person, transaction.db))
            return row.settings.told
        }
    }

    /// Who gets the alerts of a person's day.
    private func recipients(of person: String) throws -> [String] {
        let alerts = try run { try $0.standingAlerts(of: "\(person)/2027-01-15") }
        return alerts.map(\.raised.recipient).sorted()
    }

    @Test func `a former carer is removed from all people, even one in an unknown zone`() throws {
        try keep(["ada", "cia"], told: ["kim"])
        try keep(["bea"], told: ["kim"], zone: "Mars/Olympus")
        for person in ["ada", "cia"] {
            try tell(person)
            #expect(try recipients(of: person) == [person, "kim"])
        }

        try change("kim", caresFor: [])

        for person in ["ada", "cia"] { #expect(try recipients(of: person) == [person]) }
        #expect(try told(of: "bea") == [])
    }

    @Test(arguments: [
        ("day SET day", "person = 'ada'"), ("person SET settings", "account = 'ada'"),
        ("standingAlert SET alert", "key = 'day/ada/2027-01-15/proposal'"),
    ])
    func `unreadable data of one person keeps no other from losing a carer`(
        damaged: String, key: String
    ) throws {
        try keep(["ada", "bea"], told: ["kim"])
        for person in ["ada", "bea"] { try tell(person) }
        try run { transaction in
            try transaction.db.execute(sql: "UPDATE \(damaged) = x'FF' WHERE \(key)")
        }

        try change("kim", caresFor: [])

        #expect(try told(of: "bea") == [])
        #expect(try recipients(of: "bea") == ["bea"])
        // The copies of what can't be read are withdrawn too.
        let copies = try run { transaction in
            try String.fetchAll(
                transaction.db, sql: "SELECT key FROM standingAlert WHERE key LIKE '%/kim'")
        }
        #expect(copies == [])
        // So no copy is sent again, even when the rows can be read.
        let people = try run { try CareStore.people(of: "kim", $0.db) }
        #expect(people == [])
    }

    @Test func `only carers get copies: nobody before becoming one or after ceasing to be one`()
        throws
    {
        try change("kim", caresFor: [])
        try keep(["ada"], told: ["kim", "unknown"])
        try tell("ada")
        #expect(try recipients(of: "ada") == ["ada", "unknown"])

        try change("kim", caresFor: ["ada"])
        #expect(try recipients(of: "ada") == ["ada", "kim", "unknown"])

        try change("kim", caresFor: ["ada"], isDisabled: true)
        #expect(try recipients(of: "ada") == ["ada", "unknown"])
        #expect(try told(of: "ada") == ["unknown"])
    }

    @Test func `a carer who is named at once isn't removed by an earlier change of the account`()
        throws
    {
        try change("kim", caresFor: [])
        try keep(["ada"], told: ["kim"])

        try change("kim", caresFor: ["bea"])
        #expect(try told(of: "ada") == ["kim"])
        #expect(try recipients(of: "ada") == [])

        try change("kim", caresFor: ["ada", "bea"])
        #expect(try recipients(of: "ada") == ["ada", "kim"])
    }

    @Test func `someone with a day in an unknown zone may change settings`() throws {
        let owner = try run { $0.principal.account }
        try keep([owner], told: [], zone: "Mars/Olympus")
        let settings = try run {
            try People.change(ChangeDaySettings(warning: 10), in: $0)
        }
        #expect(settings.warning == 10)
    }

    @Test func `a carer abroad doesn't choose the zone of the person`() throws {
        let ada = Principal.account("ada", organisation: "local")
        let kari = Principal.account("kari", organisation: "local", caresFor: ["ada"])
        let tea = Appointment(name: "Tea", from: 1_200, until: 1_260)
        func plan(_ date: String, as principal: Principal, _ zone: String) throws -> Day {
            let command = PlanDay(
                person: "ada", date: date, appointments: [tea], timeZone: zone)
            return try store.run(at: Self.now, as: principal) {
                try Days.plan(command, in: $0)
            }
        }
        _ = try store.run(at: Self.now, as: ada) {
            try People.change(ChangeDaySettings(addEditor: "kari"), in: $0)
        }

        for principal in [kari, .machineOwner] {
            let refusal = #expect(throws: Refusal.self) {
                try plan("2027-01-16", as: principal, "America/New_York")
            }
            #expect(refusal?.message.contains("not chosen a time zone") == true)
        }
        let zone = try run { try PersonRow.ofAccount("ada", $0.db)?.settings.timeZone }
        #expect(zone == "")

        #expect(try plan("2027-01-16", as: ada, "Europe/Oslo").timeZone == "Europe/Oslo")
        #expect(try plan("2027-01-17", as: kari, "America/New_York").timeZone == "Europe/Oslo")
    }
}
