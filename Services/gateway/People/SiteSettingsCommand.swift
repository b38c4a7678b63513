import ArgumentParser
import Bus
import Foundation
import LocalTime
import Messages
import Phrases
import ShiftLog
import Speech
import Terminal

/// `steward site settings`: without options it shows them.
struct SiteSettingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings", abstract: "Shows or changes how a site's shifts work.",
        discussion: "A running shift keeps the settings that it began with.")

    @Option(help: "Time between two travel paths, e.g. 30m.")
    var interval: DurationArgument?
    @Option(help: "First travel path of a day shift, e.g. 10:15.")
    var firstDay: TimeArgument?
    @Option(help: "First travel path of an evening shift, e.g. 17:15.")
    var firstEvening: TimeArgument?
    @Option(help: "Time after which a travel path counts as late, e.g. 10m.")
    var lateAfter: DurationArgument?
    @Option(help: "Time after which the shift manager is reminded of an open task.")
    var grace: DurationArgument?
    @Option(help: "Time after that until others are alerted.")
    var escalateAfter: DurationArgument?
    @Option(help: "An account to alert then; may be given several times; or none.")
    var escalateTo: [String] = []
    @Option(help: "An address to mail lists to; may be given several times; or none.")
    var mailTo: [String] = []
    @Option(help: "The language of lists and mails, e.g. en.")
    var language: String?
    @Option(help: "Days to keep the archive, at least 365.")
    var retention: UInt32?
    @Option(help: "Currency of the sales report, e.g. EUR.")
    var currency: String?
    @Option(
        help: ArgumentHelp(
            "A priority, most urgent first; give all of them.", valueName: "name=title"))
    var priority: [String] = []
    @OptionGroup var place: SiteOption
    @OptionGroup var repeating: RepeatOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if let language, !Locale.LanguageCode(language).isISOLanguage || language.count != 2 {
            throw ValidationError(
                "“\(language)” isn't an ISO 639-1 language; these have two letters, e.g. en")
        }
    }

    func run() throws {
        let session = try Session()
        let site = try place.site(session)
        let settings = try change(site.id, session)
        // The lists themselves may well have titles in it.
        if let language, Language(language) == nil {
            session.printer.remark(
                Language.unknown(language).message + ": titles of lists are in “\(language)” where "
                    + "they are written in it, and everything else is in English")
        }
        if output.json { return try session.printer.json(.settings, [settings]) }
        session.printer.table(Self.table(settings, site))
    }

    /// Changes the given settings. If someone else changes the site's settings meanwhile, tries
    /// again with those.
    private func change(_ site: String, _ session: Session) throws -> SiteSettings {
        func read() throws -> SiteSettings {
            try session.ask(.checklist, ReadSettings(site: site), for: SiteSettings.self)
        }
        return try repeating.retrying { version in
            let before = try read()
            version = before
            let wanted = try changed(before)
            guard wanted != before else { return before }
            return try session.ask(
                .checklist, ChangeSettings(settings: wanted, expected: before),
                for: SiteSettings.self, repeating: repeating)
        } version: {
            try read()
        }
    }

    private func changed(_ before: SiteSettings) throws -> SiteSettings {
        var settings = before
        func minutes(_ duration: DurationArgument) -> UInt32 {
            UInt32(clamping: duration.milliseconds / 60_000)
        }
        if let interval { settings.travelPathInterval = minutes(interval) }
        if let time = firstDay?.minutes { settings.firstTravelPathDay = time }
        if let time = firstEvening?.minutes { settings.firstTravelPathEvening = time }
        if let lateAfter { settings.lateAfter = minutes(lateAfter) }
        if let grace { settings.grace = minutes(grace) }
        if let escalateAfter { settings.escalateAfter = minutes(escalateAfter) }
        if !escalateTo.isEmpty { settings.escalateTo = escalateTo.filter { $0 != "none" } }
        if !mailTo.isEmpty { settings.mailTo = mailTo.filter { $0 != "none" } }
        if let language { settings.language = language }
        if let retention { settings.retentionDays = retention }
        if let currency { settings.currency = currency }
        if !priority.isEmpty {
            settings.priorities = try priority.map { text in
                let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
                guard parts.count == 2 else {
                    throw ValidationError("“\(text)” is not NAME=TITLE")
                }
                let known = before.priorities.first { $0.name == parts[0] }
                return Priority(name: parts[0], title: parts[1], titles: known?.titles ?? [:])
            }
        }
        return settings
    }

    private static func table(_ settings: SiteSettings, _ site: ChosenSite) -> TextTable {
        var table = TextTable([.text("SETTING"), .text("VALUE")])
        func list(_ values: [String]) -> String {
            values.isEmpty ? "none" : values.joined(separator: ", ")
        }
        let time = { (minutes: UInt32) in LocalTime.text(minutes: Int(minutes)) }
        let rows: [(String, String)] = [
            ("site", site.name),
            ("priorities", list(settings.priorities.map { "\($0.name) (\($0.title))" })),
            (
                "travel paths",
                "every \(settings.travelPathInterval) min, first at "
                    + "\(time(settings.firstTravelPathDay)) by day and "
                    + "\(time(settings.firstTravelPathEvening)) in the evening"
            ),
            ("late after", "\(settings.lateAfter) min"),
            ("grace", "\(settings.grace) min"),
            ("escalate after", "\(settings.escalateAfter) min"),
            (
                "escalate to",
                settings.escalateTo.isEmpty
                    ? "supervisors, else managers of the site" : list(settings.escalateTo)
            ),
            ("mail to", list(settings.mailTo)), ("language", settings.language),
            ("archive kept", "\(settings.retentionDays) days"),
            ("currency", settings.currency.isEmpty ? "none" : settings.currency),
        ]
        for (name, value) in rows { table.add([.init(name), .init(value)]) }
        return table
    }
}
