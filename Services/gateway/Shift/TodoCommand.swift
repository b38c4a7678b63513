import ArgumentParser
import Bus
import Foundation
import Messages
import ShiftClient
import ShiftLog
import ShiftPapers
import Speech
import Terminal

/// `steward todo`
struct TodoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "todo", abstract: "The to-dos of the open shift, or of the next one.",
        discussion: """
            Every task that is found not ok is a to-do until it is put right; people add others. A \
            to-do is named by its number in steward todo list, by its id, or by words of its \
            title. What is open at the end of a shift is handed over to the next one.
            """,
        subcommands: [
            List.self, Add.self, Done.self, Undone.self, Change.self, Note.self, Delete.self,
            Print.self, Mail.self, ShowPhoto.self,
        ])

    /// `steward todo list`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists the to-dos: by priority, then section, then title.")

        @Option(help: "Only these areas; may be given several times.", completion: Offered.areas)
        var area: [String] = []
        @Flag(help: "Only those that are not done.")
        var open = false
        @Flag(help: "Only deleted to-dos.")
        var deleted = false
        @OptionGroup var place: SiteOption
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let desk = try TodoDesk.open(session, place)
            let listing = TodoListing(desk.state)
            try ShiftNames(desk.state).validate(areas: area)
            let all = deleted ? desk.state.removedTodos : desk.state.todos
            let todos = all.filter {
                (area.isEmpty || area.contains($0.area)) && (!open || $0.mark == .open)
            }
            if output.json { return try session.printer.json(.todos, todos.map(listing.report)) }
            if todos.isEmpty {
                session.printer.remark("there are no to-dos")
            } else {
                session.printer.table(listing.table(todos))
            }
            try desk.remarkOnState()
        }
    }

    /// `steward todo add`
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Adds a to-do.",
            discussion: """
                Without --area it is for the manager, or, if a crew member adds it who does \
                nothing for the manager, for an area of theirs.

                Without a title, the terminal offers to-dos that were added at the site before. \
                --again chooses one of them by words of its title.
                """)

        @Argument(help: "What to do.")
        var title: String?
        @Option(help: "An earlier to-do, by words of its title.")
        var again: String?
        @Option(help: "The section: one of the lists' or a new one.")
        var section: String?
        @Option(
            help: "Who does it: manager, kitchen, service or an area of the site.",
            completion: Offered.areas)
        var area: String?
        @Option(help: "How soon: the name of a priority, e.g. immediate.")
        var priority: String?
        @Option(help: "Who is to do it: the name of an account, or any name.")
        var assignee: String?
        @Option(help: "When it is due: 14:30, 2026-11-24, or '2026-11-24 14:30'.")
        var due: DueArgument?
        @Option(help: "A note.")
        var note: String?
        @OptionGroup var photo: PhotoOptions
        @OptionGroup var place: SiteOption
        @OptionGroup var output: OutputOptions

        func validate() throws {
            if title != nil, again != nil {
                throw ValidationError("give a title or --again, not both")
            }
        }

        func run() throws {
            let photos = try photo.prepared()
            let session = try Session()
            let desk = try TodoDesk.open(session, place)
            var todo = try title.map { AddTodo(title: $0) } ?? remembered(desk, session)
            if let section { todo.section = section }
            if let area { todo.area = area }
            if todo.area.isEmpty {
                let crew = try session.crewMember(at: desk.state.shift.site)
                todo.area = crew?.usualArea ?? "manager"
            }
            let usual = desk.state.settings.priorities.dropFirst(2).first?.name
            if let priority { todo.priority = priority }
            if todo.priority.isEmpty { todo.priority = usual ?? "" }
            todo.note = note ?? ""
            todo.assignee = assignee ?? ""
            todo.due =
                due?.time(
                    in: desk.state.localTime, after: WallClock.milliseconds()) ?? 0
            // A to-do found while a travel path is under way belongs to it.
            todo.travelPath = desk.state.travelPaths.last { $0.logged == nil }?.begun ?? []
            todo.photos = photos.map(\.photo)
            let before = Set(desk.state.todos.map(\.id))
            try desk.perform([.addTodo(todo)], photos)
            let state = desk.state
            guard let added = state.todos.last(where: { !before.contains($0.id) }) else { return }
            if output.json {
                return try session.printer.json(.todos, [TodoListing(state).report(added)])
            }
            session.printer.result(
                "added: \(TodoListing(state).line(added, at: WallClock.milliseconds()))")
        }

        /// A to-do that was added before, chosen by words or at the terminal.
        private func remembered(_ desk: TodoDesk, _ session: Session) throws -> AddTodo {
            let known = try session.ask(
                .checklist, ListRememberedTodos(site: desk.state.shift.site),
                for: RememberedTodos.self
            ).todos
            let choices = known.enumerated().map {
                Choice(ids: [], title: $1.title, number: $0 + 1)
            }
            if let again {
                let found = try Choice.find(
                    again, among: choices, what: "to-do", isNumbered: false)
                return known[found.number - 1]
            }
            guard isatty(STDIN_FILENO) == 1 else {
                throw Failure(.usage, "no title was given", advice: "steward todo add 'TITLE'")
            }
            for (index, todo) in known.prefix(20).enumerated() {
                session.printer.remark(
                    "\(String(index + 1).padded(to: 3, onTheLeft: true))  \(todo.title.printable)")
            }
            let text = try PasswordPrompt.askOpenly(
                known.isEmpty ? "What is to be done" : "A number, or what is to be done",
                session.printer)
            if let number = Int(text), known.indices.contains(number - 1) {
                return known[number - 1]
            }
            return AddTodo(title: text)
        }
    }

    /// The to-dos that a command is about.
    struct Chosen: ParsableArguments {
        @Argument(help: "The to-dos: numbers, ids, or words of the title in quotes.")
        var todos: [String]
        @OptionGroup var place: SiteOption
        @OptionGroup var output: OutputOptions

        /// Marks the to-dos and prints them.
        func mark(_ mark: TodoMark) throws {
            let session = try Session()
            let desk = try TodoDesk.open(session, place)
            let names = ShiftNames(desk.state)
            let found = try todos.map { try names.todo($0) }
            try desk.perform(found.map { .markTodo(MarkTodo(todo: $0.id, mark: mark)) })
            let now = found.map { desk.state.todo($0.id) ?? $0 }
            try show(now, desk, session) { $0.mark.word }
        }

        /// Changes the to-dos and prints them.
        func change(_ make: (TodoDesk) -> ChangeTodo) throws {
            let session = try Session()
            let desk = try TodoDesk.open(session, place)
            let names = ShiftNames(desk.state)
            let found = try todos.map { try names.todo($0) }
            var change = make(desk)
            try desk.perform(
                found.map { todo in
                    change.todo = todo.id
                    return .changeTodo(change)
                })
            try show(found.map { desk.state.todo($0.id) ?? $0 }, desk, session) { _ in "changed" }
        }

        private func show(
            _ todos: [Todo], _ desk: TodoDesk, _ session: Session, word: (Todo) -> String
        ) throws {
            let listing = TodoListing(desk.state)
            if output.json { return try session.printer.json(.todos, todos.map(listing.report)) }
            let now = WallClock.milliseconds()
            for todo in todos {
                let line = todo.mark == .open ? listing.line(todo, at: now) : listing.line(todo)
                session.printer.result("\(word(todo)): \(line)")
            }
        }
    }

    /// `steward todo done`
    struct Done: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "done", abstract: "Ticks to-dos.")
        @OptionGroup var chosen: Chosen
        func run() throws { try chosen.mark(.done) }
    }

    /// `steward todo undone`
    struct Undone: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "undone",
            abstract: "Unticks to-dos, and restores deleted ones.")
        @OptionGroup var chosen: Chosen
        func run() throws { try chosen.mark(.open) }
    }

    /// `steward todo change`
    struct Change: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "change",
            abstract: "Changes who does to-dos, when they are due, and how soon.")

        @Option(help: "Who is to do it: the name of an account, or any name; '' for nobody.")
        var assignee: String?
        @Option(help: "When it is due: 14:30, 2026-11-24, '2026-11-24 14:30', or none.")
        var due: DueArgument?
        @Option(help: "How soon: the name of a priority, e.g. immediate.")
        var priority: String?
        @OptionGroup var chosen: Chosen

        func validate() throws {
            guard assignee != nil || due != nil || priority != nil else {
                throw ValidationError("say what changes: --assignee, --due or --priority")
            }
        }

        func run() throws {
            try chosen.change { desk in
                let time = due?.time(in: desk.state.localTime, after: WallClock.milliseconds())
                return ChangeTodo(
                    assignee: assignee, due: time ?? 0, priority: priority ?? "",
                    neverDue: time == 0)
            }
        }
    }

    /// `steward todo delete`
    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete",
            abstract: "Deletes to-dos from the list; steward todo undone restores them.")
        @OptionGroup var chosen: Chosen
        func run() throws { try chosen.mark(.removed) }
    }

    /// `steward todo note`
    struct Note: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "note",
            abstract: "Adds a note to a to-do. Notes are never overwritten.")

        @Argument(help: "The to-do: its number, its id, or words of its title in quotes.")
        var todo: String
        @Argument(help: "The note.")
        var text: String
        @OptionGroup var place: SiteOption
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let desk = try TodoDesk.open(session, place)
            let todo = try ShiftNames(desk.state).todo(todo)
            try desk.perform([.noteTodo(NoteTodo(todo: todo.id, text: text))])
            if output.json {
                let now = desk.state.todo(todo.id) ?? todo
                return try session.printer.json(.todos, [TodoListing(desk.state).report(now)])
            }
            session.printer.result("noted at “\(todo.title.printable)”")
        }
    }

    /// `steward todo print`
    struct Print: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "print",
            abstract: "Prints the to-do lists, one for each area: as text, HTML or PDF.")

        @Option(help: "Only these areas; may be given several times.", completion: Offered.areas)
        var area: [String] = []
        @OptionGroup var paper: PaperOptions
        @OptionGroup var place: SiteOption
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let desk = try ShiftDesk.open(session, place)
            let state = desk.state
            try ShiftNames(state).validate(areas: area)
            let wanted = area.isEmpty ? state.todos : state.todos(areas: Set(area))
            let photos = try paper.pictures(
                of: wanted.flatMap(\.photos), session.printer, read: desk.file)
            let papers =
                area.isEmpty
                ? state.todoPapers(photos: photos)
                : area.map { state.todoPaper(area: $0, photos: photos) }
            try paper.put(papers, session.printer, isJSON: output.json)
            try desk.remarkOnState()
        }
    }

    /// `steward todo mail`
    struct Mail: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "mail",
            abstract: "Mails the to-do lists, one for each area.")

        @Option(help: "Only these areas; may be given several times.", completion: Offered.areas)
        var area: [String] = []
        @Option(help: "An address; may be given several times. Default: the site's settings.")
        var to: [String] = []
        @OptionGroup var place: SiteOption
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let desk = try ShiftDesk.open(session, place)
            guard desk.copy.waiting.isEmpty else {
                throw Failure(
                    .notRunning,
                    "\(desk.copy.waiting.count) waiting here, so the mail would not be whole: "
                        + (desk.obstacle ?? "try again"))
            }
            let reply = try session.ask(
                .checklist, MailTodos(shift: desk.copy.shift.id, areas: area, to: to),
                for: ListsMailed.self, repeating: repeating)
            if output.json { return try session.printer.json(.sendings, [reply]) }
            session.printer.result(
                "\(Wording.count(reply.keys.count, "list")) will be mailed to "
                    + reply.to.joined(separator: ", ").printable)
            session.remarkOnHeldMails()
        }
    }
}
