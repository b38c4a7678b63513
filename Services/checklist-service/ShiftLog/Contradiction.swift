import Messages

/// Two statements about the same thing that contradict each other, made without knowledge of each
/// other. Both are kept in the log.
package struct Contradiction: Hashable, Sendable {
    /// What the statements are about.
    package enum Subject: Hashable, Sendable {
        /// A task.
        case task(TaskKey)
        /// A to-do, by its id.
        case todo(String)
        /// A figure of the sales report: the hour, what is measured, and the name of a measurement.
        case figure(hour: UInt32, kind: FigureKind, name: String)
    }

    /// What was stated.
    package enum Value: Hashable, Sendable {
        /// The state of a task.
        case task(TaskState)
        /// The state of a to-do.
        case todo(TodoMark)
        /// A figure, in the unit of its kind.
        case figure(Int64)
    }

    /// A statement: what was said, by whom, and when.
    package struct Statement: Hashable, Sendable {
        package let value: Value
        package let stamp: Stamp
    }

    /// What it is about.
    package let subject: Subject
    /// The statement that was accepted first.
    package let first: Statement
    /// The one that contradicts it.
    package let second: Statement
    /// The id of the operation that made the second.
    package let operation: [UInt8]
}
