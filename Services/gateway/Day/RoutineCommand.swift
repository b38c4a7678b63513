import ActionLibrary
import ArgumentParser
import Bus
import LocalTime
import Messages
import Phrases
import RoutineDay
import Speech
import Terminal

/// `steward routine`
struct RoutineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "routine", abstract: "Lists and changes routines, which are actions in order.",
        discussion: """
            The tags say when a routine is done: morning, forenoon, noon, afternoon, evening, \
            night; or give the time yourself. A day is planned from routines by their tags.
            """,
        subcommands: [
            List.self, Show.self, Create.self, Change.self, Copy.self, Delete.self, Restore.self,
            Statistics.self,
        ])

    /// `steward routine list`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Lists the routines.")

        @OptionGroup var person: PersonOption
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let reply = try RoutineCommand.all(session, person)
            if output.json { return try session.printer.json(.routines, reply) }
            guard !reply.isEmpty else {
                return session.printer.remark("there is none; make one: steward routine create")
            }
            var table = TextTable([
                .text("ROUTINE"), .number("MINUTES"), .number("ACTIONS"), .time("TIME"),
                .text("TAGS"),
            ])
            for routine in reply {
                table.add([
                    .init(routine.line), .init("\(routine.minutes)"),
                    .init("\(routine.actions.count)"), .init(routine.window),
                    .init(routine.tags.joined(separator: ", "), .dim),
                ])
            }
            session.printer.table(table)
        }
    }

    /// `steward routine show`
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Shows a routine.")

        @Argument(help: "Its name or its id.")
        var name: String
        @OptionGroup var person: PersonOption
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let routine = try RoutineCommand.find(name, session, person)
            if output.json { return try session.printer.json(.routines, [routine]) }
            try RoutineCommand.show(routine, session)
        }
    }

    /// `steward routine create`
    struct Create: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Makes a routine of actions in order.",
            discussion: """
                steward routine create Morning --tag morning --action "Brush your teeth" \
                --action "Eat breakfast:25" --action "Look out:2:1"

                An action is one of steward action list, or anything else. After its name you can \
                give the minutes and the priority, 1 to 5, if they differ from the usual.
                """)

        @Argument(help: "Its name; an emoji alone will do.")
        var name: String
        @OptionGroup var traits: RoutineTraits
        @OptionGroup var person: PersonOption
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            var routine = Routine(name: name)
            traits.apply(to: &routine)
            try RoutineCommand.keep(
                routine, try traits.picture.prepared(), session, person, repeating, output, "made")
        }
    }

    /// `steward routine change`
    struct Change: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "change",
            abstract: "Changes a routine; options that aren't given change nothing.",
            discussion: "With --action you replace all its actions, in order.")

        @Argument(help: "Its name or its id.")
        var name: String
        @Option(help: "Its new name.")
        var rename: String?
        @OptionGroup var traits: RoutineTraits
        @Option(help: "An action to add at the end.")
        var add: [ActionArgument] = []
        @Option(help: "The number of an action to remove, 1 for the first.")
        var remove: Int?
        @Option(
            help: ArgumentHelp(
                "Move an action to another place: 3:1 brings the third to the front.",
                valueName: "from:to"))
        var move: String?
        @OptionGroup var person: PersonOption
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let picture = try traits.picture.prepared()
            var (id, actions) = (name, [RoutineAction]?.none)
            try repeating.retrying { version in
                let seen = try RoutineCommand.find(id, session, person)
                // The routine may be renamed meanwhile.
                (id, version) = (seen.id, seen.changed)
                // A number means the action that had it when the person looked.
                if remove != nil || move != nil, let actions, seen.actions != actions {
                    throw Failure(
                        .refused, "someone else has changed its actions meanwhile",
                        advice: "see steward routine show \(seen.name.printable.asWord)")
                }
                actions = seen.actions
                return try RoutineCommand.keep(
                    try changed(seen), picture, session, person, repeating, output, "changed")
            } version: {
                try RoutineCommand.find(id, session, person).changed
            }
        }

        /// The routine with what was given.
        private func changed(_ seen: Routine) throws -> Routine {
            var routine = seen
            if let rename { routine.name = rename }
            traits.apply(to: &routine)
            if let remove {
                guard routine.actions.indices.contains(remove - 1) else { throw noAction(remove) }
                routine.actions.remove(at: remove - 1)
            }
            routine.actions += add.map(\.action)
            if let move {
                let places = move.split(separator: ":").compactMap { Int($0) }
                guard places.count == 2 else {
                    throw ValidationError("--move has two numbers, such as 3:1")
                }
                for place in places where !routine.actions.indices.contains(place - 1) {
                    throw noAction(place)
                }
                let action = routine.actions.remove(at: places[0] - 1)
                routine.actions.insert(action, at: places[1] - 1)
            }
            return routine
        }

        private func noAction(_ number: Int) -> Failure {
            Failure(
                .refused, "the routine has no action \(number)",
                advice: "see steward routine show \(name.printable.asWord)")
        }
    }

    /// `steward routine copy`
    struct Copy: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "copy", abstract: "Makes a routine like another.")

        @Argument(help: "The name or the id of the other.")
        var name: String
        @Argument(help: "The name of the copy.")
        var copy: String
        @OptionGroup var person: PersonOption
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            var routine = try RoutineCommand.find(name, session, person)
            (routine.id, routine.name) = ("", copy)
            try RoutineCommand.keep(
                routine, nil, session, person, repeating, output, "made")
        }
    }

    /// `steward routine delete`
    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete",
            abstract: "Deletes a routine; for 30 days it can be brought back.")

        @Argument(help: "Its name or its id.")
        var name: String
        @OptionGroup var person: PersonOption
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let reply = try session.ask(
                .routine, DeleteRoutine(person: try person.account(session), routine: name),
                for: Routine.self, repeating: repeating)
            if output.json { return try session.printer.json(.routines, [reply]) }
            session.printer.result("\(reply.line) is deleted")
            session.printer.remark("bring it back: steward routine restore")
        }
    }

    /// `steward routine restore`
    struct Restore: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "restore",
            abstract: "Brings back a deleted routine.")

        @Argument(help: "Its name or its id. Default: the one deleted last.")
        var name: String = ""
        @OptionGroup var person: PersonOption
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let reply = try session.ask(
                .routine, RestoreRoutine(person: try person.account(session), routine: name),
                for: Routine.self, repeating: repeating)
            if output.json { return try session.printer.json(.routines, [reply]) }
            session.printer.result("\(reply.line) is back")
        }
    }

    // MARK: What the commands share

    fileprivate static func all(_ session: Session, _ person: PersonOption) throws -> [Routine] {
        let query = ListRoutines(person: try person.account(session))
        return try session.whole(.routine, query, \.after) { (page: Routines) in
            (page.routines, page.next)
        }
    }

    fileprivate static func find(
        _ name: String, _ session: Session, _ person: PersonOption
    ) throws -> Routine {
        let all = try all(session, person)
        let choices = all.enumerated().map {
            Choice(ids: [$1.id], title: $1.name, number: $0 + 1)
        }
        let found = try Choice.find(name, among: choices, what: "routine", isNumbered: false)
        return all[found.number - 1]
    }

    fileprivate static func keep(
        _ routine: Routine, _ picture: PersonalPicture?, _ session: Session,
        _ person: PersonOption, _ repeating: RepeatOptions, _ output: OutputOptions, _ word: String
    ) throws {
        let reply = try session.ask(
            .routine,
            KeepRoutine(
                person: try person.account(session), routine: routine, picture: picture),
            for: Routine.self, repeating: repeating)
        if output.json { return try session.printer.json(.routines, [reply]) }
        try show(reply, session)
        try remarkOnNames(of: reply, session, person)
        session.printer.remark("the routine is \(word); plan a day with it: steward day plan")
    }

    /// For an unknown action name, says which of the actions that come with Steward has nearly that
    /// name.
    private static func remarkOnNames(
        of routine: Routine, _ session: Session, _ person: PersonOption
    ) throws {
        let language = try session.language
        var near: [(name: String, title: String)] = []
        for action in routine.actions where action.library.isEmpty && action.name.count > 5 {
            let name = action.name.lowercased()
            let found = LibraryAction.all.map { $0.name(in: language) }
                .map { ($0, Choice.distance($0.lowercased(), name)) }.min { $0.1 < $1.1 }
            if let found, found.1 <= 2 { near.append((action.name, found.0)) }
        }
        guard !near.isEmpty else { return }
        let own = try session.ask(
            .routine, ListOwnActions(person: try person.account(session)), for: OwnActions.self
        ).actions.compactMap { $0.action?.name.lowercased() }
        for one in near where !own.contains(one.name.lowercased()) {
            session.printer.remark(
                "“\(one.name.printable)” is an action of its own; “\(one.title)” comes with "
                    + "Steward, with a picture")
        }
    }

    fileprivate static func show(_ routine: Routine, _ session: Session) throws {
        let language = try session.language
        session.printer.result(
            "\(routine.line)  \(routine.window)  \(routine.tags.joined(separator: ", "))")
        if !routine.description.isEmpty { session.printer.result(routine.description.printable) }
        var table = TextTable([
            .number("NO"), .text(""), .text("ACTION"), .number("MINUTES"), .number("PRIORITY"),
        ])
        for (index, action) in routine.actions.enumerated() {
            table.add([
                .init("\(index + 1)"), .init(action.emoji),
                .init(action.title(in: language)), .init("\(action.minutes)"),
                .init("\(action.priority)"),
            ])
        }
        session.printer.table(table)
    }
}

/// The options for creating or changing a routine.
struct RoutineTraits: ParsableArguments {
    @Option(help: "An action, in order; may be given several times.")
    var action: [ActionArgument] = []
    @Option(help: "A tag, such as morning or hygiene; may be given several times.")
    var tag: [String] = []
    @Option(help: "Its picture: an emoji.")
    var emoji: String?
    @Option(help: "What it is for.")
    var about: String?
    @Option(help: "The earliest time to do it, such as 7:00.")
    var from: ClockArgument?
    @Option(help: "The latest time to do it, such as 9:30.")
    var until: ClockArgument?

    @OptionGroup var picture: PictureFileOptions
    @Flag(help: "Show it without a picture from now on.")
    var noPicture = false

    func validate() throws {
        guard !noPicture || picture.picture == nil else {
            throw ValidationError("--picture and --no-picture can't be used together")
        }
    }

    /// Applies the given options to a routine.
    func apply(to routine: inout Routine) {
        if !action.isEmpty { routine.actions = action.map(\.action) }
        if !tag.isEmpty {
            // The time follows from the tags, unless it is given.
            routine.tags = tag
            (routine.from, routine.until) = (0, 0)
        }
        if let emoji { routine.emoji = emoji }
        if let about { routine.description = about }
        if noPicture { routine.picture = [] }
        if from != nil || until != nil {
            let time = TagTime.of(routine.tags.map { $0.lowercased() })
            let isWhole = routine.from == 0 && routine.until == 0
            routine.from = from?.minutes ?? (isWhole ? time.from : routine.from)
            routine.until = until?.minutes ?? (isWhole ? time.until : routine.until)
        }
    }
}

extension Routine {
    /// Its emoji and its name.
    fileprivate var line: String { (emoji.isEmpty ? name : "\(emoji) \(name)").printable }
    /// How long all its actions take, minutes.
    fileprivate var minutes: UInt32 { actions.reduce(0) { $0 + $1.minutes } }
    /// When it may be done.
    fileprivate var window: String {
        "\(LocalTime.text(minutes: Int(from)))–\(LocalTime.text(minutes: Int(until)))"
    }
}
