import Foundation
import Messages
import ServiceRuntime

/// How the sites work.
enum Settings {
    static var commands: [CommandHandler] { [.init(change)] }
    static var queries: [QueryHandler] { [.init(read)] }
    static var access: [String: Access] {
        [
            ChangeSettings.protobufName: .role(minimum: .siteManager, at: .site),
            ReadSettings.protobufName: .role(minimum: .shiftManager, at: .site),
        ]
    }

    static func change(
        _ command: ChangeSettings, in transaction: Transaction
    ) throws -> SiteSettings {
        guard var settings = command.settings else { throw Refusal.invalid("send the settings") }
        let row = try transaction.site(settings.site, for: .siteManager)
        settings.site = row.site.id
        try settings.check()
        for name in settings.escalateTo {
            guard try Person.named(name, of: row.organisation, transaction.db) != nil else {
                throw Refusal.notFound("there is no account “\(name.prefix(100))” to escalate to")
            }
        }
        guard try SiteSettings.of(row.site.id, transaction.db) != settings else { return settings }
        try settings.save(transaction.db)
        try transaction.publish(SettingsChanged(settings: settings), subject: row.site.id)
        return settings
    }

    static func read(_ query: ReadSettings, in transaction: Transaction) throws -> SiteSettings {
        let row = try transaction.site(query.site, for: .shiftManager)
        return try SiteSettings.of(row.site.id, transaction.db)
    }

    static func tell(
        _ transaction: Transaction
    ) throws -> [(any ProtobufMessage, subject: String)] {
        try SiteSettings.all(transaction.db).map { (SettingsChanged(settings: $0), $0.site) }
    }
}

/// The rules of a site's settings.
extension SiteSettings {
    /// The archive is kept for so many days at least, whatever the settings say.
    static let shortestRetention: UInt32 = 365

    /// How a site works that has said nothing else. The names of the first three priorities and the
    /// times of the travel path are those of the trade; the fourth priority is an assumption.
    static func usual(site: String) -> SiteSettings {
        SiteSettings(
            site: site,
            priorities: [
                Priority(name: "immediate", title: "Immediately"),
                Priority(name: "before-rush", title: "Before the rush"),
                Priority(name: "during-shift", title: "During the shift"),
                Priority(name: "next-shift", title: "Next shift"),
            ],
            travelPathInterval: 30, firstTravelPathDay: 10 * 60 + 15,
            firstTravelPathEvening: 17 * 60 + 15, lateAfter: 10, grace: 10, escalateAfter: 10,
            language: "en", retentionDays: 800)
    }

    /// Refuses what a site couldn't work with.
    func check() throws(Refusal) {
        guard (1...20).contains(priorities.count) else {
            throw .invalid("a site has 1 to 20 priorities")
        }
        for priority in priorities {
            guard (1...60).contains(priority.name.count), (1...100).contains(priority.title.count)
            else { throw .invalid("a priority has a name of 1 to 60 characters and a title") }
        }
        guard Set(priorities.map(\.name)).count == priorities.count else {
            throw .invalid("two priorities have the same name")
        }
        guard (5...240).contains(travelPathInterval) else {
            throw .invalid("travel paths are 5 to 240 minutes apart")
        }
        guard firstTravelPathDay < 1440, firstTravelPathEvening < 1440 else {
            throw .invalid("the first travel path is at 0 to 1439 minutes after midnight")
        }
        guard lateAfter < travelPathInterval else {
            throw .invalid("a travel path is late before the next one: give less than the interval")
        }
        guard grace <= 1440, escalateAfter <= 1440 else {
            throw .invalid("what is overdue is told within a day: give at most 1440 minutes")
        }
        guard retentionDays >= Self.shortestRetention, retentionDays <= 36_500 else {
            throw .invalid("the archive is kept for \(Self.shortestRetention) days at least")
        }
        guard escalateTo.count <= 20, mailTo.count <= 20 else {
            throw .invalid("name at most 20 people and 20 addresses")
        }
        for address in mailTo { try Self.check(address: address) }
        guard language.utf8.count == 2, language.utf8.allSatisfy({ (97...122).contains($0) }) else {
            throw .invalid("a language is two letters of ISO 639-1, such as en")
        }
        let isCurrency =
            currency.utf8.count == 3 && currency.utf8.allSatisfy { (65...90).contains($0) }
        guard currency.isEmpty || isCurrency else {
            throw .invalid("a currency is three letters of ISO 4217, such as EUR")
        }
    }

    /// Refuses what no mail could be sent to.
    static func check(address: String) throws(Refusal) {
        let parts = address.split(separator: "@", omittingEmptySubsequences: false)
        let isPlain = address.unicodeScalars.allSatisfy {
            !$0.properties.isWhitespace && $0.properties.generalCategory != .control
                && !"<>,;\"".unicodeScalars.contains($0)
        }
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), isPlain,
            address.utf8.count <= 254
        else { throw .invalid("“\(address.prefix(100))” is no mail address") }
    }
}
