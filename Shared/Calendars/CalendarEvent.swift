/// An event of a calendar, or an exception for one occurrence of a repeated event.
package struct CalendarEvent: Hashable, Sendable {
    /// How certain it is that the event happens.
    package enum Status: Hashable, Sendable {
        case confirmed
        case tentative
        case cancelled
    }

    /// An attendee's answer to an invitation.
    package enum Answer: Hashable, Sendable {
        case declined
        case tentative
    }

    /// Which occurrences of a repeated event an exception changes.
    package struct Exception: Hashable, Sendable {
        /// When the occurrence was planned.
        package let moment: CalendarMoment
        /// Whether all later ones are changed too.
        package let andFuture: Bool
    }

    /// Its unique identifier; empty when the file has none.
    package var uid: String
    /// The line of the file where it begins, counted from 1.
    package let line: Int
    package var title = ""
    package var place = ""
    package var start: CalendarMoment
    package var length: CalendarLength
    package var status = Status.confirmed
    /// Whether the event leaves everyone free.
    package var isTransparent = false
    /// Whether the person is away for it and can't be asked to come to something else.
    package var isAway = false
    /// The number of its revision.
    package var sequence: Int64 = 0
    /// When it was changed, in seconds since 1970.
    package var stamp: Int64 = 0
    package var rules: [RecurrenceRule] = []
    /// Additional occurrences: the start of each, and its length if it differs.
    package var extra: [CalendarPeriod] = []
    /// The occurrences that are left out.
    package var omitted: [CalendarMoment] = []
    package var exception: Exception?
    /// The answers of attendees who decline or are undecided, by address in lower case without
    /// `mailto:`.
    package var answers: [String: Answer] = [:]
}

/// An additional occurrence of an event, or a period in which a person is busy or free.
package struct CalendarPeriod: Hashable, Sendable {
    package let start: CalendarMoment
    /// Nil when it is as long as the event.
    package let length: CalendarLength?
}

/// One occurrence of an event.
package struct Occurrence: Hashable, Sendable {
    package let span: TimeSpan
    package let uid: String
    package let title: String
    package let place: String
    package let isAllDay: Bool
    package let status: CalendarEvent.Status
    /// Whether the event makes people busy, regardless of their answers; nil when it does not.
    let busyness: BusyTime.Kind?
    let answers: [String: CalendarEvent.Answer]

    init(_ event: CalendarEvent, _ span: TimeSpan) {
        self.span = span
        uid = event.uid
        title = event.title
        place = event.place
        isAllDay = event.start.isDay
        status = event.status
        answers = event.answers
        busyness =
            event.isTransparent || event.status == .cancelled
            ? nil
            : event.status == .tentative ? .tentative : event.isAway ? .unavailable : .busy
    }

    /// How busy a person is during the occurrence; nil when free.
    ///
    /// - Parameter addresses: the person's addresses, in lower case.
    package func busyness(of addresses: Set<String>) -> BusyTime.Kind? {
        guard let busyness else { return nil }
        switch addresses.lazy.compactMap({ answers[$0] }).first {
        case .declined: return nil
        case .tentative: return .tentative
        case nil: return busyness
        }
    }
}

/// A period in which a person is busy.
package struct BusyTime: Hashable, Sendable {
    /// How busy, from the least to the most.
    package enum Kind: Int, Comparable, Sendable {
        case tentative
        case busy
        case unavailable

        package static func < (one: Kind, other: Kind) -> Bool { one.rawValue < other.rawValue }
    }

    package let span: TimeSpan
    package let kind: Kind
    /// The title of the event; empty when the calendar does not have it.
    package let title: String

    package init(_ span: TimeSpan, _ kind: Kind, title: String = "") {
        self.span = span
        self.kind = kind
        self.title = title
    }
}

/// When a person is available, by a VAVAILABILITY component (RFC 7953).
struct Availability: Hashable, Sendable {
    /// 1 is the highest priority and 9 the lowest, except that 0 is lower still.
    let priority: Int64
    /// The period that it covers; nil for an end that is open.
    let start: CalendarMoment?
    let end: CalendarMoment?
    /// How busy the person is outside the available times; nil when free.
    let kind: BusyTime.Kind?
    let available: [CalendarEvent]
}
