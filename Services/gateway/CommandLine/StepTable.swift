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
    /// Reads steps and prints them, in JSON if that is wanted, and whether there are older ones.
    ///
    /// - Parameters:
    ///   - before: only steps before this one; 0 for the newest.
    ///   - limit: the maximum number of steps.
    ///   - read: asks the service for at most a number of steps before one.
    static func show<Step: KeptStep & Encodable>(
        before: UInt64, limit: UInt32, _ session: Session, _ output: OutputOptions,
        read: (_ before: UInt64, _ limit: UInt32) throws -> [Step]
    ) throws {
        let steps = try read(before, limit)
        var more = false
        if steps.count >= Int(limit), let last = steps.last, last.number > 1 {
            more = try !read(last.number, 1).isEmpty
        }
        if output.json {
            return try session.printer.json(.steps, steps, beside: ["more": more])
        }
        try show(steps, session)
        if more, let last = steps.last {
            session.printer.remark("there are older ones: --before \(last.number)")
        }
    }

    private static func show(_ steps: [some KeptStep], _ session: Session) throws {
        guard !steps.isEmpty else {
            return session.printer.remark("nothing has been done to it yet")
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
