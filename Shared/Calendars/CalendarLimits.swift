/// How much of a calendar is read. A file that exceeds a limit is refused with a problem that says
/// so, or the event that exceeds it is left out.
package enum CalendarLimits {
    /// The maximum size of a file in bytes.
    package static let bytes = 10 << 20
    /// The maximum number of lines of a file, as they are folded.
    package static let lines = 200_000
    /// The maximum length of an unfolded line in bytes. The rest of a longer one is skipped.
    package static let lineBytes = 65_536
    /// The maximum number of parameters of a line.
    package static let parameters = 32
    /// The maximum number of VAVAILABILITY components in a file.
    package static let availabilities = 20
    /// How deep components may be nested.
    package static let depth = 8
    /// The maximum number of components in a file.
    package static let components = 50_000
    /// The maximum number of time zones in a file, and of parts that describe one.
    package static let zones = 200
    /// The maximum number of clock changes of all time zones that a file describes: those of each
    /// are kept up to the year 2400, and most zones have two a year.
    package static let zoneChanges = 200_000
    /// The maximum number of lines kept of a component.
    package static let componentLines = 5_000
    /// The maximum number of dates that a file may list: repeated, left out, busy or free.
    package static let listedDates = 200_000
    /// The maximum number of recurrence rules of an event.
    package static let rules = 10
    /// The maximum number of attendees of an event.
    package static let attendees = 1_000
    /// The maximum length of a title, a place or another text in bytes; the rest is cut off.
    package static let textBytes = 2_000
    /// The maximum length of an identifier in bytes: a UID, a zone, an address.
    package static let nameBytes = 1_000
    /// The maximum number of problems that are reported one by one.
    package static let problems = 100
    /// The maximum length of a window in days.
    package static let windowDays: Int64 = 3_700
    /// The maximum number of occurrences in a window.
    package static let occurrences = 100_000
    /// The maximum number of candidates examined while repeating events in one window.
    package static let steps = 2_000_000
    /// The range of computed times in seconds, from 1970-01-01 to 10000-01-01.
    package static let seconds: Range<Int64> = 0..<253_402_300_800
}

/// The work still allowed on repetitions.
struct WorkBudget {
    private var left: Int

    init(_ steps: Int) { left = steps }

    /// Subtracts steps.
    ///
    /// - Throws: `TooMuchWork` when none are left.
    mutating func spend(_ steps: Int) throws(TooMuchWork) {
        left -= min(steps, left)
        if left <= 0 { throw TooMuchWork() }
    }
}

/// A rule needs more work than is allowed.
struct TooMuchWork: Error {}
