import ArgumentParser
import Bus
import Checksum
import Dates
import Messages
import Speech

/// `steward account`
struct AccountCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account", abstract: "What the services keep about you.",
        subcommands: [Export.self])

    /// `steward account export`
    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Writes what the services keep about you to a folder.",
            discussion: """
                account.json has your account, roles and log-ins; alerts.json your alerts, and how \
                they reach you; days.json your days, routines, actions and settings, with their \
                pictures as picture-… beside it; travel.json and ride-ID.csv what steward transit \
                export writes. All services must be running.

                What belongs to your organisation isn't there: shifts, plans, projects and \
                meetings, and what you have done in them. Its administrators can tell you about \
                that.
                """)

        @Argument(help: "The folder; it must be new or empty.", completion: .directory)
        var folder: String
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            // A service that doesn't answer is noticed before the first file is written.
            let identity = try Identity(session)
            let alerts = try HeardAlerts(session)
            let days = try PlannedDays(session, since: identity.account.created)
            let travel = try TravelExport.Travel(session)
            let folder = try OutputFolder(self.folder)
            var files = try travel.write(session, to: folder)
            for checksum in days.pictures {
                guard let file = try Self.picture(checksum, session) else { continue }
                files.append(try folder.write(file.bytes, file.name))
            }
            files += [
                try folder.write(json: identity, "account.json"),
                try folder.write(json: alerts, "alerts.json"),
                try folder.write(json: days, "days.json"),
            ]
            guard !output.json else {
                return try session.printer.json(.files, files.map { ["path": $0] })
            }
            for file in files { session.printer.result(file) }
        }

        /// A picture of the person's own, and the name of its file; nil if it is gone.
        private static func picture(
            _ checksum: [UInt8], _ session: Session
        ) throws -> (bytes: [UInt8], name: String)? {
            do {
                let file = try session.picture(checksum, of: "").file
                // A file that isn't PNG is JPEG.
                let ending = file.starts(with: [0x89, 0x50, 0x4E, 0x47]) ? "png" : "jpg"
                return (file, "picture-\(Checksum.digits(checksum)).\(ending)")
            } catch ClientError.refused(let refusal) where refusal.code == .notFound {
                return nil
            }
        }
    }
}

/// What account-service keeps about a person.
private struct Identity: Encodable {
    let account: Account
    let sessions: [Messages.Session]

    init(_ session: Session) throws {
        account = try session.ask(.account, WhoAmI(), for: Account.self)
        sessions = try session.ask(.account, ListSessions(), for: Sessions.self).sessions
    }
}

/// What the notifier keeps about a person.
private struct HeardAlerts: Encodable {
    let preference: AlertPreference
    let quietHours: QuietHours
    let digest: AlertDigest
    let silences: [Silence]
    let channels: [AlertChannel]
    let alerts: [Alert]

    init(_ session: Session) throws {
        preference = try session.ask(
            .notifier, ReadAlertPreference(), for: AlertPreference.self)
        quietHours = try session.ask(.notifier, ReadQuietHours(), for: QuietHours.self)
        digest = try session.ask(.notifier, ReadDigest(), for: AlertDigest.self)
        silences = try session.ask(.notifier, ListSilences(), for: Messages.Silences.self).silences
        channels = try session.ask(.notifier, ListChannels(), for: AlertChannels.self).channels
        alerts = try session.whole(.notifier, ListAlerts(limit: 500), \.before) {
            (page: Alerts) in (page.alerts, page.next)
        }
    }
}

/// What routine-service keeps about a person.
private struct PlannedDays: Encodable {
    let settings: DaySettings
    let rhythm: WeekRhythm
    let actions: [OwnAction]
    let routines: [Routine]
    let templates: [DayTemplate]
    let measured: [MeasuredAction]
    let days: [Day]

    /// The checksums of the pictures in it, each once.
    var pictures: [[UInt8]] {
        let shown = actions.compactMap(\.action) + routines.flatMap(\.actions)
        let all = shown.map(\.picture) + routines.map(\.picture) + days.flatMap(\.pictures)
        return Set(all).filter { !$0.isEmpty }.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// Asks the service.
    ///
    /// - Parameters:
    ///   - session: the session of the person.
    ///   - created: when the account was created, in milliseconds since 1970.
    init(_ session: Session, since created: Int64) throws {
        settings = try session.ask(.routine, ReadDaySettings(), for: DaySettings.self)
        rhythm = try session.ask(.routine, ReadRhythm(), for: WeekRhythm.self)
        actions = try session.ask(.routine, ListOwnActions(), for: OwnActions.self).actions
        routines = try session.whole(.routine, ListRoutines(), \.after) {
            (page: Routines) in (page.routines, page.next)
        }
        templates = try session.ask(
            .routine, ListDayTemplates(), for: DayTemplates.self
        ).templates
        measured = try session.ask(
            .routine, ListMeasuredActions(), for: MeasuredActions.self
        ).actions
        // Without a time zone no day can have been planned.
        days = settings.timeZone.isEmpty ? [] : try Self.days(session, since: created)
    }

    /// The days of the person. No message lists their dates, so each date since the account was
    /// created is asked for.
    private static func days(_ session: Session, since created: Int64) throws -> [Day] {
        let client = try session.client(.routine)
        let today = Int(WallClock.milliseconds() / 86_400_000)
        let first = created > 0 ? Int(created / 86_400_000) - 1 : today - 400
        var days: [Day] = []
        // A day is planned at most a year ahead.
        for number in min(first, today - 1)...today + 367 {
            let date = CivilDate(daysSince1970: number).iso
            do {
                days.append(try client.ask(ReadDay(date: date), for: Day.self))
            } catch ClientError.refused(let refusal) where refusal.code == .notFound {
                continue
            }
        }
        return days
    }
}
