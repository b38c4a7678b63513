import Bus
import Foundation
import GRDB
import Messages
import ServiceRuntime
import TestSupport
import TestThreads
import Testing

@testable import Notifier
@testable import ToyMessages

/// Alerts for several people, from a service, with the accounts that account-service publishes.
@Suite(.serialized, .waiting) struct CallTests {
    let office: PostOffice
    private let accounts: Client

    init() throws {
        office = try PostOffice(hasServer: false)
        try office.system.start("toy-accounts")
        accounts = try office.system.client(of: .account)
    }

    // MARK: Setting things up

    func publish(_ people: Account...) throws {
        for person in people {
            _ = try accounts.ask(AccountChanged(account: person), for: Raised.self)
        }
        let ids = people.map(\.id)
        try eventually("the notifier knows them") {
            try rows("SELECT account FROM member").filter(ids.contains).count == ids.count
        }
    }

    func raise(
        _ key: String, for audience: Audience? = nil, recipient: String = "",
        title: String = "Come"
    ) throws {
        try office.raise(
            AlertRaised(
                key: key, kind: "test", severity: .warning, title: title, recipient: recipient,
                needsAcknowledgement: true, organisation: "o", audience: audience))
    }

    func keep(_ policy: EscalationPolicy) throws {
        _ = try office.ask(KeepPolicy(policy: policy), for: EscalationPolicy.self)
    }

    /// Alerts Dan by hand, as the owner of the machine, because alerts of rides never escalate.
    ///
    /// - Returns: the key of the alert.
    func callDan(about site: String = "") throws -> String {
        let call = try office.ask(
            RaiseAlert(
                audience: Audience(account: "dan", site: site), severity: .warning, title: "Come",
                needsAcknowledgement: true), for: Call.self)
        return try #require(call.raised?.key)
    }

    // MARK: Contents of the store

    func rows(_ sql: String) throws -> [String] {
        try office.system.reading(.notifier) { try String.fetchAll($0, sql: sql) }
    }

    /// The people who have an alert with a key in a state, in order.
    func people(_ key: String, _ state: AlertState = .open) throws -> [String] {
        try rows(
            """
            SELECT feed FROM alert WHERE key = '\(key)' AND state = \(state.rawValue)
            ORDER BY feed
            """
        ).map { String($0.split(separator: ".").last ?? "") }
    }

    func notices(_ person: String) throws -> [AlertNotice] {
        try office.system.reading(.notifier) { db in
            try Data.fetchAll(
                db,
                sql: "SELECT notice FROM notice WHERE feed IN (?, ?) ORDER BY sequence",
                arguments: ["alert.o.\(person).", "alert.local.\(person)."]
            ).map { try AlertNotice(unpacking: [UInt8]($0)) }
        }
    }

    func call(_ key: String) throws -> Call? {
        try office.system.reading(.notifier) { db in
            try Data.fetchOne(
                db, sql: "SELECT call FROM call WHERE key = ? ORDER BY id DESC", arguments: [key]
            ).map { try Call(unpacking: [UInt8]($0)) }
        }
    }

    func wait(_ key: String, _ state: AlertState = .open, for expected: [String]) throws {
        try eventually("\(expected) have \(key)") {
            try people(key, state) == expected
        }
    }

    // MARK: Rules

    @Test func `everyone in an audience gets an alert, and one answer is enough`() throws {
        try publish(
            .member("ann", Grant(role: .crew, site: "harbour", area: "bar")),
            .member("bob", Grant(role: .crew, site: "harbour", area: "kitchen")),
            .member("cem", Grant(role: .shiftManager, site: "harbour")))
        try raise("all", for: Audience())
        try raise("crew", for: Audience(role: .crew, site: "harbour"))
        try raise("bar", for: Audience(role: .crew, site: "harbour", area: "bar"))
        try raise("one", for: Audience(account: "cem"), recipient: "bob")

        try wait("bar", for: ["ann"])
        try wait("one", for: ["bob", "cem"])
        try wait("crew", for: ["ann", "bob"])
        try wait("all", for: ["ann", "bob", "cem"])

        let id = try rows("SELECT id FROM alert WHERE key = 'all' AND feed = 'alert.o.bob.'")
        let answer = try office.ask(
            AcknowledgeAlert(id: try #require(id.first)), for: AlertAcknowledged.self)
        #expect(answer.alert.state == .acknowledged)
        try wait("all", .acknowledged, for: ["ann", "bob", "cem"])
        #expect(try call("all")?.acknowledgedBy == Principal.machineOwner.account)
        #expect(
            try notices("ann").filter { $0.alert?.raised?.key == "all" }.map(\.reason)
                == [.raised, .closed])
        // The source is told once.
        #expect(try office.told(AlertAcknowledged.self).count == 1)
        #expect(try people("crew") == ["ann", "bob"])
    }

    @Test func `new holders of a role get its open alerts, and former ones need not answer`() throws
    {
        try publish(.member("ann", Grant(role: .crew, site: "harbour")), .member("bob"))
        try raise("k", for: Audience(role: .crew, site: "harbour"))
        try wait("k", for: ["ann"])

        try publish(.member("bob", Grant(role: .crew, site: "harbour")))
        try wait("k", for: ["ann", "bob"])
        try publish(.member("ann", Grant(role: .crew, site: "hill")))
        try wait("k", for: ["bob"])
        #expect(try people("k", .withdrawn) == ["ann"])
        try publish(.member("bob", isDisabled: true, Grant(role: .crew, site: "harbour")))
        try wait("k", .withdrawn, for: ["ann", "bob"])
    }

    @Test func `those responsible are told of an alert that is for nobody`() throws {
        try publish(.member("ann", Grant(role: .administrator)), .member("bob"))
        try raise("k", for: Audience(role: .siteManager, site: "harbour"))

        try wait("k", for: ["ann"])
    }

    @Test func `an alert escalates step by step until somebody answers, despite kills`() throws {
        try publish(
            .local("ann", Grant(role: .shiftManager, site: "harbour")),
            .local("bob", Grant(role: .siteManager, site: "harbour")),
            .local("cem", Grant(role: .supervisor)))
        let step = { (role: Role, minutes: Int64, severity: Severity) in
            EscalationStep(
                who: Audience(role: role), after: minutes * 60_000, severity: severity)
        }
        try keep(
            EscalationPolicy(
                name: "p", kind: "call",
                steps: [
                    step(.shiftManager, 0, .unspecified), step(.siteManager, 10, .urgent),
                    step(.supervisor, 20, .urgent),
                ]))
        let key = try callDan()
        try wait(key, for: ["ann", "dan"])

        office.killNotifier()
        try office.setClock(11 * 60)
        try office.startNotifier()
        try wait(key, for: ["ann", "bob", "dan"])
        let told = try #require(try notices("bob").first?.alert)
        #expect(told.severity == .urgent && told.raised?.severity == .warning)
        #expect(try notices("ann").map(\.reason) == [.raised])

        try office.setClock(32 * 60)
        try wait(key, for: ["ann", "bob", "cem", "dan"])
        #expect(try call(key)?.nextStep == 0)
    }

    @Test func `nothing escalates after an answer, and a call that isn't dealt with reopens`()
        throws
    {
        try publish(.local("ann", Grant(role: .shiftManager)))
        try keep(
            EscalationPolicy(
                name: "p", kind: "call",
                steps: [EscalationStep(who: Audience(role: .shiftManager), after: 600_000)],
                reopenAfter: 3_600_000))
        let (fixed, forgotten) = (try callDan(), try callDan())
        for id in try rows("SELECT id FROM alert") {
            _ = try office.ask(AcknowledgeAlert(id: id), for: AlertAcknowledged.self)
        }
        #expect(try people(fixed, .acknowledged) == ["dan"])
        let id = try #require(try call(fixed)?.id)
        let over = try office.ask(WithdrawCall(id: id), for: Call.self)
        #expect(over.isOver && over.state == .acknowledged)
        #expect(try call(forgotten)?.acknowledgedBy == Principal.machineOwner.account)

        try office.setClock(3_700)
        try wait(forgotten, for: ["dan"])
        #expect(try people(fixed, .acknowledged) == ["dan"])
        #expect(try notices("dan").last?.reason == .reopened)
        #expect(try notices("ann").isEmpty)
        #expect(try call(forgotten)?.reopened == 1)
        // It escalates again.
        try office.setClock(4_400)
        try wait(forgotten, for: ["ann", "dan"])
    }

    @Test func `a call that reopens is mailed again, once for each time that it is open`() throws {
        _ = try office.ask(
            PreferAlerts(mail: "ann@example.org", from: .info), for: AlertPreference.self)
        try keep(
            EscalationPolicy(
                name: "p", kind: "call",
                steps: [EscalationStep(who: Audience(account: "dan"), after: 600_000)],
                reopenAfter: 3_600_000))
        let owner = Principal.machineOwner.account
        _ = try office.ask(
            RaiseAlert(
                audience: Audience(account: owner), severity: .warning, title: "Come",
                needsAcknowledgement: true), for: Call.self)
        try eventually("it is mailed") { try office.mails().count == 1 }
        let id = try #require(try rows("SELECT id FROM alert").first)
        _ = try office.ask(AcknowledgeAlert(id: id), for: AlertAcknowledged.self)

        office.killNotifier()
        try office.setClock(3_700)
        try office.startNotifier()
        try eventually("it is open again") { try notices(owner).last?.reason == .reopened }
        office.killNotifier()
        try office.startNotifier()
        try office.setClock(4_400)
        try eventually("it has escalated") { try !notices("dan").isEmpty }

        let mails = try office.mails()
        #expect(mails.map(\.subject) == ["warning: Come", "warning: Come"])
        let deliveries = mails.map { AlertDelivery($0) }
        #expect(deliveries.map(\.alert) == [id, id])
        #expect(deliveries.map(\.severity) == [.warning, .warning])
    }

    @Test func `many people each get one alert, though the notifier is killed meanwhile`() throws {
        let count = 700
        for number in 0..<count {
            _ = try accounts.ask(
                AccountChanged(account: .member("p\(1_000 + number)")), for: Raised.self)
        }
        try eventually("they are known") {
            try rows("SELECT account FROM member").count == count
        }
        try raise("k", for: Audience())
        try eventually("some are told") { try !people("k").isEmpty }
        for _ in 0..<3 {
            office.killNotifier()
            try office.startNotifier()
        }

        try eventually("all are told") { try people("k").count == count }
        try eventually("the pass is over") { try rows("SELECT stage FROM call") == ["-1"] }
        #expect(try rows("SELECT count(*) FROM notice") == ["\(count)"])

        let id = try rows("SELECT id FROM alert ORDER BY feed DESC LIMIT 1")
        _ = try office.ask(
            AcknowledgeAlert(id: try #require(id.first)), for: AlertAcknowledged.self)
        office.killNotifier()
        try office.startNotifier()
        try eventually("it is over for all") {
            try people("k", .acknowledged).count == count
        }
        #expect(try rows("SELECT count(*) FROM notice") == ["\(2 * count)"])
    }

    @Test func `a changed alert stays the same call, and its source withdraws it for everyone`()
        throws
    {
        try publish(.member("ann"), .member("bob"))
        try raise("k", for: Audience())
        try wait("k", for: ["ann", "bob"])
        try raise("k", for: Audience(), title: "Come now")
        try eventually("both know") {
            try notices("ann").count == 2 && notices("bob").count == 2
        }
        #expect(try notices("bob").last?.alert?.raised?.title == "Come now")

        try office.withdraw("k")
        try wait("k", .withdrawn, for: ["ann", "bob"])
        #expect(try rows("SELECT count(*) FROM call") == ["1"])
    }

    @Test func `steps are taken in time, though the notifier is killed`() throws {
        // Thousands would take minutes on a busy machine.
        let count = Int(ProcessInfo.processInfo.environment["ESCALATIONS"] ?? "") ?? 100
        try publish(.local("ann", Grant(role: .shiftManager)))
        for number in 0..<count {
            try keep(
                EscalationPolicy(
                    name: "p\(number)", site: "s\(number)",
                    steps: [EscalationStep(who: Audience(role: .shiftManager), after: 15_000)]))
        }

        // The promise is one second; a test machine may be ten times slower, and at times do
        // other work.
        let limit: Duration = .seconds(10)
        let worst = try shortestTime(under: limit) { try lateness(of: count) }
        print("\(count) escalations, p99 \(worst) late")
        #expect(worst < limit, "p99 of \(count): \(worst)")
    }

    /// Makes calls that escalate after fifteen seconds, and kills the notifier meanwhile.
    ///
    /// - Returns: how late all but the last hundredth of the steps were taken.
    private func lateness(of count: Int) throws -> Duration {
        let begun = WallClock.milliseconds()
        for number in 0..<count { _ = try callDan(about: "s\(number)") }
        for _ in 0..<5 {
            office.killNotifier()
            try office.startNotifier()
        }
        let ready = WallClock.milliseconds()

        // Steps are taken fifteen seconds after the call; the notifier's times may be a little
        // older than what it did then.
        let reached = "feed = 'alert.local.ann.' AND time > \(begun + 5_000)"
        try eventually("all have escalated", within: .seconds(240)) {
            try rows("SELECT id FROM alert WHERE \(reached)").count == count
        }
        let steps: [(taken: Int64, due: Int64)] = try office.system.reading(.notifier) { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT reached.time, first.time + 15000 FROM alert AS reached
                    JOIN alert AS first ON first.call = reached.call
                    WHERE reached.feed = 'alert.local.ann.'
                    AND first.feed = 'alert.local.dan.' AND first.time > \(begun - 5_000)
                    """
            ).map { (taken: $0[0] as Int64, due: $0[1] as Int64) }
        }
        #expect(steps.count == count && steps.allSatisfy { $0.taken >= $0.due })
        // What came due while the notifier was down could only be done when it was up again.
        let late = steps.map { $0.taken - max($0.due, ready) }.sorted()
        return .milliseconds(try #require(late.dropFirst(count * 99 / 100).first))
    }
}
