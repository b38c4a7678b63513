import ArgumentParser
import Foundation
import LocalTime
import Messages
import ShiftLog
import Speech
import TemplateFile
import Terminal

/// `steward template`
struct TemplateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "template", abstract: "The checklists from which shifts begin.",
        discussion: """
            Every change makes a new version; a shift keeps the version that it began with. \
            “steward template restaurant” imports the shipped checklists of a restaurant.
            """,
        subcommands: [
            List.self, Show.self, Import.self, Export.self, Restaurant.self, AddTask.self,
            ChangeTask.self, MoveTask.self, RemoveTask.self, AddSection.self, MoveSection.self,
            RemoveSection.self, Rename.self, LetCrew.self, Remove.self,
        ])

    /// `steward template list`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Lists the templates.")

        @Flag(help: "Include removed templates.")
        var removed = false
        @OptionGroup var place: SiteOption
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let templates = try session.templates(
                ListTemplates(site: try place.site(session).id, removedToo: removed))
            if output.json { return try session.printer.json(.templates, templates) }
            guard !templates.isEmpty else {
                return session.printer.remark(
                    "there are none; import the shipped ones: steward template restaurant")
            }
            let clock = try session.siteClock
            let times = templates.map(\.changed)
            var table = TextTable([
                .text("NAME"), .text("KIND"), .text("PART"), .number("VERSION"),
                .time(clock.title("CHANGED", of: times)),
                .text("BY"), .text(""),
            ])
            for one in templates {
                table.add([
                    .init(one.name), .init(one.kind.word), .init(one.dayPartWords),
                    "\(one.version)", .init(clock.moment(one.changed)), .init(one.changedBy),
                    .init(one.removed ? "removed" : "", .dim),
                ])
            }
            session.printer.table(table)
        }
    }

    /// Names a template.
    struct Target: ParsableArguments {
        @Argument(help: "The template's name or id.")
        var template: String
        @OptionGroup var place: SiteOption

        /// Fetches the template.
        func read(_ session: Session, version: UInt32 = 0) throws -> ChecklistTemplate {
            try session.ask(
                .checklist,
                ReadTemplate(
                    template: template, version: version, site: try place.site(session).id),
                for: ChecklistTemplate.self)
        }
    }

    /// `steward template show`
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Shows a template: its sections, its tasks, and their ids.")

        @OptionGroup var target: Target
        @Option(help: "The version. Default: the newest.")
        var version: UInt32 = 0
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let template = try target.read(session, version: version)
            if output.json { return try session.printer.json(.templates, [template]) }
            session.printer.result(
                "\(template.name.printable)  \(template.kind.word)  \(template.dayPartWords)  "
                    + "version \(template.version)")
            for section in template.sections {
                session.printer.result("  \(section.name.printable) [\(section.id)]")
                for task in section.tasks {
                    session.printer.result("    " + Self.line(task, section.tasks, session.printer))
                }
            }
        }

        private static func line(
            _ task: ChecklistTask, _ tasks: [ChecklistTask], _ printer: Printer
        ) -> String {
            var depth = 0
            var parent = task.parent
            while let above = tasks.first(where: { $0.id == parent }), depth < 9 {
                (depth, parent) = (depth + 1, above.parent)
            }
            let isColoured = printer.out.hasColours
            let title = task.title.printable
            var words = [task.area, task.priority]
            if task.general { words.append("general") }
            if let time = task.carryOut { words.append("at " + LocalTime.text(minutes: Int(time))) }
            if task.timeCritical { words.append("time-critical") }
            if task.securityRound { words.append("security") }
            if !task.link.isEmpty { words.append("opens “\(task.link)”") }
            if let rule = task.answer { words.append("asks for " + rule.wanted) }
            return String(repeating: "  ", count: depth)
                + (task.general ? Style.orange(title, if: isColoured) : title)
                + Style.dim(
                    " [\(task.id)] "
                        + words.filter { !$0.isEmpty }.joined(separator: ", ").printable,
                    if: isColoured)
        }
    }

    /// `steward template import`
    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: "Imports templates from YAML files, as new templates or new versions.")

        @Argument(help: "The files.", completion: .file(extensions: ["yaml", "yml"]))
        var files: [String]
        @OptionGroup var target: PutOptions

        func run() throws {
            let session = try Session()
            let templates = try files.map { path in
                let bytes = try InputFile.bytes(path, upTo: TemplateLimits.bytes)
                do { return try ChecklistTemplate(yaml: bytes) } catch let error
                    as TemplateFileError
                {
                    throw Failure(.refused, "\(path): \(error)")
                }
            }
            try target.put(templates, session)
        }
    }

    /// `steward template restaurant`
    struct Restaurant: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "restaurant",
            abstract: "Imports the shipped checklists of a restaurant.")

        @OptionGroup var target: PutOptions

        func run() throws {
            let session = try Session()
            try target.put(
                ShippedTemplate.restaurant.map { try ChecklistTemplate(yaml: $0.yaml) }, session)
        }
    }

    /// Which sites templates are for.
    struct PutOptions: ParsableArguments {
        @Flag(help: "For every site of the organisation.")
        var everySite = false
        @OptionGroup var place: SiteOption
        @OptionGroup var output: OutputOptions

        /// Saves templates and prints them.
        func put(_ templates: [ChecklistTemplate], _ session: Session) throws {
            let site = try place.site(session)
            let kept = try templates.map { template in
                var template = template
                (template.site, template.organisation) = (
                    everySite ? "" : site.id, site.organisation
                )
                return try session.ask(
                    .checklist, PutTemplate(template: template), for: ChecklistTemplate.self)
            }
            if output.json { return try session.printer.json(.templates, kept) }
            for one in kept {
                // As a shift counts them: a task with others under it can't be marked.
                let tasks = ShiftLists([one]).tasks.count { $0.isLeaf }
                session.printer.result(
                    "\(one.name.printable): version \(one.version), \(Wording.count(tasks, "task"))"
                )
            }
        }
    }

    /// `steward template export`
    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Prints a template as YAML, which steward template import reads.")

        @OptionGroup var target: Target
        @Option(help: "The version. Default: the newest.")
        var version: UInt32 = 0
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let template = try target.read(session, version: version)
            if output.json {
                return try session.printer.json(
                    .files, [WrittenFile(path: nil, text: template.yaml)])
            }
            session.printer.result(template.yaml.trimmingCharacters(in: .newlines))
        }
    }

    /// `steward template remove`
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Removes a template: new shifts don't use it, but its versions are kept.")

        @OptionGroup var target: Target
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let reply = try session.ask(
                .checklist,
                RemoveTemplate(template: target.template, site: try target.place.site(session).id),
                for: ChecklistTemplate.self, repeating: repeating)
            if output.json { return try session.printer.json(.templates, [reply]) }
            session.printer.result("removed \(reply.name.printable)")
        }
    }
}

extension ChecklistTemplate {
    /// The parts of the day and the weekdays that it serves, for people.
    var dayPartWords: String {
        (dayParts.isEmpty
            ? "any" : dayParts.map { $0 == .evening ? "evening" : "day" }.joined(separator: ", "))
            + (weekdays.isEmpty ? "" : " on " + WeekdaysArgument.words(weekdays))
    }
}
