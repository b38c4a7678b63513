import ActionLibrary
import ArgumentParser
import Messages
import Phrases
import RoutineDay
import Speech
import Terminal

/// `steward action`
struct ActionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "action", abstract: "Lists and changes actions, of which routines are made.",
        discussion: """
            \(LibraryAction.all.count) actions come with this program, each with a picture and the \
            minutes that it usually takes. Add your own if one is missing.
            """,
        subcommands: [
            List.self, Add.self, Remove.self, ShowPicture.self, Measured.self, Adopt.self,
        ])

    /// An action of the list, in JSON.
    struct Listed: Encodable {
        let name: String
        let emoji: String
        let minutes: UInt32
        let area: String
        let key: String
        let hasPicture: Bool
    }

    /// `steward action list`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists your own actions and those that come with Steward.")

        @Argument(help: "Only actions with this in their names.")
        var text: String = ""
        @Option(help: "Only one area, such as hygiene, meals or movement; own for your own.")
        var area: String?
        @OptionGroup var person: PersonOption
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard let area else { return }
            let areas = Set(LibraryAction.all.map(\.area)).sorted()
            guard (areas + ["own"]).contains(area.lowercased()) else {
                throw ValidationError(
                    "there is no area “\(area.printable)”; there are "
                        + "\(areas.joined(separator: ", ")) and own")
            }
        }

        func run() throws {
            let session = try Session()
            let own = try session.ask(
                .routine, ListOwnActions(person: try person.account(session)),
                for: OwnActions.self)
            let language = try session.language
            let found = Self.found(
                text, area: area, own: own.actions.compactMap(\.action), in: language)
            if output.json { return try session.printer.json(.actions, found) }
            guard !found.isEmpty else {
                return session.printer.remark("there is none; add it: steward action add")
            }
            var table = TextTable([.text(""), .text("ACTION"), .number("MINUTES"), .text("AREA")])
            for one in found {
                table.add([
                    .init(one.emoji.isEmpty && one.hasPicture ? "🖼️" : one.emoji), .init(one.name),
                    .init("\(one.minutes)"),
                    .init(one.area, .dim),
                ])
            }
            session.printer.table(table)
        }

        /// The actions with a text in their names; those that come with Steward are found by their
        /// names in any language, and listed in that of the person.
        static func found(
            _ text: String, area: String?, own: [RoutineAction], in language: Language
        ) -> [Listed] {
            let (text, wanted) = (text.lowercased(), area?.lowercased())
            func isMeant(_ names: [String], in area: String) -> Bool {
                (wanted == nil || wanted == area)
                    && (text.isEmpty || names.contains { $0.lowercased().contains(text) })
            }
            let library = LibraryAction.all.filter { action in
                isMeant(Language.allCases.map { action.name(in: $0) }, in: action.area)
            }
            return own.filter { isMeant([$0.title(in: language)], in: "own") }.map {
                Listed(
                    name: $0.title(in: language), emoji: $0.emoji, minutes: $0.minutes,
                    area: "own", key: "", hasPicture: !$0.picture.isEmpty)
            }
                + library.map {
                    Listed(
                        name: $0.name(in: language), emoji: $0.emoji, minutes: UInt32($0.minutes),
                        area: $0.area, key: $0.key, hasPicture: false)
                }
        }
    }

    /// `steward action add`
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Adds an action of your own, or changes the one of that name.",
            discussion: """
                Options that aren't given leave an existing action as it is. A picture is shown in \
                place of the action's emoji; the place, the time and the camera are removed from \
                its file.

                  steward action add 'Feed Alfred' --picture alfred.jpg --licence 'my own photo'
                """)

        @Argument(help: "Its name; an emoji alone will do.")
        var name: String
        @Option(help: "Its picture: an emoji.")
        var emoji: String?
        @Option(help: "How many minutes it takes, 1 to 480. Default: 10.")
        var minutes: UInt32?
        @Option(help: "How much it matters when not everything fits: 1 least, 5 most.")
        var priority: UInt32?
        @OptionGroup var picture: PictureFileOptions
        @Flag(help: "Show it without a picture from now on.")
        var noPicture = false
        @OptionGroup var person: PersonOption
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard !noPicture || picture.picture == nil else {
                throw ValidationError("--picture and --no-picture can't be used together")
            }
        }

        func run() throws {
            let session = try Session()
            let action = RoutineAction(
                name: name, emoji: emoji ?? "", minutes: minutes ?? 0, priority: priority ?? 0)
            let reply = try session.ask(
                .routine,
                KeepAction(
                    person: try person.account(session), action: action,
                    picture: try picture.prepared(), withoutPicture: noPicture),
                for: OwnAction.self, repeating: repeating)
            if output.json { return try session.printer.json(.actions, [reply]) }
            session.printer.result(
                "\(reply.line): \(Wording.count(reply.action?.minutes ?? 0, "minute"))")
        }
    }

    /// `steward action remove`
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Removes an action of your own. Routines that have it keep it.")

        @Argument(help: "Its name or its id.")
        var name: String
        @OptionGroup var person: PersonOption
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let reply = try session.ask(
                .routine, ForgetAction(person: try person.account(session), action: name),
                for: OwnAction.self, repeating: repeating)
            if output.json { return try session.printer.json(.actions, [reply]) }
            session.printer.result("\(reply.line) is removed")
        }
    }
}

extension OwnAction {
    /// Its emoji and its name.
    fileprivate var line: String { action?.line(in: .english) ?? "" }
}

extension RoutineAction {
    /// Its emoji and its name.
    func line(in language: Language) -> String {
        let title = title(in: language)
        return title == emoji || emoji.isEmpty ? title : "\(emoji) \(title)"
    }
}
