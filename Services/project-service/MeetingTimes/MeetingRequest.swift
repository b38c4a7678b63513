import Calendars

/// A meeting that a time is wanted for.
package struct MeetingRequest: Hashable, Sendable {
    /// How large a request may be.
    package enum Limit {
        /// Who is asked.
        package static let people = 200
        /// Days in which times are looked for.
        package static let days: Int64 = 400
        /// Beginnings that are looked at.
        package static let beginnings: Int64 = 100_000
        /// Stretches of work, and busy times, of one person.
        package static let times = 100_000
        /// Seconds of the meeting.
        package static let length: ClosedRange<Int64> = 60...604_800
        /// Seconds between two beginnings.
        package static let step: ClosedRange<Int64> = 60...86_400
        /// Seconds that are kept free around the meeting.
        package static let buffer: ClosedRange<Int64> = 0...86_400
        /// Times that are told.
        package static let slots = 1...1_000
        /// Times whose cost is asked for.
        package static let costed = 1...10_000
    }

    /// The meeting lies in it.
    package let window: TimeSpan
    /// Seconds.
    package let length: Int64
    /// Meetings begin at multiples of so many seconds after the anchor.
    package let step: Int64
    /// A beginning that would do, in seconds since 1970; 0 is midnight UTC.
    package var anchor: Int64 = 0
    /// Seconds before the meeting in which nobody may be busy.
    package var before: Int64 = 0
    /// Seconds after it.
    package var after: Int64 = 0
    /// Whether a time that is only tentatively taken may be taken.
    package var usesTentative = false
    /// How many times are told.
    package var most = 20
    /// How many of the best times have their cost asked for.
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

/// Somebody who is to come.
package struct Attendee: Hashable, Sendable {
    static let weights = 1...1_000
    static let burdens: ClosedRange<Int64> = 0...1_000_000

    package let id: String
    /// When they work.
    package let working: [TimeSpan]
    package let busy: [BusyTime]
    /// How much it counts that they come, 1 to 1,000; nil when the meeting needs them.
    package let weight: Int?
    /// Minutes by which meetings before this one were off the middle of their days, so that not
    /// always the same person gets up early.
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

    /// What is wrong, and what to do about it.
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
