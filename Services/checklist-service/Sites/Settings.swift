import Messages
import ServiceRuntime
import ShiftLog

/// The settings of the sites.
enum Settings {
    static var handlers: [MessageHandler] {
        [
            .command(change, .role(minimum: .siteManager, at: .site)),
            .query(read, .role(minimum: .shiftManager, at: .site)),
        ]
    }

    static func change(
        _ command: ChangeSettings, in transaction: Transaction
    ) throws -> SiteSettings {
        var settings = command.settings
        let row = try transaction.site(settings.site, for: .siteManager)
        settings.site = row.site.id
        let before = try SiteSettings.of(row.site.id, transaction.db)
        // Replacing settings unseen would undo what someone else has just changed.
        guard command.expected == nil || command.expected == before else {
            throw Refusal.changedSince("the settings of the site")
        }
        try settings.validate()
        try settings.validateRecipients()
        try settings.validateSize()
        for name in settings.escalateTo {
            guard let person = try Person.named(name, of: row.organisation, transaction.db) else {
                throw Refusal.notFound("there is no account “\(name.prefix(100))” to escalate to")
            }
            // Someone who has left since then doesn't keep anyone from changing other settings.
            guard person.holdsRole(at: row.site.id) || before.escalateTo.contains(name) else {
                throw Refusal.conflict(
                    "nothing would be escalated to “\(name.prefix(100))”, whose account is "
                        + "disabled or has no role at “\(row.site.name)”")
            }
        }
        guard before != settings else { return settings }
        try settings.save(transaction.db)
        try transaction.publish(SettingsChanged(settings: settings), subject: row.site.id)
        return settings
    }

    static func read(_ query: ReadSettings, in transaction: Transaction) throws -> SiteSettings {
        let row = try transaction.site(query.site, for: .shiftManager)
        return try SiteSettings.of(row.site.id, transaction.db)
    }

    static func pass(_ transaction: Transaction, to receiver: SnapshotReceiver) throws {
        try SiteSettings.each(in: transaction) { settings in
            try receiver(SettingsChanged(settings: settings), settings.site)
        }
    }
}

/// The rules for the size of the settings, and the recipients of a site's alerts and mails.
extension SiteSettings {
    /// The maximum size in bytes. A shift is read with its settings and its lists, in one message.
    static let mostBytes = 64 << 10

    /// Refuses settings with which a shift couldn't be read.
    func validateSize() throws(Refusal) {
        let size = packed().count
        guard size <= Self.mostBytes else {
            throw .invalid(
                "the settings have \(size) bytes, and at most \(Self.mostBytes) are kept; shorten "
                    + "or remove titles of priorities")
        }
    }

    /// Refuses too many recipients, and invalid addresses.
    func validateRecipients() throws(Refusal) {
        guard escalateTo.count <= 20, mailTo.count <= 20 else {
            throw .invalid("name at most 20 people and 20 addresses")
        }
        try Self.validate(addresses: mailTo)
    }

    /// Refuses invalid addresses.
    static func validate(addresses: [String]) throws(Refusal) {
        guard !addresses.isEmpty else { return }
        try MailRequested(key: "key", to: addresses, subject: "subject", text: "text").validate()
    }
}
