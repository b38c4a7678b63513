import ArgumentParser
import Messages
import ProjectLanguage
import ProjectRecord
import Speech
import Terminal
import Texts

/// `steward project`
struct ProjectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "project", abstract: "Projects: who does what when, and what waits for what.",
        discussion: """
              steward project create 'New kitchen'
              steward project person add Kari
              steward issue create 'Take the old one out' --start 2026-03-02 --due 2026-03-04
              steward issue create 'Lay the floor' --start 2026-03-05 --due 2026-03-06 --after 1
              steward gantt

            Commands are about the project that you created or chose last; -p NAME names another. \
            Every edit is saved immediately and can be undone: steward project undo.
            """,
        subcommands: [
            Create.self, List.self, Use.self, Show.self, Change.self, Holiday.self, Delete.self,
            History.self, Undo.self, Redo.self, PersonCommand.self, ProjectVersionCommand.self,
            MilestonesCommand.self, BaselineCommand.self, Import.self, Export.self,
        ])

    /// The options of a project.
    struct DetailOptions: ParsableArguments {
        @Option(help: "What it is about.")
        var description: String?
        @Option(
            name: .customLong("tracker"),
            help: "A kind of issue; may be given several times. Default: Task, Bug, Feature.")
        var trackers: [String] = []
        @Option(
            name: .customLong("status"),
            help: """
                A status of issues, in order; may be given several times. A closed one ends with \
                “!”, e.g. Done!.
                """)
        var statuses: [String] = []

        /// Whether none of the options is given.
        var isEmpty: Bool { description == nil && trackers.isEmpty && statuses.isEmpty }

        /// Applies the options to a project.
        func apply(to project: inout Project) {
            if let description { project.description = description }
            if !trackers.isEmpty { project.trackers = trackers }
            guard !statuses.isEmpty else { return }
            project.statuses = statuses.map { name in
                name.hasSuffix("!")
                    ? IssueStatus(name: String(name.dropLast()), isClosed: true)
                    : IssueStatus(name: name)
            }
        }
    }

    /// `steward project create`
    struct Create: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Creates a project and makes it the one in use.")

        @Argument(help: "Its name.")
        var name: String
        @Option(
            help: """
                Its name in commands: lower-case letters, digits, - and _. Default: made from the \
                name.
                """)
        var identifier: String?
        @OptionGroup var details: DetailOptions
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            var project = Project(identifier: identifier ?? Self.identifier(of: name), name: name)
            details.apply(to: &project)
            let made = try session.askProject(
                CreateProject(project: project), for: Project.self, repeating: repeating)
            try session.keptProject.keep(id: made.id, name: made.identifier)
            if output.json { return try session.printer.json(.projects, [made]) }
            session.printer.result("\(made.words) is created, and in use")
        }

        /// A name without the characters that an identifier can't have: `Nytt kjøkken` becomes
        /// `nytt-kjokken`.
        static func identifier(of name: String) -> String {
            let words = FoldedText.identifierWords(name)
            return String(words.joined(separator: "-").drop { !$0.isLetter }.prefix(60))
        }
    }

    /// `steward project list`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists the projects, most recently changed first.")

        @Argument(help: "Words of the name, the identifier or the description.")
        var words: [String] = []
        @Option(help: "The maximum number of projects, up to 500.")
        var limit: UInt32 = 50
        @Option(help: "How many to skip.")
        var skip: UInt32 = 0
        @OptionGroup var output: OutputOptions

        func validate() throws { try ListLimit.validate(limit, most: 500) }

        func run() throws {
            let session = try Session()
            let text = words.joined(separator: " ")
            let reply = try session.askProject(
                ListProjects(words: text, limit: limit, skip: skip), for: ProjectsListed.self)
            if output.json {
                return try session.printer.json(
                    .projects, reply.projects, beside: ["count": reply.count])
            }
            guard !reply.projects.isEmpty else {
                return session.printer.remark(
                    text.isEmpty
                        ? "there are none; create one: steward project create NAME"
                        : "no project has “\(text.printable)” in it; all: steward project list")
            }
            let kept = try session.keptProject.chosen()
            let clock = try session.siteClock
            var table = TextTable([
                .id("PROJECT"), .text("NAME"), .number("ISSUES"), .number("OPEN"),
                .time(clock.title("CHANGED", of: reply.projects.map(\.changed))), .text("BY"),
                .text(""),
            ])
            for project in reply.projects {
                table.add([
                    .init(project.identifier), .init(project.name), "\(project.issues)",
                    "\(project.open)", .init(clock.moment(project.changed)),
                    .init(project.changedBy),
                    .init(project.id == kept?.id ? "in use" : "", .dim),
                ])
            }
            session.printer.table(table)
            session.printer.more(after: skip, reply.projects.count, of: reply.count)
        }
    }

    /// `steward project use`
    struct Use: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "use",
            abstract: "Chooses the project for commands that name none.")

        @Argument(help: "Its identifier, name or id.", completion: Offered.projects)
        var name: String
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let project = try session.project(named: name)
            try session.keptProject.keep(id: project.id, name: project.identifier)
            if output.json { return try session.printer.json(.projects, [project]) }
            session.printer.result(
                "\(project.words) is in use: \(Wording.count(project.issues, "issue")), "
                    + "\(project.open) open")
        }
    }

    /// `steward project show`
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Shows the details of a project.")

        @OptionGroup var target: ProjectOption
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let project = try session.project(named: try target.project(session))
            if output.json { return try session.printer.json(.projects, [project]) }
            let printer = session.printer
            printer.result("\(project.words)  \(project.id)")
            if !project.description.isEmpty { printer.result(project.description.printableLines) }
            let closed = project.statuses.filter(\.isClosed).map(\.name)
            let open = project.statuses.filter { !$0.isClosed }.map(\.name)
            let holidays = (project.calendar?.special ?? []).map { "\($0.date) \($0.name)" }
            let facts: [(String, String)] = [
                ("issues", "\(project.issues), \(project.open) open"),
                ("trackers", project.trackers.joined(separator: ", ")),
                ("open", open.joined(separator: ", ")),
                ("closed", closed.joined(separator: ", ")),
                ("holidays", holidays.joined(separator: ", ")),
                ("revision", "\(project.revision), \(project.undoable) to undo"),
            ]
            for (title, text) in facts where !text.isEmpty {
                printer.result("\(title): \(text.printable)")
            }
        }
    }

    /// `steward project change`
    struct Change: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "change",
            abstract: "Changes a project's details; options that aren't given change nothing.",
            discussion: "--tracker and --status replace all of them; give them in order.")

        @Option(help: "Its new name.")
        var name: String?
        @Option(help: "Its new identifier, for use in commands.")
        var identifier: String?
        @OptionGroup var details: DetailOptions
        @OptionGroup var options: ProjectEditOptions

        func validate() throws {
            guard name != nil || identifier != nil || !details.isEmpty else {
                throw ValidationError("say what to change; see --help")
            }
        }

        func run() throws {
            try options.edit { read, _ in
                var project = read.project
                if let name { project.name = name }
                if let identifier { project.identifier = identifier }
                details.apply(to: &project)
                guard project != read.project else { return [] }
                return [.keep(.project(project))]
            }
        }
    }

    /// `steward project holiday`
    struct Holiday: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "holiday",
            abstract: "Adds or removes holidays of the project or of people.",
            discussion: """
                  steward project holiday 2026-12-25 'Christmas Day'
                  steward project holiday 2026-05-17 'National day' --person Kari
                  steward project holiday 2026-12-25 --remove

                A holiday of the project counts for all its people except those with hours of \
                their own on that day; a person's own holiday counts for that person alone. No \
                issue moves by itself: the holiday counts from the next change of dates on.
                """)

        @Argument(help: "The day.")
        var day: DayArgument
        @Argument(help: "Its name.")
        var name: String = ""
        @Flag(help: "Remove the holiday.")
        var remove = false
        @Option(
            name: .customLong("person"),
            help: "A holiday of this person alone, by name or number; may be given several times.")
        var people: [String] = []
        @Flag(help: "Also add it to, or remove it from, each person's own holidays.")
        var everyone = false
        @OptionGroup var options: ProjectEditOptions

        func validate() throws {
            guard people.isEmpty || !everyone else {
                throw ValidationError("--person and --everyone can't be used together")
            }
        }

        func run() throws {
            try options.edit { read, session in
                let date = try day.iso(session)
                var actions: [ProjectAction] = []
                if people.isEmpty {
                    var project = read.project
                    project.calendar = try changed(project.calendar, date, of: "the project")
                    actions.append(.keep(.project(project)))
                }
                let members =
                    try everyone
                    ? read.record.members.values.sorted { $0.id < $1.id }
                    : people.map { try read.member($0) }
                for member in members {
                    var told = TeamMember(member)
                    told.calendar = try changed(told.calendar, date, of: member.name)
                    actions.append(.keep(.member(told)))
                }
                return actions
            }
        }

        /// A calendar with the holiday, or without it.
        private func changed(
            _ calendar: WorkWeeks?, _ date: String, of owner: String
        ) throws -> WorkWeeks {
            var calendar = calendar ?? WorkWeeks()
            let others = calendar.special.filter { $0.date != date }
            guard !remove || everyone || others.count < calendar.special.count else {
                throw Failure(.refused, "\(date) isn't a holiday of \(owner)")
            }
            calendar.special = others + (remove ? [] : [SpecialDay(date: date, name: name)])
            calendar.special.sort { $0.date < $1.date }
            return calendar
        }
    }
}

extension ProjectAction {
    /// Adds a thing, or replaces the one with its number.
    ///
    /// - Parameter moving: whether the issues of a person who works on other days move.
    static func keep(_ thing: ProjectThing.Thing, moving: Bool = false) -> ProjectAction {
        ProjectAction(action: .keep(ProjectThing(thing: thing)), moving: moving)
    }

    /// Removes the thing of this kind and number.
    static func remove(_ thing: ProjectThing.Thing, withParts: Bool = false) -> ProjectAction {
        ProjectAction(action: .remove(ProjectThing(thing: thing)), withParts: withParts)
    }
}

extension Project {
    /// Its name and its identifier.
    var words: String { "“\(name)” (\(identifier))".printable }
}

extension Session {
    /// A project by its identifier, name or id.
    func project(named name: String) throws -> Project {
        let reply = try askProject(
            ReadProject(project: name, withoutTime: true), for: ProjectContents.self)
        guard let project = reply.project else {
            throw Failure(.broken, "the answer has no project in it")
        }
        return project
    }
}

extension Printer {
    /// Says how to get the rest of a list that was shown in part.
    func more(after skip: UInt32, _ told: Int, of count: UInt32) {
        let end = Int(skip) + told
        guard end < Int(count) else { return }
        remark("\(Int(skip) + 1) to \(end) of \(count); go on with --skip \(end)")
    }
}
