import Bus
import Credentials
import Messages
import Phrases
import ServiceRuntime

/// What people prefer: where their alerts are mailed, and in which language.
enum Preferences {
    static var handlers: [MessageHandler] {
        [
            .command(prefer, .person), .command(confirm, .person),
            .query(readPreference, .person),
        ]
    }

    /// Keeps what somebody prefers. A new mailbox is used only once its code has come back, because
    /// it may be somebody else's. The owner of the machine, who names the mail server, needs none.
    static func prefer(
        _ command: PreferAlerts, in transaction: Transaction
    ) throws -> AlertPreference {
        let (feed, db) = (try AlertFeedAddress("", asker: transaction.principal), transaction.db)
        let before = try AlertPreference.of(feed, db)
        let preference = try AlertPreference(
            command, before: before,
            confirms: transaction.principal.kind == .account)
        if preference.awaitedMail.isEmpty {
            try MailboxCode.forget(of: feed, db)
        } else if !command.keepsMail {
            try mailCode(for: preference, of: feed, in: transaction)
        }
        try save(preference, replacing: before, of: feed, in: transaction)
        return try answer(preference, of: feed, in: transaction)
    }

    static func confirm(
        _ command: ConfirmMailbox, in transaction: Transaction
    ) throws -> AlertPreference {
        let (feed, db) = (try AlertFeedAddress("", asker: transaction.principal), transaction.db)
        guard let code = Secret.hash(code: command.code),
            let mail = try MailboxCode.use(code, of: feed, at: transaction.now, db)
        else {
            throw Refusal.invalid(
                "this code is not valid, or no longer valid; set the address again for a new one"
            ).because(.mailboxCode)
        }
        let before = try AlertPreference.of(feed, db)
        var preference = before
        (preference.mail, preference.awaitedMail) = (mail, "")
        try save(preference, replacing: before, of: feed, in: transaction)
        return preference
    }

    /// Saves a preference. What could not be mailed to the former mailbox is sent to the new one at
    /// once, because that may be why it was replaced.
    private static func save(
        _ preference: AlertPreference, replacing before: AlertPreference,
        of feed: AlertFeedAddress, in transaction: Transaction
    ) throws {
        try preference.save(feed, transaction.db)
        if preference.mail != before.mail {
            for var mail in try Mail.failing(of: feed, transaction.db) {
                try mail.retry(at: transaction.now)
                try mail.save(transaction.db)
            }
        }
        try Deliveries.settleReach(of: feed, in: transaction)
    }

    static func readPreference(
        _: ReadAlertPreference, in transaction: Transaction
    ) throws -> AlertPreference {
        let feed = try AlertFeedAddress("", asker: transaction.principal)
        return try answer(AlertPreference.of(feed, transaction.db), of: feed, in: transaction)
    }

    /// A preference with what its owner has to know: whether a code or all alerts wait because no
    /// mail server is set.
    private static func answer(
        _ preference: AlertPreference, of feed: AlertFeedAddress, in transaction: Transaction
    ) throws -> AlertPreference {
        var preference = preference
        guard try MailConfiguration(transaction.settings) == nil else { return preference }
        preference.mailWaits = !preference.mail.isEmpty
        preference.codeWaits =
            try !preference.awaitedMail.isEmpty
            && !MailboxCode.wasMailed(to: preference.awaitedMail, of: feed, transaction.db)
        return preference
    }

    /// Mails a code to the mailbox that is to be confirmed, unless it has a valid one.
    private static func mailCode(
        for preference: AlertPreference, of feed: AlertFeedAddress, in transaction: Transaction
    ) throws {
        let (mailbox, now, db) = (preference.awaitedMail, transaction.now, transaction.db)
        guard try !MailboxCode.isValid(for: mailbox, of: feed, at: now, db) else { return }
        try AlertAllowance.mailbox.use(in: transaction)
        let code = Secret.code()
        let words = Words<MailPhrase>(preference.spoken(transaction.settings))
        let command = "steward alerts confirm \(code)"
        let text = words.say(.mailboxText, ["code": code, "command": command])
        let mail = MailRequested(
            key: "mailbox/\(transaction.id)", to: [mailbox], subject: words.say(.mailboxSubject),
            text: text + "\n", organisation: feed.organisation)
        let kept = try MailRequests.request(
            mail, from: ServiceName.notifier.rawValue, in: transaction)
        for mail in kept {
            try MailboxCode.keep(Secret.hash(code: code) ?? [], in: mail, of: feed, at: now, db)
        }
    }
}
