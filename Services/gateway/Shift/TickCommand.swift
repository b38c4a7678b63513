import ArgumentParser
import Bus
import Messages
import ShiftClient
import ShiftLog
import Speech
import Terminal

extension ChecklistCommand {
    /// `steward checklist tick`
    struct Tick: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "tick",
            abstract: "Marks tasks as ok or done, or as the options say.",
            discussion: """
                A task that asks for a number, a choice, a text or a signature is marked with \
                --answer: steward checklist tick 12 --answer 4.2. A number outside the limits is \
                not ok by itself; say with --note what is done about it. A task that asks for a \
                photo is marked with --photo FILE.
                """)

        @Argument(
            help: "The tasks: numbers, ids, or words of the title in quotes.",
            completion: Offered.tasks)
        var tasks: [String]
        @Option(parsing: .unconditional, help: "The answer that they ask for.")
        var answer: String?
        @OptionGroup var photo: PhotoOptions
        @Flag(name: .customLong("not-ok"), help: "They are not as they should be.")
        var isNotOk = false
        @Option(name: .customLong("not-applicable"), help: "They don't apply today, and why.")
        var reason: String?
        @Flag(help: "Remove the mark.")
        var clear = false
        @Option(help: "A note at each of them.")
        var note: String?
        @OptionGroup var place: SiteOption
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard [isNotOk, reason != nil, clear].count(where: { $0 }) < 2 else {
                throw ValidationError(
                    "--not-ok, --not-applicable and --clear can't be used together")
            }
            if reason?.isEmpty == true { throw ValidationError("say why it doesn't apply") }
            let hasAnswer = answer != nil || !photo.files.isEmpty
            guard !hasAnswer || reason == nil && !clear else {
                throw ValidationError("an answer needs a task that applies")
            }
            guard answer == nil || photo.files.isEmpty else {
                throw ValidationError("give --answer or --photo, not both")
            }
        }

        func run() throws {
            let photos = try photo.prepared()
            let session = try Session()
            let desk = try ShiftDesk.open(session, place)
            let names = ShiftNames(desk.state)
            let found = try tasks.map { try leaf($0, names, desk.state) }
            try desk.perform(
                try found.flatMap { task in
                    [.mark(try mark(task, photos))]
                        + (note.map {
                            [.note(NoteTask(list: task.key.list, task: task.key.task, text: $0))]
                        } ?? [])
                }, photos)
            let listing = TaskListing(desk.state, at: WallClock.milliseconds()) { _ in true }
            let reports = found.map { listing.report($0.key) }
            if output.json { return try session.printer.json(.tasks, reports) }
            for report in reports {
                session.printer.result(
                    "\(report.number) \(report.title.printable): \(report.words)")
            }
            for task in found { remark(task, session.printer, names) }
        }

        /// Says what else a mark requires: a remedy, or another list.
        private func remark(_ task: ListedTask, _ printer: Printer, _ names: ShiftNames) {
            let number = names.number(of: task.key)
            if let rule = task.task.answer, !isNotOk, note == nil,
                let answer = answer.flatMap(rule.read), rule.fails(answer)
            {
                printer.remark(
                    "what is done about it? steward checklist note \(number) 'WHAT'; it is a "
                        + "to-do now")
            }
            if !task.task.link.isEmpty, !isNotOk, !clear {
                printer.remark("it opens a list: steward checklist walk \(task.task.link.asWord)")
            }
        }

        private func mark(
            _ task: ListedTask, _ photos: [PreparedPhoto]
        ) throws(Failure) -> MarkTask {
            let said: Finding = clear || reason != nil ? .unspecified : isNotOk ? .notOk : .ok
            var mark = MarkTask(
                list: task.key.list, task: task.key.task, finding: said,
                notApplicable: reason ?? "")
            guard answer != nil || !photos.isEmpty else { return mark }
            guard let rule = task.task.answer else {
                throw Failure(
                    .refused, "“\(task.task.title.printable)” asks for no answer",
                    advice: "mark it without --answer and --photo")
            }
            let given = answer.map { "“\($0.printable)”" } ?? "a photo"
            let isPhoto = rule.kind == .photo
            guard isPhoto == !photos.isEmpty,
                let read = isPhoto
                    ? Answer(value: .photos(.init(photos: photos.map(\.photo))))
                    : rule.read(answer ?? "")
            else {
                throw Failure(
                    .refused,
                    "“\(task.task.title.printable)” asks for \(rule.wanted.printable), "
                        + "not \(given)",
                    advice: isPhoto ? "give it with --photo FILE" : nil)
            }
            mark.answer = read
            mark.finding = MarkTask.finding(of: read, rule, said: said)
            return mark
        }

        /// The state of a parent follows from its children, so the error names those.
        private func leaf(
            _ text: String, _ names: ShiftNames, _ state: ShiftState
        ) throws(Failure) -> ListedTask {
            let task = try names.task(text)
            guard !task.isLeaf else { return task }
            let children = task.children.map { position in
                let child = state.lists.tasks[position]
                return "\(position + 1) “\(child.task.title(in: state.language).printable)”"
            }
            let title = task.task.title(in: state.language).printable
            throw Failure(
                .refused, "“\(title)” follows from the tasks under it",
                advice: "tick those: " + children.joined(separator: ", "))
        }
    }
}
