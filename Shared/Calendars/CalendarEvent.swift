/// An event of a calendar, or what a calendar says of one time of a repeated event.
package struct CalendarEvent: Hashable, Sendable {
    /// How sure it is that somebody is busy.
    package enum Status: Hashable, Sendable {
        case confirmed
        case tentative
        case cancelled
    }

    /// What somebody answered to an invitation.
    package enum Answer: Hashable, Sendable {
        case declined
        case tentative
    }

    /// Which times of a repeated event this speaks of.
    package struct Exception: Hashable, Sendable {
        /// When the time would have been.
        package let moment: CalendarMoment
        /// Whether all later ones are meant too.
        package let andFuture: Bool
    }

    /// What tells it from others; empty when the file names none.
    package var uid: String
    /// Where it begins in the file, counted from 1.
    package let line: Int
    package var title = ""
    package var place = ""
    package var start: CalendarMoment
    package var length: CalendarLength
    package var status = Status.confirmed
    /// Whether nobody is busy because of it.
    package var isTransparent = false
    /// Whether somebody is away for it, and cannot be asked to come after all.
    package var isAway = false
    /// How often it was changed.
    package var sequence: Int64 = 0
    /// When it was changed, in seconds since 1970.
    package var stamp: Int64 = 0
    package var rules: [RecurrenceRule] = []
    /// Further times: where each begins, and how long it is when that is said.
    package var extra: [CalendarPeriod] = []
    /// Times that are left out.
    package var omitted: [CalendarMoment] = []
    package var exception: Exception?
    /// Addresses, in small letters without `mailto:`, that don't come or don't know yet.
    package var answers: [String: Answer] = [:]
}

/// A further time of an event, or one that somebody is busy or free.
package struct CalendarPeriod: Hashable, Sendable {
    package let start: CalendarMoment
    /// Nil when it is as long as the event.
    package let length: CalendarLength?
}

/// One time at which an event is.
package struct Occurrence: Hashable, Sendable {
    package let span: TimeSpan
    package let uid: String
    package let title: String
    package let place: String
    package let isAllDay: Bool
    package let status: CalendarEvent.Status
    /// What the event says of whether somebody is busy, without regard to who.
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

    /// What somebody is at that time; nil when not busy.
    ///
    /// - Parameter addresses: of theirs, in small letters.
    package func busyness(of addresses: Set<String>) -> BusyTime.Kind? {
        guard let busyness else { return nil }
        switch addresses.lazy.compactMap({ answers[$0] }).first {
        case .declined: return nil
        case .tentative: return .tentative
        case nil: return busyness
        }
    }
}

/// A time at which somebody is busy.
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
    /// What for; empty when the calendar doesn't say.
    package let title: String

    package init(_ span: TimeSpan, _ kind: Kind, title: String = "") {
        self.span = span
        self.kind = kind
        self.title = title
    }
}

/// When somebody can be reached, by a calendar of availability (RFC 7953).
struct Availability: Hashable, Sendable {
    /// 1 is the highest, 9 the lowest but for 0.
    let priority: Int64
    /// What it is about; open where it doesn't say.
    let start: CalendarMoment?
    let end: CalendarMoment?
    /// What somebody is outside the times that are available.
    let kind: BusyTime.Kind?
    let available: [CalendarEvent]
}
