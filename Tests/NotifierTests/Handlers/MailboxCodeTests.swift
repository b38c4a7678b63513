import Messages
import ServiceRuntime
import TestStore
import Testing

@testable import Notifier

/// The codes that confirm where a person's alerts are mailed.
struct MailboxCodeTests {
    private static let now: Int64 = 1_800_000_000_000
    private static let ann = Principal.account("ann", organisation: "o")
    private static let mailbox = "ann@example.org"

    private var notifier: MemoryStore

    init() throws {
        notifier = try MemoryStore.ofNotifier()
        notifier.settings = [
            "STEWARD_SMTP": "smtp://127.0.0.1", "STEWARD_SMTP_FROM": "steward@example.org",
        ]
    }

    private func prefer(
        _ wish: PreferAlerts, as asker: Principal = Self.ann, at now: Int64 = Self.now
    ) throws -> AlertPreference {
        try notifier.run(at: now, as: asker) { try Preferences.prefer(wish, in: $0) }
    }

    private func confirm(
        _ code: String, as asker: Principal = Self.ann, at now: Int64 = Self.now
    ) throws -> AlertPreference {
        try notifier.run(at: now, as: asker) {
            try Preferences.confirm(ConfirmMailbox(code: code), in: $0)
        }
    }

    /// Expects that a code confirms nothing.
    private func expectRefused(
        _ code: String, as asker: Principal = Self.ann, at now: Int64 = Self.now
    ) throws {
        let before = try preference(asker)
        let refusal = #expect(throws: Refusal.self) { try confirm(code, as: asker, at: now) }
        #expect(refusal?.isBecause(.mailboxCode) == true)
        #expect(try preference(asker) == before)
    }

    private func preference(_ asker: Principal) throws -> AlertPreference {
        try notifier.run(as: asker) {
            try Preferences.readPreference(ReadAlertPreference(), in: $0)
        }
    }

    /// The mails that wait, oldest first, with the code in each; empty for none.
    private func mails() throws -> [(mailbox: String, code: String)] {
        try notifier.run { transaction in
            try Mail.newest(of: .all, unsentOnly: false, limit: 100, transaction.db).mails
                .reversed().map { mail in
                    let text = try MailRequested.of(mail, transaction.db).text
                    let code = text.firstMatch(of: /code ([0-9A-Z-]{23})/).map { String($0.1) }
                    return (mailbox: mail.to, code: code ?? "")
                }
        }
    }

    private func wish(_ mailbox: String) -> PreferAlerts {
        PreferAlerts(mail: mailbox, from: .info, language: "en")
    }

    @Test func `a new mailbox is used once its code has come back, and the one before until then`()
        throws
    {
        let waiting = AlertPreference(from: .info, language: "en", awaitedMail: Self.mailbox)
        #expect(try prefer(wish(Self.mailbox)) == waiting)
        // The same wish again, or another language, mails no other code.
        #expect(try prefer(wish(Self.mailbox)) == waiting)
        _ = try prefer(PreferAlerts(language: "en", keepsMail: true))
        #expect(try preference(Self.ann) == waiting)
        let first = try mails()
        #expect(first.map { $0.mailbox } == [Self.mailbox])
        let code = try #require(first.first).code
        try expectRefused("00000-00000-00000-00000")
        try expectRefused("hello")
        try expectRefused(code, as: .account("bob", organisation: "o"))

        let confirmed = AlertPreference(mail: Self.mailbox, from: .info, language: "en")
        #expect(try confirm(code.lowercased()) == confirmed)
        try expectRefused(code)

        let later = Self.now + 10
        let changed = try prefer(wish("new@example.org"), at: later)
        #expect(changed.mail == Self.mailbox && changed.awaitedMail == "new@example.org")
        try notifier.run(at: later + 10) { transaction in
            let raised = AlertRaised(
                key: "k", kind: "test", severity: .urgent, title: "Look", recipient: "ann",
                organisation: "o")
            try AlertHandling.raise(
                raised, from: "plan-service", id: transaction.id, in: transaction)
        }
        let all = try mails()
        #expect(all.map { $0.mailbox } == [Self.mailbox, "new@example.org", Self.mailbox])
        // Whoever goes back to the present mailbox waits for no other.
        #expect(try prefer(wish(Self.mailbox)) == confirmed)
        try expectRefused(all[1].code, at: later)
    }

    @Test mutating func `without a mail server the answer says that the code waits`() throws {
        let servers = notifier.settings
        notifier.settings = [:]
        let waiting = AlertPreference(
            from: .info, language: "en", awaitedMail: Self.mailbox, codeWaits: true)
        #expect(try prefer(wish(Self.mailbox)) == waiting)
        #expect(try preference(Self.ann) == waiting)
        // What the answer says of the server is no part of what the next wish replaces.
        let next = PreferAlerts(language: "nb", keepsMail: true, expected: waiting)
        #expect(try prefer(next).codeWaits)

        notifier.settings = servers

        #expect(try !preference(Self.ann).codeWaits)
        let code = try #require(try mails().first).code
        #expect(try confirm(code).mail == Self.mailbox)
        notifier.settings = [:]
        #expect(try !preference(Self.ann).codeWaits)
    }

    @Test mutating func `a code that was mailed doesn't wait once there is no mail server`()
        throws
    {
        _ = try prefer(wish(Self.mailbox))
        notifier.settings = [:]
        #expect(try preference(Self.ann).codeWaits)

        try notifier.run { transaction in
            let all = try Mail.newest(of: .all, unsentOnly: true, limit: 1, transaction.db).mails
            var mail = try #require(all.first)
            mail.state = .sent
            try mail.save(transaction.db)
        }

        #expect(try !preference(Self.ann).codeWaits)
        // The code for another mailbox does.
        #expect(try prefer(wish("new@example.org"), at: Self.now + 1).codeWaits)
    }

    @Test func `a code is valid for a day, and after that the same mailbox is sent another`() throws
    {
        _ = try prefer(wish(Self.mailbox))
        let end = Self.now + MailboxCode.life
        let first = try #require(try mails().first).code
        try expectRefused(first, at: end)

        _ = try prefer(wish(Self.mailbox), at: end)

        let second = try #require(try mails().last).code
        try expectRefused(first, at: end)
        #expect(try confirm(second, at: end).mail == Self.mailbox)
    }

    @Test func `a code that was mailed while the clock was ahead keeps no other one back`() throws {
        _ = try prefer(wish(Self.mailbox), at: Self.now + 400 * MailboxCode.life)

        _ = try prefer(wish(Self.mailbox))
        _ = try prefer(wish(Self.mailbox), at: Self.now + 1)

        // They are in the order of their times.
        let sent = try mails()
        #expect(sent.count == 2)
        #expect(try confirm(sent[0].code).mail == Self.mailbox)
    }

    @Test
    func `ten codes are mailed for an account in a day, and the owner of the machine needs none`()
        throws
    {
        for number in 1...10 {
            _ = try prefer(wish("\(number)@example.org"), at: Self.now + Int64(number))
        }
        let refusal = #expect(throws: Refusal.self) {
            try prefer(wish(Self.mailbox), at: Self.now + 20)
        }
        #expect(refusal?.isBecause(.mailboxLimit) == true)
        #expect(try mails().count == 10)

        let owner = try prefer(wish(Self.mailbox), as: .machineOwner)
        #expect(owner.mail == Self.mailbox && owner.awaitedMail.isEmpty)
        #expect(try mails().count == 10)
    }
}
