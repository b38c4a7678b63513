import Messages
import ShiftLog
import Speech

/// A shift's lists as they were filled out.
package struct ArchiveSheet {
    /// A task in JSON.
    package struct Report: Encodable {
        /// A mark, oldest first.
        struct Mark: Encodable {
            let state: TaskState
            let reason: String
            /// The answer, with its unit; empty for none.
            let answer: String
            let by: String
            let time: Moment
            /// The same time by the device's clock.
            let deviceTime: Moment
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

    /// The lists of a shift; all of their tasks, or those of the daily security round.
    package init(_ state: ShiftState, securityOnly: Bool) {
        (self.state, self.securityOnly) = (state, securityOnly)
    }

    private func results(_ list: ChecklistTemplate) -> [TaskResult] {
        securityOnly ? state.securityRound(of: list.id) : state.results(of: list.id)
    }

    /// A list in JSON.
    package func reports(of list: ChecklistTemplate) -> [Report] {
        results(list).map { result in
            Report(
                list: list.name, version: list.version,
                section: state.lists.section(of: result.listed).name,
                task: result.listed.task.id, title: result.listed.task.title(in: state.language),
                state: result.state, securityRound: result.listed.task.securityRound,
                marks: result.marks.map {
                    Report.Mark(
                        state: $0.state, reason: $0.reason, answer: result.answer(of: $0),
                        by: $0.stamp.name,
                        time: Moment(milliseconds: $0.stamp.time),
                        deviceTime: Moment(milliseconds: $0.stamp.deviceTime),
                        device: $0.stamp.device)
                }, notes: result.notes.map(\.text))
        }
    }

    /// The shift in words: which it is, who managed it, and when it was.
    package var headline: String {
        let shift = state.shift
        let end =
            shift.ended == 0 ? "still open" : "to " + Wording.time(shift.ended, in: shift.timeZone)
        return "\(shift.line), managed by \(shift.managerName.printable), from "
            + "\(Wording.time(shift.started, in: shift.timeZone)) \(end)"
    }

    /// A list as text: its title, and a row for each task; nil if there is nothing to show.
    package func table(of list: ChecklistTemplate) -> (title: String, table: TextTable)? {
        let results = results(list)
        guard !results.isEmpty else { return nil }
        var table = TextTable([
            .text(""), .text("TASK"), .text("SECTION"), .time("TIME"), .text("BY"), .text("NOTES"),
        ])
        for result in results {
            let stamp = result.shown?.stamp
            let reason = result.state == .notApplicable ? [result.shown?.reason ?? ""] : []
            let answer = [result.answer()].filter { !$0.isEmpty }
            table.add([
                .init("[\(TaskBox.sign(result.state))]", TaskBox.style(result.state)),
                .init(result.listed.task.title(in: state.language)),
                .init(state.lists.section(of: result.listed).name(in: state.language)),
                .init(stamp.map { Wording.time($0.time, in: state.shift.timeZone) } ?? ""),
                .init(stamp?.name ?? ""),
                .init((answer + reason + result.notes.map(\.text)).joined(separator: " · ")),
            ])
        }
        return ("\(list.name(in: state.language).printable), version \(list.version)", table)
    }

    /// The to-dos; nil if there were none.
    package var todos: TextTable? {
        state.todos.isEmpty ? nil : TodoListing(state).table(state.todos)
    }

    /// When travel paths were due and the outcome of each; nil while the shift is open.
    package var travelPaths: String? {
        guard state.shift.ended != 0 else { return nil }
        let slots = state.slots(at: state.shift.ended)
        let words = slots.map {
            "\(Wording.time($0.due, in: state.shift.timeZone)) \($0.state.rawValue)"
        }
        return words.isEmpty ? nil : "travel paths: " + words.joined(separator: ", ")
    }

    /// Operations that reached the service after the shift had ended, one line each.
    package var latecomers: [String] {
        let findings = ShiftFindings(state)
        return state.appendix.map { operation in
            let time = Wording.time(operation.made, in: state.shift.timeZone)
            return "after the end: \(time) \(operation.actorName.printable): "
                + findings.text(operation)
        }
    }

    /// Contradictory statements by people who could not know of each other, one line each.
    package var contradictions: [String] { ShiftFindings(state).all }
}
