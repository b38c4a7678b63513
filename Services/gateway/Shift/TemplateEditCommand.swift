import ArgumentParser
import Bus
import Messages
import ShiftLog
import Speech
import TemplateFile
import Terminal

extension TemplateCommand {
    /// The options of every change of a template.
    struct EditOptions: ParsableArguments {
        @Option(help: "The version that you saw; the change is refused if there is a newer one.")
        var version: UInt32 = 0
        @OptionGroup var place: SiteOption
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        /// The present template.
        func read(_ template: String, _ session: Session) throws -> ChecklistTemplate {
            try session.ask(
                .checklist, ReadTemplate(template: template, site: try place.site(session).id),
                for: ChecklistTemplate.self)
        }

        /// Makes a change that replaces a part of the present template, and prints the new version.
        /// If someone else changes the template meanwhile, tries again with that version.
        func replace(
            _ template: String, _ session: Session,
            _ edit: (ChecklistTemplate) throws -> EditTemplate.Edit
        ) throws {
            var name = template
            try repeating.retrying { seen in
                let before = try read(name, session)
                // The template may be renamed meanwhile.
                name = before.id
                if version == 0 { seen = before.version }
                try send(
                    name, session, edit(before),
                    expecting: version == 0 ? before.version : version)
            } version: {
                try read(name, session).version
            }
        }

        /// Makes the change and prints the new version.
        ///
        /// - Parameter expected: the version that the change is for. Default: the one named.
        func send(
            _ template: String, _ session: Session, _ edit: EditTemplate.Edit,
            expecting expected: UInt32? = nil
        ) throws {
            let reply = try session.ask(
                .checklist,
                EditTemplate(
                    template: template, expectedVersion: expected ?? version,
                    site: try place.site(session).id, edit: edit),
                for: ChecklistTemplate.self, repeating: repeating)
            if output.json { return try session.printer.json(.templates, [reply]) }
            session.printer.result("\(reply.name.printable): version \(reply.version)")
        }
    }

    /// Options for the properties of a task.
    struct TaskOptions: ParsableArguments {
        @Option(help: "A standing note: what good looks like, or where it is.")
        var note: String?
        @Flag(inversion: .prefixedNo, help: "It needs attention throughout the section.")
        var general: Bool?
        @Option(
            help: "Who deals with it: manager, kitchen, service or an area of the site.",
            completion: Offered.areas)
        var area: String?
        @Option(help: "How soon to put it right: the name of a priority.")
        var priority: String?
        @Option(help: "When it is due, e.g. 10:15; none removes the time.")
        var at: TimeArgument?
        @Flag(inversion: .prefixedNo, help: "Supervisors are alerted if it isn't done in time.")
        var timeCritical: Bool?
        @Flag(inversion: .prefixedNo, help: "It is part of the daily security round.")
        var securityRound: Bool?
        @Option(help: "The name of the checklist that ticking it opens.")
        var opens: String?

        @Option(help: "What it asks for: number, choice, text, signature, or none.")
        var answer: AnswerArgument?
        @Option(help: "The unit of the number, e.g. °C.")
        var unit: String?
        @Option(parsing: .unconditional, help: "The least number that is ok.")
        var least: SignedFigure?
        @Option(parsing: .unconditional, help: "The greatest number that is ok.")
        var most: SignedFigure?
        @Option(help: "A text to choose from; may be given several times.")
        var choice: [String] = []
        @Option(
            name: .customLong("not-ok-choice"),
            help: "A text that means not ok; may be given several times.")
        var failing: [String] = []

        /// The rule of the answer; nil if it stays as it is.
        private func rule(of task: ChecklistTask) -> AnswerRule? {
            var rule = task.answer ?? AnswerRule()
            if let answer {
                if answer.kind != rule.kind { rule = AnswerRule() }
                rule.kind = answer.kind
            }
            if let unit { rule.unit = unit }
            if let least { rule.least = least.thousandths }
            if let most { rule.most = most.thousandths }
            if !choice.isEmpty || !failing.isEmpty {
                rule.choices =
                    choice.filter { !failing.contains($0) }.map { AnswerChoice(text: $0) }
                    + failing.map { AnswerChoice(text: $0, notOk: true) }
            }
            return rule == AnswerRule() ? nil : rule
        }

        /// The task, changed by the given options.
        func applied(to task: ChecklistTask) -> ChecklistTask {
            var task = task
            if let note { task.note = note }
            if let general { task.general = general }
            if let area { task.area = area }
            if let priority { task.priority = priority }
            if let at { task.carryOut = at.minutes }
            if let timeCritical { task.timeCritical = timeCritical }
            if let securityRound { task.securityRound = securityRound }
            if let opens { task.link = opens }
            task.answer = rule(of: task)
            return task
        }
    }

    /// `steward template add-task`
    struct AddTask: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add-task", abstract: "Adds a task to a template.")

        @Argument(help: "The template's name or id.")
        var template: String
        @Argument(help: "What to check or do.")
        var title: String
        @Option(help: "The section's id or name.")
        var section: String?
        @Option(help: "The id of the task that it belongs to.")
        var parent: String = ""
        @Option(help: "The id of the task to put it after. Default: first.")
        var after: String = ""
        @Option(name: .customLong("task-id"), help: "Its id. Default: made from the title.")
        var taskID: String?
        @OptionGroup var task: TaskOptions
        @OptionGroup var options: EditOptions

        func run() throws {
            let session = try Session()
            let before = try options.read(template, session)
            let section = try before.section(
                section, holding: after.isEmpty ? parent : after)
            let draft = ChecklistTask(
                id: taskID ?? before.freeID(title), parent: parent, title: title,
                area: "manager", priority: "during-shift")
            try options.send(
                template, session,
                .addTask(
                    PlaceTask(
                        task: task.applied(to: draft), section: section, after: after)))
        }
    }

    /// `steward template change-task`
    struct ChangeTask: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "change-task",
            abstract: "Changes a task; options that aren't given change nothing.")

        @Argument(help: "The template's name or id.")
        var template: String
        @Argument(help: "The task's id, or words of its title.")
        var task: String
        @Option(help: "The new title.")
        var title: String?
        @OptionGroup var options: TaskOptions
        @OptionGroup var edit: EditOptions

        func run() throws {
            try edit.replace(template, try Session()) { before in
                var changed = options.applied(to: try before.task(task))
                if let title { changed.title = title }
                return .changeTask(changed)
            }
        }
    }

    /// `steward template move-task`
    struct MoveTask: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "move-task", abstract: "Moves a task, with the tasks under it.")

        @Argument(help: "The template's name or id.")
        var template: String
        @Argument(help: "The task's id, or words of its title.")
        var task: String
        @Option(help: "The section's id or name. Default: that of --after, or its own.")
        var section: String?
        @Option(help: "The id of the task that it should belong to.")
        var parent: String = ""
        @Option(help: "The id of the task to put it after. Default: first.")
        var after: String = ""
        @OptionGroup var options: EditOptions

        func run() throws {
            let session = try Session()
            let before = try options.read(template, session)
            var moved = try before.task(task)
            let section = try before.section(
                section, holding: [after, parent, moved.id].first { !$0.isEmpty } ?? "")
            moved.parent = parent
            try options.send(
                template, session,
                .moveTask(PlaceTask(task: moved, section: section, after: after)))
        }
    }

    /// `steward template remove-task`
    struct RemoveTask: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove-task", abstract: "Removes a task, with the tasks under it.")

        @Argument(help: "The template's name or id.")
        var template: String
        @Argument(help: "The task's id, or words of its title.")
        var task: String
        @OptionGroup var options: EditOptions

        func run() throws {
            let session = try Session()
            let id = try options.read(template, session).task(task).id
            try options.send(template, session, .removeTask(id))
        }
    }

    /// `steward template add-section`
    struct AddSection: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add-section", abstract: "Adds a section to a template.")

        @Argument(help: "The template's name or id.")
        var template: String
        @Argument(help: "Its name.")
        var name: String
        @Option(help: "The id or name of the section to put it after. Default: first.")
        var after: String?
        @OptionGroup var options: EditOptions

        func run() throws {
            let session = try Session()
            let before = try options.read(template, session)
            let behind = try after.map { try before.section($0, holding: "") } ?? ""
            let section = ChecklistSection(id: before.freeID(name), name: name)
            try options.send(
                template, session, .addSection(PlaceSection(section: section, after: behind)))
        }
    }

    /// `steward template move-section`
    struct MoveSection: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "move-section", abstract: "Moves or renames a section.")

        @Argument(help: "The template's name or id.")
        var template: String
        @Argument(help: "The section's id or name.")
        var section: String
        @Option(help: "The new name.")
        var name: String?
        @Option(help: "The id or name of the section to put it after. Default: first.")
        var after: String?
        @OptionGroup var options: EditOptions

        func run() throws {
            try options.replace(template, try Session()) { before in
                let id = try before.section(section, holding: "")
                let index = before.sections.prefix { $0.id != id }.count
                var moved = before.sections[index]
                if let name { moved.name = name }
                moved.tasks = []
                // If only the name changes, the section stays where it is.
                let present = index == 0 ? "" : before.sections[index - 1].id
                let behind = try after.map { try before.section($0, holding: "") }
                return .changeSection(
                    PlaceSection(section: moved, after: behind ?? (name == nil ? "" : present)))
            }
        }
    }

    /// `steward template remove-section`
    struct RemoveSection: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove-section", abstract: "Removes a section, with its tasks.")

        @Argument(help: "The template's name or id.")
        var template: String
        @Argument(help: "The section's id or name.")
        var section: String
        @OptionGroup var options: EditOptions

        func run() throws {
            let session = try Session()
            let id = try options.read(template, session).section(section, holding: "")
            try options.send(template, session, .removeSection(id))
        }
    }

    /// `steward template rename`
    struct Rename: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rename",
            abstract: "Renames a template.")

        @Argument(help: "The template's name or id.")
        var template: String
        @Argument(help: "The new name.")
        var name: String
        @OptionGroup var options: EditOptions

        func run() throws {
            try options.send(template, try Session(), .rename(name))
        }
    }

    /// `steward template let-crew`
    struct LetCrew: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "let-crew", abstract: "Sets what crew members may do in a list.",
            discussion: """
                They may do nothing in it, tick tasks of their areas as ok or done, or inspect: \
                mark those tasks in every way and write notes. It counts from the next shift on; \
                for the open one use steward shift let-crew.
                """)

        @Argument(help: "The template's name or id.")
        var template: String
        @Argument(help: "nothing, tick or inspect.")
        var may: CrewMayArgument
        @OptionGroup var options: EditOptions

        func run() throws {
            try options.send(template, try Session(), .crew(may.may))
        }
    }
}

extension ChecklistTemplate {
    /// The task that a person means, by id or words of its title.
    func task(_ text: String) throws(Failure) -> ChecklistTask {
        let tasks = sections.flatMap(\.tasks)
        let choices = tasks.enumerated().map {
            Choice(ids: [$1.id], title: $1.title, number: $0 + 1)
        }
        do { return tasks[try Choice.find(text, among: choices, what: "task").number - 1] } catch {
            // Tasks of a template have ids; only those of a shift have numbers.
            throw Failure(
                error.status, error.sentence,
                advice: "its ids are shown by steward template show \(name.printable.asWord)")
        }
    }

    /// The id of the section that a person means; without words the one with a task, or the only
    /// one.
    func section(_ text: String?, holding task: String) throws(Failure) -> String {
        if let text {
            let choices = sections.enumerated().map {
                Choice(ids: [$1.id], title: $1.name, number: $0 + 1)
            }
            let found = try Choice.find(text, among: choices, what: "section", isNumbered: false)
            return sections[found.number - 1].id
        }
        let holder = sections.first { $0.tasks.contains { $0.id == task } }
        guard let section = holder ?? (sections.count == 1 ? sections.first : nil) else {
            throw Failure(
                .usage, "it is unclear which section is meant",
                advice: "name it with --section: "
                    + sections.map(\.id).joined(separator: ", ").printable)
        }
        return section.id
    }

    /// An id made from words that no task and no section has yet.
    func freeID(_ words: String) -> String {
        let taken = sections.map(\.id) + sections.flatMap(\.tasks).map(\.id)
        return TaskID.made(from: words, taken: Set(taken))
    }
}
