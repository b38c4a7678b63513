import GRDB
import Messages
import RedmineMirror
import ServiceRuntime
import TestStore
import Testing

@testable import ProjectService

/// What becomes of alerts and log-ins when somebody leaves the organisation, in a real store.
struct LeaverTests {
    /// The morning of 2026-06-01.
    private static let now: Int64 = 1_780_300_800_000
    private static let ann = Principal.account(
        "ann", organisation: "o", grants: [Grant(role: .crew)])
    private static let lead = Principal.account(
        "lead", organisation: "o", grants: [Grant(role: .shiftManager)])

    private let store: MemoryStore
    private let project: Project

    /// Makes a project in which Ann has said who she is.
    init() throws {
        store = try MemoryStore(of: .project, ProjectStore.migrator)
        project = try store.run(at: Self.now, as: Self.lead) {
            try Projects.create(
                CreateProject(project: Project(identifier: "house", name: "House")), in: $0)
        }
        try edit(
            .member(TeamMember(name: "Ann", account: "me", timeZone: "UTC", share: 100)),
            as: Self.ann)
    }

    private func edit(_ thing: ProjectThing.Thing, as person: Principal = Self.lead) throws {
        try store.run(at: Self.now, as: person) { transaction in
            _ = try Edits.edit(
                EditProject(project: project.id, actions: [.keep(thing)]), in: transaction)
        }
    }

    /// Adds an issue for Ann, which was due long ago, or changes it.
    private func keepRoof(number: UInt32 = 0, due: String = "2020-01-02") throws {
        try edit(
            .issue(
                TrackedIssue(
                    number: number, subject: "Roof", assignee: 1, start: "2020-01-01", due: due)))
    }

    /// Ann's account was changed, and the timers that this has set have fired.
    private func change(isDisabled: Bool = false, _ grants: [Grant]) throws {
        try store.run(at: Self.now, as: .system) { transaction in
            let account = Account(
                id: "ann", organisation: "o", grants: grants, isDisabled: isDisabled)
            try People.accountChanged(
                AccountChanged(account: account), Envelope(), in: transaction)
            guard try transaction.timerDue("review", subject: project.id) != nil else { return }
            try transaction.cancelTimer("review", subject: project.id)
            try IssueWatch.settleAll(project.id, due: Self.now, in: transaction)
        }
    }

    /// The kinds of the alerts of the issue.
    private func alerts() throws -> [String] {
        let subject = IssueAlerts.subject(1, of: project)
        let standing = try store.run(at: Self.now) { try $0.standingAlerts(of: subject) }
        #expect(standing.allSatisfy { $0.raised.recipient == "ann" })
        return standing.map(\.raised.kind)
    }

    @Test(arguments: [
        (true, [Grant(role: .crew)]), (false, []), (false, [Grant(role: .display)]),
    ])
    func `somebody who has left gets no alerts until they come back`(
        isDisabled: Bool, grants: [Grant]
    ) throws {
        try keepRoof()
        #expect(try alerts() == ["project.assigned", "project.overdue"])

        try change(isDisabled: isDisabled, grants)
        #expect(try alerts() == [])
        try keepRoof(number: 1, due: "2020-01-03")
        try store.run(at: Self.now, as: .system) {
            try IssueWatch.wake(project.id, due: Self.now, in: $0)
        }
        #expect(try alerts() == [])

        try change([Grant(role: .crew)])
        #expect(try alerts() == ["project.overdue"])
    }

    @Test func `an account that has changed otherwise keeps its alerts as they are`() throws {
        try keepRoof()

        try change([Grant(role: .siteManager, site: "s")])

        #expect(try alerts() == ["project.assigned", "project.overdue"])
    }

    @Test func `someone who stays is alerted to an issue as long as it is overdue`() throws {
        try keepRoof()
        let subject = IssueAlerts.subject(1, of: project)
        for _ in 1...65 {
            let due = try store.run(at: Self.now) {
                try $0.timerDue(IssueWatch.morning, subject: project.id)
            }
            let morning = try #require(due)
            try store.run(at: morning, as: .system) { transaction in
                try IssueWatch.wake(project.id, due: morning, in: transaction)
                let overdue = try transaction.standingAlerts(of: subject)
                    .filter { $0.raised.kind == "project.overdue" }
                #expect(overdue.count == 1)
                #expect(overdue.allSatisfy { $0.raised.expiresAt > morning })
            }
        }
    }

    /// Keeps a log-in at a Redmine server.
    private func logIn(_ account: String, _ transaction: Transaction) throws {
        try RedmineLogInRow(
            logIn: RedmineLogIn(id: account, server: "https://redmine", account: account),
            organisation: "o", user: 1, sealed: [1]
        ).save(transaction.db)
    }

    @Test func `log-ins of people who have left are deleted, and their mirrors stop and say so`()
        throws
    {
        try store.run(at: Self.now) { transaction in
            for account in ["ann", "lead"] { try logIn(account, transaction) }
            var mirror = MirrorRow(
                project: project.id, logIn: "ann", remote: 1, identifier: "house",
                due: Self.now + 60_000)
            mirror.failures = MirrorAlerts.patience
            try mirror.save(transaction.db)
            try MirrorAlerts.settle(mirror, of: project, 2, in: transaction)
        }
        #expect(try mirrorAlerts().map(\.recipient) == ["ann", "ann"])

        try change(isDisabled: true, [Grant(role: .crew)])
        let round = try store.run(at: Self.now, as: .system) { try Mirrors.take($0) }

        #expect(round == nil)
        try store.run(at: Self.now) { transaction in
            let left = try String.fetchAll(transaction.db, sql: "SELECT id FROM redmineLogIn")
            #expect(left == ["lead"])
            #expect(try MirrorRow.of(project.id, transaction.db)?.due == .max)
        }
        try expectOneAlertOfAdministrators()
    }

    @Test func `a mirror whose log-in is gone goes on with the log-in of whoever links it again`()
        throws
    {
        try store.run(at: Self.now) { transaction in
            for account in ["ann", "lead"] { try logIn(account, transaction) }
            var mirror = MirrorRow(
                project: project.id, logIn: "ann", remote: 1, identifier: "house", due: Self.now)
            mirror.server = "https://redmine"
            try mirror.save(transaction.db)
        }
        func link(_ number: Int = 1, _ name: String = "house") throws -> RedmineLink {
            let there = #"{"project":{"id":\#(number),"identifier":"\#(name)","name":"House"}}"#
            let remote = try RedmineReader.project(Array(there.utf8))
            return try store.run(at: Self.now, as: Self.lead) {
                try Redmines.link(LinkRedmine(remote: name), remote, in: $0)
            }
        }
        // While Ann is there, it is hers.
        #expect(throws: Refusal.self) { try link() }
        try change([])
        _ = try store.run(at: Self.now, as: .system) { try Mirrors.take($0) }
        // That the organisation has no room for more mirrors doesn't matter.
        try fillMirrors()
        let full = #expect(throws: Refusal.self) { try link(9_999, "shed") }
        #expect(full?.message.hasPrefix("1000 projects of the organisation") == true)

        let linked = try link()

        #expect(linked.project?.id == project.id && linked.server == "https://redmine")
        let mirror = try store.run(at: Self.now) { try MirrorRow.of(project.id, $0.db) }
        #expect(mirror?.logIn == "lead" && mirror?.due == Self.now && mirror?.failure == "")
    }

    /// Gives the organisation, which has one mirror, as many as it may have.
    private func fillMirrors() throws {
        try store.run(at: Self.now) { transaction in
            for number in 2...MirrorRow.mostOfOrganisation {
                let id = "\(number)"
                try transaction.db.execute(
                    sql: "INSERT INTO project VALUES (?, 'o', ?, '', '', 0, 0, '', 0, x'')",
                    arguments: [id, id])
                try MirrorRow(project: id, logIn: "", remote: number, identifier: id, due: .max)
                    .save(transaction.db)
            }
        }
    }

    /// The open alerts about the project's mirror.
    private func mirrorAlerts() throws -> [AlertRaised] {
        try store.run(at: Self.now) {
            try $0.standingAlerts(of: MirrorAlerts.subject(project.id)).map(\.raised)
        }
    }

    private func expectOneAlertOfAdministrators() throws {
        let told = try mirrorAlerts()
        #expect(told.map(\.kind) == ["project.mirrorDown"])
        #expect(told.map(\.audience?.role) == [.administrator])
        #expect(told.map(\.recipient) == [""])
    }

    @Test func `the alerts of a mirror that had stopped before go to the administrators`() throws {
        try store.run(at: Self.now) { transaction in
            try logIn("ann", transaction)
            let mirror = MirrorRow(
                project: project.id, logIn: "ann", remote: 1, identifier: "house", due: .max)
            try mirror.save(transaction.db)
            try MirrorAlerts.settle(mirror, of: project, 0, in: transaction)
        }
        #expect(try mirrorAlerts().map(\.recipient) == ["ann"])

        try change([])

        try store.run(at: Self.now) { (transaction: Transaction) throws in
            #expect(try transaction.timerDue("mirrorAlert", subject: project.id) == Self.now)
            let mirror = try #require(try MirrorRow.of(project.id, transaction.db))
            #expect(mirror.due == .max)
            // As when the timer fires.
            try MirrorAlerts.settle(mirror, of: project, 0, in: transaction)
        }
        try expectOneAlertOfAdministrators()
    }
}
