/// How a command ends: the one table of exit codes.
package enum Ending: Int32, CaseIterable, Sendable {
    /// Done, even if the reader of the output has gone away.
    case done = 0
    /// The service refused, and nothing was changed.
    case refused = 1
    /// The command line can't be understood.
    case usage = 64
    /// A file that was named can't be read or written.
    case file = 66
    /// A required service is not running.
    case notRunning = 69
    /// Something is broken on our side, or in the configuration.
    case broken = 70
    /// No answer came: it is unknown whether the command was carried out.
    case unknownOutcome = 75
    /// The person gave up, with Ctrl-C.
    case interrupted = 130
}
