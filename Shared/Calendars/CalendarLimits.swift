/// How much of a calendar is read. A file that has more is refused as a whole, or without the event
/// that has more, and the problem says so.
package enum CalendarLimits {
    /// Bytes of a file.
    package static let bytes = 10 << 20
    /// Lines of a file, as they are folded.
    package static let lines = 200_000
    /// Bytes of one line that is unfolded. What is longer is only read past.
    package static let lineBytes = 65_536
    /// Parameters of one line.
    package static let parameters = 32
    /// Calendars of availability in a file.
    package static let availabilities = 20
    /// How deep components may be nested.
    package static let depth = 8
    /// Components of a file.
    package static let components = 50_000
    /// Time zones of a file, and changes of the clock in one of them.
    package static let zones = 200
    /// Lines that are kept of one component.
    package static let componentLines = 5_000
    /// Dates that a file may list: repeated, left out, busy or free.
    package static let listedDates = 200_000
    /// Recurrence rules of one event.
    package static let rules = 10
    /// Attendees of one event.
    package static let attendees = 1_000
    /// Bytes of a title, a place or another text; the rest is cut off.
    package static let textBytes = 2_000
    /// Bytes of a name that tells one thing from another: a UID, a zone, an address.
    package static let nameBytes = 1_000
    /// Problems that are reported one by one.
    package static let problems = 100
    /// Days of the window in which repetitions are worked out.
    package static let windowDays: Int64 = 3_700
    /// Occurrences in a window.
    package static let occurrences = 100_000
    /// Steps of work on repetitions for one window: what is looked at, whether it counts or not.
    package static let steps = 2_000_000
    /// Seconds of 1970-01-01 and of 10000-01-01: what is worked out lies between them.
    package static let seconds: Range<Int64> = 0..<253_402_300_800
}

/// The work that may still be done on repetitions.
struct WorkBudget {
    private var left: Int

    init(_ steps: Int) { left = steps }

    /// Takes steps off.
    ///
    /// - Throws: `TooMuchWork` when none are left.
    mutating func spend(_ steps: Int) throws(TooMuchWork) {
        left -= min(steps, left)
        if left <= 0 { throw TooMuchWork() }
    }
}

/// A rule asks for more work than it is given.
struct TooMuchWork: Error {}
