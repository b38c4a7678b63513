import Calendars

/// A request for a meeting time.
package struct MeetingRequest: Hashable, Sendable {
    /// The limits of a request.
    package enum Limit {
        /// The maximum number of people.
        package static let people = 200
        /// The maximum length of the window in days.
        package static let days: Int64 = 400
        /// The maximum number of beginnings to consider.
        package static let beginnings: Int64 = 100_000
        /// The maximum number of work periods, and of busy times, of one person.
        package static let times = 100_000
        /// The length of the meeting in seconds.
        package static let length: ClosedRange<Int64> = 60...604_800
        /// The time between two beginnings in seconds.
        package static let step: ClosedRange<Int64> = 60...86_400
        /// The buffer around the meeting in seconds.
        package static let buffer: ClosedRange<Int64> = 0...86_400
        /// The number of times to return.
        package static let slots = 1...1_000
        /// The number of times whose cost is computed.
        package static let costed = 1...10_000
    }

    /// The window that must contain the meeting.
    package let window: TimeSpan
    /// The length in seconds.
    package let length: Int64
    /// Meetings begin at multiples of this many seconds after the anchor.
    package let step: Int64
    /// A possible beginning, in seconds since 1970; 0 is midnight UTC.
    package var anchor: Int64 = 0
    /// The number of seconds before the meeting in which nobody may be busy.
    package var before: Int64 = 0
    /// The same after it, in seconds.
    package var after: Int64 = 0
    /// Whether tentatively taken times may be used.
    package var usesTentative = false
    /// The maximum number of times to return.
    package var most = 20
    /// The maximum number of the best times whose cost is computed.
    package var mostCosted = 100

    package init(window: TimeSpan, length: Int64, step: Int64) {
        self.window = window
        self.length = length
        self.step = step
    }

    /// - Throws: `MeetingFault` that says what is out of range.
    func validate(_ people: [Attendee]) throws(MeetingFault) {
        typealias Limit = MeetingRequest.Limit
        guard CalendarLimits.seconds.contains(window.start),
            window.end <= CalendarLimits.seconds.upperBound, !window.isEmpty,
            window.length <= Limit.days * 86_400
        else { throw .window }
        guard Limit.length.contains(length), length <= window.length else { throw .length }
        guard Limit.step.contains(step), window.length / step <= Limit.beginnings else {
            throw .step
        }
        guard Limit.buffer.contains(before), Limit.buffer.contains(after) else { throw .buffer }
        guard CalendarLimits.seconds.contains(anchor) else { throw .anchor }
        guard Limit.slots.contains(most), Limit.costed.contains(mostCosted) else { throw .number }
        guard people.count <= Limit.people else { throw .tooManyPeople(people.count) }
        guard people.contains(where: \.isRequired) else { throw .nobodyRequired }
        var ids: Set<String> = []
        for person in people {
            guard ids.insert(person.id).inserted else { throw .twice(person.id) }
            guard Attendee.weights.contains(person.weight ?? 1),
                Attendee.burdens.contains(person.burden)
            else { throw .weight(person.id) }
            guard person.working.count <= Limit.times, person.busy.count <= Limit.times else {
                throw .tooManyTimes(person.id)
            }
        }
    }
}

/// A person who should come.
package struct Attendee: Hashable, Sendable {
    static let weights = 1...1_000
    static let burdens: ClosedRange<Int64> = 0...1_000_000

    package let id: String
    /// The periods of work.
    package let working: [TimeSpan]
    package let busy: [BusyTime]
    /// The weight of the person's coming, 1 to 1,000; nil when the meeting needs the person.
    package let weight: Int?
    /// The number of minutes by which earlier meetings were off the middle of the person's days, so
    /// that it isn't always the same person who gets up early.
    package let burden: Int64

    package init(
        id: String, working: [TimeSpan], busy: [BusyTime], weight: Int? = nil, burden: Int64 = 0
    ) {
        self.id = id
        self.working = working
        self.busy = busy
        self.weight = weight
        self.burden = burden
    }

    package var isRequired: Bool { weight == nil }
}

/// What is wrong with a request.
package enum MeetingFault: Error, Hashable, Sendable, CustomStringConvertible {
    case window
    case length
    case step
    case buffer
    case anchor
    case number
    case tooManyPeople(Int)
    case nobodyRequired
    case twice(String)
    case weight(String)
    case tooManyTimes(String)

    /// What is wrong, and how to fix it.
    package var description: String {
        typealias Limit = MeetingRequest.Limit
        return switch self {
        case .window: "the window must lie in 1970 to 9999 and have at most \(Limit.days) days"
        case .length: "a meeting takes from a minute to a week, and fits into its window"
        case .step:
            "meetings begin every minute to every day, and at most \(Limit.beginnings) times; "
                + "choose a longer step or a shorter window"
        case .buffer: "at most a day is kept free before and after a meeting"
        case .anchor: "the anchor must lie in 1970 to 9999"
        case .number:
            "from \(Limit.slots.lowerBound) to \(Limit.slots.upperBound) times can be asked for, "
                + "and the cost of at most \(Limit.costed.upperBound)"
        case .tooManyPeople(let count):
            "\(count) people were named; name at most \(Limit.people)"
        case .nobodyRequired: "nobody is required; name somebody who has to come"
        case .twice(let id): "“\(id.prefix(60))” was named twice; name each person once"
        case .weight(let id):
            "the weight of “\(id.prefix(60))” must be from 1 to \(Attendee.weights.upperBound), "
                + "and the burden from 0 to \(Attendee.burdens.upperBound)"
        case .tooManyTimes(let id):
            "“\(id.prefix(60))” has more than \(Limit.times) times; choose a shorter window"
        }
    }
}
