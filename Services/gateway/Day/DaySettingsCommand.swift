import ActionLibrary
import ArgumentParser
import Foundation
import LocalTime
import Messages
import Phrases
import RoutineDay
import Speech
import Terminal

extension DayCommand {
    /// `steward day settings`
    struct Settings: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "settings",
            abstract: "Shows or changes the settings of your days.",
            discussion: """
                A carer (steward carer add) may see your days. You decide here whether they may \
                also change them, and whether they get copies of your alerts. You see what they \
                change, and can undo it.

                Meetings to which you are invited, and shifts that you run and whose end is given, \
                are in your days only if you ask for them: --with.
                """)

        @Option(help: "Your time zone, such as Europe/Oslo.")
        var zone: String?
        @Option(help: "When you get up, such as 7:00.")
        var wake: ClockArgument?
        @Option(help: "When you go to sleep, such as 22:00.")
        var sleep: ClockArgument?
        @Option(help: "How many minutes before something begins to alert you; 0 for never.")
        var warning: UInt32?
        @Option(help: ArgumentHelp("This carer may change your days.", valueName: "person"))
        var carerChanges: String?
        @Option(help: ArgumentHelp("This carer may only see them.", valueName: "person"))
        var carerLooks: String?
        @Option(
            help: ArgumentHelp(
                "This carer gets a copy of your alerts.", valueName: "person"))
        var carerTold: String?
        @Option(help: ArgumentHelp("This carer no longer gets copies.", valueName: "person"))
        var carerNotTold: String?
        @Option(
            help: ArgumentHelp(
                "Alert urgently when this is due: an area of actions, such as medicine, or the "
                    + "name of an action.", valueName: "name"))
        var urgent: String?
        @Option(help: ArgumentHelp("No longer alert urgently when this is due.", valueName: "name"))
        var calm: String?
        @Option(help: "Put these into your days: meetings or shifts.")
        var with: [OutsideArgument] = []
        @Option(help: "Leave these out of your days: meetings or shifts.")
        var without: [OutsideArgument] = []
        @OptionGroup var person: PersonOption
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        private var isChange: Bool {
            zone != nil || wake != nil || sleep != nil || warning != nil || carerChanges != nil
                || carerLooks != nil || carerTold != nil || carerNotTold != nil || urgent != nil
                || calm != nil || !with.isEmpty || !without.isEmpty
        }

        func validate() throws {
            if isChange, person.named != nil {
                throw ValidationError("only the person can change how their days are")
            }
            if let both = with.first(where: without.contains) {
                throw ValidationError("say --with or --without \(both.rawValue), not both")
            }
        }

        func run() throws {
            let session = try Session()
            let settings: DaySettings
            var wasUrgent = true
            if isChange {
                if let calm {
                    wasUrgent = try session.ask(
                        .routine, ReadDaySettings(), for: DaySettings.self
                    ).urgent.contains { $0.nameKey == calm.nameKey }
                }
                let change = ChangeDaySettings(
                    timeZone: try zone ?? deviceZone(session), wake: wake?.minutes,
                    sleep: sleep?.minutes, warning: warning,
                    addEditor: try account(carerChanges, session),
                    removeEditor: try account(carerLooks, session),
                    addTold: try account(carerTold, session),
                    removeTold: try account(carerNotTold, session), addUrgent: urgent ?? "",
                    removeUrgent: calm ?? "", withMeetings: allowed(.meetings),
                    withShifts: allowed(.shifts))
                settings = try session.ask(
                    .routine, change, for: DaySettings.self, repeating: repeating)
            } else {
                settings = try session.ask(
                    .routine, ReadDaySettings(person: try person.account(session)),
                    for: DaySettings.self)
            }
            if output.json { return try session.printer.json(.settings, [settings]) }
            try show(settings, session)
            if let urgent { try remark(onUrgent: urgent, session) }
            if let calm, !wasUrgent {
                session.printer.remark("nothing called “\(calm.printable)” was urgent")
            }
        }

        /// Says when no area and no action has the name of what is to be urgent: if it is misspelt,
        /// nobody would notice until an alert isn't urgent.
        private func remark(onUrgent name: String, _ session: Session) throws {
            let own = try session.ask(.routine, ListOwnActions(), for: OwnActions.self).actions
            let routines = try session.whole(.routine, ListRoutines(), \.after) {
                (page: Routines) in (page.routines, page.next)
            }
            let actions = own.compactMap(\.action) + routines.flatMap(\.actions)
            let areas = Set(LibraryAction.all.map(\.area)).sorted()
            let named = Language.allCases.flatMap { language -> [String] in
                LibraryAction.all.map { $0.name(in: language) }
                    + actions.map { $0.title(in: language) }
            }
            guard !(areas + named).contains(where: { $0.nameKey == name.nameKey }) else { return }
            session.printer.remark(
                "no action and no area is called “\(name.printable)” yet; the areas are "
                    + areas.joined(separator: ", "))
        }

        /// The time zone of this device for a person who has none yet; nil for everyone else.
        private func deviceZone(_ session: Session) throws -> String? {
            let zone = TimeZone.current.identifier
            let present = try session.ask(.routine, ReadDaySettings(), for: DaySettings.self)
            return present.timeZone.isEmpty && LocalTime(zone: zone) != nil ? zone : nil
        }

        /// Whether the person wants these in their days; nil if not given.
        private func allowed(_ outside: OutsideArgument) -> Bool? {
            with.contains(outside) ? true : without.contains(outside) ? false : nil
        }

        private func account(_ name: String?, _ session: Session) throws -> String {
            try name.map {
                try PersonOption.account(
                    $0, session, advice: "make someone your carer first: steward carer add")
            } ?? ""
        }

        private func show(_ settings: DaySettings, _ session: Session) throws {
            let clock = { (minutes: UInt32) in LocalTime.text(minutes: Int(minutes)) }
            session.printer.result(
                "from \(clock(settings.wake)) to \(clock(settings.sleep)), "
                    + (settings.timeZone.isEmpty ? "no zone yet" : settings.timeZone.printable))
            session.printer.result(
                settings.warning == 0
                    ? "there are no warnings"
                    : "told \(Wording.count(settings.warning, "minute")) before something begins")
            for one in settings.urgent {
                session.printer.result("“\(one.printable)” is urgent")
            }
            if settings.withMeetings { session.printer.result("your meetings are in your days") }
            if settings.withShifts { session.printer.result("your shifts are in your days") }
            guard !settings.editors.isEmpty || !settings.told.isEmpty else { return }
            let names = try UserCommand.names(session)
            for editor in settings.editors {
                session.printer.result("\(names[editor] ?? editor) may change your days")
            }
            for carer in settings.told {
                session.printer.result("\(names[carer] ?? carer) gets a copy of your alerts")
            }
        }
    }

    /// `steward day save-template`
    struct SaveTemplate: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "save-template", abstract: "Saves a day as a template.")

        @Argument(help: "Its name; a template of that name is replaced.")
        var name: String
        @OptionGroup var target: Target

        func run() throws {
            let session = try Session()
            let reply = try session.ask(
                .routine,
                KeepTemplate(
                    person: try target.person.account(session), name: name,
                    date: target.date?.text ?? ""),
                for: DayTemplate.self, repeating: target.repeating)
            if target.output.json { return try session.printer.json(.templates, [reply]) }
            session.printer.result("“\(reply.name.printable)” is kept: \(reply.words)")
            session.printer.remark(
                "use it: steward day plan --template \(reply.name.printable.asWord)")
        }
    }

    /// `steward day templates`
    struct Templates: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "templates", abstract: "Lists the templates.")

        @OptionGroup var person: PersonOption
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let reply = try session.ask(
                .routine, ListDayTemplates(person: try person.account(session)),
                for: DayTemplates.self)
            if output.json { return try session.printer.json(.templates, reply.templates) }
            guard !reply.templates.isEmpty else {
                return session.printer.remark("there is none; save one: steward day save-template")
            }
            var table = TextTable([.text("TEMPLATE"), .text("WHAT IS IN IT")])
            for one in reply.templates { table.add([.init(one.name), .init(one.words)]) }
            session.printer.table(table)
        }
    }

    /// `steward day forget-template`
    struct ForgetTemplate: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "forget-template", abstract: "Deletes a template.")

        @Argument(help: "Its name.")
        var name: String
        @OptionGroup var person: PersonOption
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let reply = try session.ask(
                .routine,
                Messages.ForgetTemplate(person: try person.account(session), name: name),
                for: DayTemplate.self, repeating: repeating)
            if output.json { return try session.printer.json(.templates, [reply]) }
            session.printer.result("“\(reply.name.printable)” is forgotten")
        }
    }
}

extension DayTemplate {
    /// The contents of the template, in words.
    fileprivate var words: String {
        Wording.count(routines.count, "routine") + ", "
            + Wording.count(appointments.count, "appointment")
    }
}
