import Bus
import Foundation
import GRDB
import Messages
import ServiceRuntime
import TestStore
import TestSupport
import Testing

@testable import ChecklistService

/// Who holds a role at a site, in an organisation with very many people.
struct LeaderTests {
    private static let roles: [Role] = [.crew, .supervisor, .siteManager]
    private static let sites = ["", "bar", "deck"]

    private let store: DatabaseQueue

    init() throws {
        store = try DatabaseQueue()
        try ChecklistStore.migrator.migrate(store)
    }

    /// Someone with each combination of two grants, in two organisations, able to log in or not.
    private static let everyone: [Account] = {
        let grants = roles.flatMap { role in sites.map { Grant(role: role, site: $0) } }
        var accounts: [Account] = []
        for organisation in ["o", "p"] {
            for isDisabled in [false, true] {
                for first in grants {
                    for second in grants {
                        let number = accounts.count
                        accounts.append(
                            Account(
                                id: "\(number)", name: "person \(number * 7 % 1_000)",
                                organisation: organisation, grants: [first, second],
                                isDisabled: isDisabled))
                    }
                }
            }
        }
        return accounts
    }()

    private func found(_ role: Role, _ site: String, _ db: Database) throws -> [String] {
        try Person.holding(role, at: site, of: "o", db).map(\.account.id)
    }

    private func expected(_ role: Role, _ site: String, among people: [Account]) -> [String] {
        people.filter { account in
            account.organisation == "o" && !account.isDisabled
                && account.grants.contains {
                    $0.role == role && ($0.site.isEmpty || $0.site == site)
                }
        }.sorted { ($0.name, $0.id) < ($1.name, $1.id) }.map(\.id)
    }

    @Test func `those who hold a role are found as if everyone were examined`() throws {
        try store.write { db in
            for account in Self.everyone { try Person(account: account).save(db) }
            for role in Person.leading {
                for site in ["bar", "deck"] {
                    let all = expected(role, site, among: Self.everyone)
                    #expect(try found(role, site, db) == all)
                    #expect((1...Person.mostLeaders).contains(all.count))
                }
            }
            // Everybody's roles change.
            var changed = Self.everyone
            for index in changed.indices { changed[index].grants = changed[index].grants.suffix(1) }
            for account in changed { try Person(account: account).save(db) }
            for role in Person.leading {
                #expect(try found(role, "bar", db) == expected(role, "bar", among: changed))
            }
            let kept = Set(changed.prefix(20).map(\.id))
            try Person.forgetAll(except: kept, db)
            for role in Person.leading {
                let rest = changed.filter { kept.contains($0.id) }
                #expect(try found(role, "bar", db) == expected(role, "bar", among: rest))
            }
        }
    }

    @Test func `of very many, the first by name are found, at the site or everywhere`() throws {
        try store.write { db in
            let most = Person.mostLeaders
            for number in 0..<(2 * most) {
                let site = number % 2 == 0 ? "" : "bar"
                let account = Account(
                    id: "\(number)", name: "person \(1_000 + number)", organisation: "o",
                    grants: [Grant(role: .supervisor, site: site)])
                try Person(account: account).save(db)
            }
            #expect(try found(.supervisor, "bar", db) == (0..<most).map(String.init))
        }
    }

    @Test func `someone whose row can't be read keeps nobody from being found`() throws {
        try store.write { db in
            for (id, site) in [("1", "bar"), ("2", "")] {
                let account = Account(
                    id: id, name: "person \(id)", organisation: "o",
                    grants: [Grant(role: .supervisor, site: site)])
                try Person(account: account).save(db)
            }
            try db.execute(sql: "UPDATE person SET account = x'FF' WHERE id = '1'")

            #expect(try found(.supervisor, "bar", db) == ["1", "2"])
            let damaged = try #require(try Person.named("Person 1", of: "o", db))
            #expect(damaged.holdsRole(at: "bar") && !damaged.holdsRole(at: "deck"))
        }
    }

    @Test func `rows that can't be read are reported when somebody is to be alerted`() throws {
        var checklist = try MemoryStore(of: .checklist, ChecklistStore.migrator)
        var reported: [String] = []
        checklist.asideNoted = { reported.append($0.type) }
        try checklist.run { transaction in
            let db = transaction.db
            for id in ["1", "2"] {
                let account = Account(
                    id: id, name: "person \(id)", organisation: "o",
                    grants: [Grant(role: .supervisor)])
                try Person(account: account).save(db)
            }
            try db.execute(sql: "UPDATE person SET account = x'FF' WHERE id = '1'")

            let found = try Person.holding(
                .supervisor, at: "bar", of: "o", db, reportedIn: transaction)
            #expect(found.map(\.account.id) == ["1", "2"])
            for id in ["1", "2"] {
                _ = try Person.named("Person \(id)", of: "o", db, reportedIn: transaction)
                _ = try Person.ofID(id, db, reportedIn: transaction)
            }
        }
        #expect(reported == ["account", "account", "account"])
    }

    @Test func `a shift manager has a substitute only if it is known that they have left`() throws {
        let checklist = try MemoryStore(of: .checklist, ChecklistStore.migrator)
        try checklist.run { transaction in
            let db = transaction.db
            let shift = Shift(id: "s", organisation: "o", site: "bar", manager: "mia")
            func substitute() throws -> String? {
                try Reminders.substitute(shift, SiteSettings(site: "bar"), in: transaction)
            }
            let sue = Account(
                id: "sue", name: "sue", organisation: "o", grants: [Grant(role: .supervisor)])
            try Person(account: sue).save(db)
            #expect(try substitute() == nil)

            var mia = Account(
                id: "mia", name: "mia", organisation: "o",
                grants: [Grant(role: .shiftManager, site: "bar")])
            try Person(account: mia).save(db)
            #expect(try substitute() == nil)
            // The role of a shift manager is only in the row.
            try db.execute(sql: "UPDATE person SET account = x'FF' WHERE id = 'mia'")
            #expect(try substitute() == nil)

            mia.grants = []
            try Person(account: mia).save(db)
            #expect(try substitute() == "sue")
        }
    }

    @Test func `people whom an earlier version kept are found`() throws {
        let former = try DatabaseQueue()
        try ChecklistStore.migrator.migrate(
            former, upTo: "checklist: when schedules were checked")
        try former.write { db in
            for account in Self.everyone {
                try db.execute(
                    sql: "INSERT INTO person (id, organisation, name, account) VALUES (?, ?, ?, ?)",
                    arguments: [
                        account.id, account.organisation, account.name,
                        Data(account.packed()),
                    ])
            }
        }
        try ChecklistStore.migrator.migrate(former)
        let all = expected(.supervisor, "bar", among: Self.everyone)
        let leaders = try former.read { try found(.supervisor, "bar", $0) }
        #expect(leaders == all)
    }

    @Test func `many changes of an organisation's people wake its alerted shifts once`() throws {
        let checklist = try MemoryStore(of: .checklist, ChecklistStore.migrator)
        try checklist.run { transaction in
            let db = transaction.db
            for account in Self.everyone {
                try Sites.personChanged(
                    AccountChanged(account: account), Envelope(), in: transaction)
            }
            let timers = "SELECT subject FROM timer WHERE kind = ? ORDER BY subject"
            #expect(try String.fetchAll(db, sql: timers, arguments: ["people"]) == ["o", "p"])
            for (id, site, ended) in [("a", "bar", 0), ("b", "deck", 0), ("c", "bar", 1)] {
                try db.execute(
                    sql: """
                        INSERT INTO shift (id, organisation, site, manager, managerName, date,
                            started, ended, head, shift)
                        VALUES (?, 'o', ?, '', '', '', 1, ?, 0, x'')
                        """, arguments: [id, site, ended])
            }
            for subject in ["a", "c"] {
                try transaction.settle(
                    [StandingAlert(AlertRaised(key: subject, subject: subject), since: 1)],
                    of: subject)
            }

            try Reminders.wakeAlerted(of: "o", due: 0, in: transaction)

            #expect(try String.fetchAll(db, sql: timers, arguments: ["watch"]) == ["a"])
            let steps = try db.steps(of: ShiftRow.alertedSelection, ["o"])
            #expect(steps.contains { $0.contains("openShift") }, "\(steps)")
        }
    }

    @Test func `a snapshot writes only what differs, and wakes those who lose someone`() throws {
        let checklist = try MemoryStore(of: .checklist, ChecklistStore.migrator)
        try checklist.run { transaction in
            let db = transaction.db
            func written(by accounts: [Account]) throws -> Int {
                let before = db.totalChangesCount
                let events = accounts.map(AccountChanged.init(account:))
                try ChecklistService.forget(
                    .account,
                    except: events.map {
                        Envelope(
                            type: AccountChanged.protobufName, subject: $0.account.id,
                            data: $0.packed())
                    }, transaction)
                for event in events {
                    try Sites.personChanged(event, Envelope(), in: transaction)
                }
                return db.totalChangesCount - before
            }
            #expect(try written(by: Self.everyone) > Self.everyone.count)
            try db.execute(sql: "DELETE FROM timer")

            #expect(try written(by: Self.everyone) == 0)

            let rest = Array(Self.everyone.dropFirst())
            #expect(try (1...10).contains(written(by: rest)))
            #expect(try String.fetchAll(db, sql: "SELECT subject FROM timer") == ["o"])
            #expect(try Person.ofID(Self.everyone[0].id, db) == nil)
            var renamed = rest
            renamed[rest.count - 1].name = "ann"
            #expect(try (1...10).contains(written(by: renamed)))
            #expect(try Person.named("ann", of: "p", db)?.account == renamed.last)
        }
    }

    @Test func `someone is found by name without examining others`() throws {
        let steps = try store.read {
            try $0.steps(
                of: "SELECT account FROM person WHERE organisation = ? AND name = ?", ["o", "ann"])
        }
        #expect(steps.count == 1 && steps[0].contains("personByName"), "\(steps)")
    }
}
