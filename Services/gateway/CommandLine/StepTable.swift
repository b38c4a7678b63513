import Messages
import Speech
import Terminal

/// An edit that is kept in a history.
protocol KeptStep {
    var number: UInt64 { get }
    var text: String { get }
    var time: Int64 { get }
    var by: String { get }
    var undone: Bool { get }
}

extension PlanStep: KeptStep {}
extension ProjectStep: KeptStep {}

/// The history of a plan or a project.
enum StepTable {
    /// Prints steps, or that there are none.
    static func show(_ steps: [some KeptStep], _ session: Session) throws {
        guard !steps.isEmpty else {
            return session.printer.remark("nothing was done to it yet")
        }
        let clock = try session.siteClock
        var table = TextTable([
            .number("STEP"), .text("WHAT"), .time(clock.title("WHEN", of: steps.map(\.time))),
            .text("BY"), .text(""),
        ])
        for step in steps {
            table.add([
                "\(step.number)", .init(step.text, step.undone ? .dim : nil),
                .init(clock.moment(step.time)), .init(step.by),
                .init(step.undone ? "undone" : "", .dim),
            ])
        }
        session.printer.table(table)
    }
}
