import Messages
import ShiftLog

extension ShiftState {
    /// Reads a shift with all its operations from the service.
    ///
    /// - Parameter shift: its id, or the only one that begins so.
    static func read(_ shift: String, _ session: Session) throws -> ShiftState {
        let snapshot = try session.ask(
            .checklist, ReadShift(shift: shift.lowercased()), for: ShiftSnapshot.self)
        var state: ShiftState
        do { state = try ShiftState(snapshot: snapshot) } catch {
            throw Failure(.broken, "the shift can't be read: \(error.message)")
        }
        let client = try session.client(.checklist)
        while true {
            let page = try client.ask(
                ReadOperations(shift: state.shift.id, after: state.head), for: OperationPage.self)
            let before = state.head
            for operation in page.operations { state.apply(operation) }
            if page.operations.isEmpty || state.head >= page.head || state.head == before {
                return state
            }
        }
    }
}

/// A shift's lists as they were filled out.
struct ArchiveSheet {
    /// A task for programs.
    struct Report: Encodable {
        /// A mark, oldest first.
        struct Mark: Encodable {
            let state: TaskState
            let reason: String
            let by: String
            /// Milliseconds since 1970.
            let time: Int64
            /// The same on the device's clock.
            let deviceTime: Int64
            let device: String
        }

        let list: String
        let version: UInt32
        let section: String
        let task: String
        let title: String
        let state: TaskState
        let securityRound: Bool
        let marks: [Mark]
        let notes: [String]
    }

    private let state: ShiftState
    private let securityOnly: Bool

    init(_ state: ShiftState, securityOnly: Bool) {
        (self.state, self.securityOnly) = (state, securityOnly)
    }

    private func results(_ list: ChecklistTemplate) -> [TaskResult] {
        securityOnly ? state.securityRound(of: list.id) : state.results(of: list.id)
    }

    /// A list for programs.
    func reports(of list: ChecklistTemplate) -> [Report] {
        results(list).map { result in
            Report(
                list: list.name, version: list.version,
                section: state.lists.section(of: result.listed).name,
                task: result.listed.task.id, title: result.listed.task.title(in: state.language),
                state: result.state, securityRound: result.listed.task.securityRound,
                marks: result.marks.map {
                    Report.Mark(
                        state: $0.state, reason: $0.reason, by: $0.stamp.name, time: $0.stamp.time,
                        deviceTime: $0.stamp.deviceTime, device: $0.stamp.device)
                }, notes: result.notes.map(\.text))
        }
    }

    /// The shift on a few lines.
    func showHead(_ printer: Printer) {
        let shift = state.shift
        let end =
            shift.ended == 0 ? "still open" : "to " + Wording.time(shift.ended, in: shift.timeZone)
        printer.result(
            "\(shift.line), managed by \(shift.managerName.printable), from "
                + "\(Wording.time(shift.started, in: shift.timeZone)) \(end)")
    }

    /// A list for people.
    func show(_ list: ChecklistTemplate, _ printer: Printer) {
        let results = results(list)
        guard !results.isEmpty else { return }
        printer.result("")
        printer.result(
            Style.bold(
                "\(list.name(in: state.language).printable), version \(list.version)",
                if: printer.out.hasColours))
        var table = TextTable([
            .text(""), .text("TASK"), .text("SECTION"), .text("TIME"), .text("BY"), .text("NOTES"),
        ])
        for result in results {
            let stamp = result.shown?.stamp
            let reason = result.state == .notApplicable ? [result.shown?.reason ?? ""] : []
            table.add([
                .init("[\(TaskBox.sign(result.state))]", TaskBox.style(result.state)),
                .init(result.listed.task.title(in: state.language)),
                .init(state.lists.section(of: result.listed).name(in: state.language)),
                .init(stamp.map { Wording.time($0.time, in: state.shift.timeZone) } ?? ""),
                .init(stamp?.name ?? ""),
                .init((reason + result.notes.map(\.text)).joined(separator: " · ")),
            ])
        }
        printer.table(table)
    }

    /// To-dos, travel paths and what came late.
    func showRest(_ printer: Printer) {
        if !state.todos.isEmpty {
            printer.result("")
            printer.table(TodoListing(state).table(state.todos))
        }
        let slots = state.slots(at: state.shift.ended == 0 ? .max : state.shift.ended)
        if state.shift.ended != 0, !slots.isEmpty {
            printer.result("")
            printer.result(
                "travel paths: "
                    + slots.map {
                        "\(Wording.time($0.due, in: state.shift.timeZone)) \($0.state.rawValue)"
                    }.joined(separator: ", "))
        }
        for operation in state.appendix {
            let time = Wording.time(operation.deviceTime, in: state.shift.timeZone)
            printer.result(
                "after the end: \(time) \(operation.actorName.printable): "
                    + OperationLine.words(operation, state.lists.templates).printable)
        }
    }
}
