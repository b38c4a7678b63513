import Messages
import RoutineDay

/// An event of another service that a person has to attend: a meeting or a shift.
struct DayEvent: Hashable, Sendable {
    /// What it is, which also says which service it comes from.
    enum Kind: String, CaseIterable {
        case meeting, shift

        /// What it looks like in a day.
        fileprivate var emoji: String {
            switch self {
            case .meeting: "👥"
            case .shift: "💼"
            }
        }
    }

    let kind: Kind
    /// Its id in its service.
    let id: String
    /// The account of the person who has to be there.
    let person: String
    /// What is deleted together with it: the id of its project or its site.
    var group = ""
    /// Its name.
    var name: String
    /// When it begins, in milliseconds since 1970.
    var start: Int64
    /// When it ends, in milliseconds since 1970.
    var end: Int64

    /// How an item of a day names it: see `DayItem.event`.
    var key: String { "\(kind.rawValue)/\(id)" }

    /// The part that lies in a day; nil when that is shorter than a minute.
    func part(of time: DayTime) -> Range<Int64>? {
        let (from, until) = (max(start, time.begin), min(end, time.end))
        return until - from >= DayTime.minute ? from..<until : nil
    }
}

extension DaySettings {
    /// Whether the person wants such events in their days.
    func allows(_ kind: DayEvent.Kind) -> Bool {
        switch kind {
        case .meeting: withMeetings
        case .shift: withShifts
        }
    }
}

/// The rules of events in a day.
extension Day {
    /// The maximum number of events kept out of a day.
    private static let mostWithout = 100

    /// Adds the events that the person wants in the day and hasn't removed, moves those that have
    /// changed, and removes the others. Events that have ended stay in the day.
    ///
    /// The person's own appointments may overlap events: both take place, and the person sees both.
    ///
    /// - Parameters:
    ///   - events: the events that the person allows, in any order.
    ///   - time: the times of the day.
    /// - Returns: whether that changed anything, so that the rest must be fitted again.
    mutating func follow(_ events: [DayEvent], _ time: DayTime) -> Bool {
        let before = items
        var wanted: [String: (event: DayEvent, part: Range<Int64>)] = [:]
        for event in events where !without.contains(event.key) {
            if let part = event.part(of: time) { wanted[event.key] = (event, part) }
        }
        removeItems { item in
            let isOpen = item.steps.allSatisfy { $0.state != .done }
            return !item.event.isEmpty && wanted[item.event] == nil && isOpen
        }
        for index in items.indices {
            guard let (event, part) = wanted.removeValue(forKey: items[index].event) else {
                continue
            }
            items[index].become(event, part, time)
        }
        let isEarlier = { (one: DayEvent, other: DayEvent) in
            (one.start, one.key) < (other.start, other.key)
        }
        for (event, part) in wanted.values.sorted(by: { isEarlier($0.event, $1.event) }) {
            guard items.count(where: \.isAppointment) < RoutineLimits.appointments else { break }
            let id = freeID
            var item = DayItem(id: id, steps: [DayStep(id: "\(id).1")], event: event.key)
            item.become(event, part, time)
            items.append(item)
        }
        return items != before
    }

    /// Records that the person has removed an item: an event that it stands for stays out.
    mutating func leaveOut(_ item: DayItem) {
        guard !item.event.isEmpty else { return }
        without = (without.filter { $0 != item.event } + [item.event]).suffix(Self.mostWithout)
    }
}

extension DayItem {
    /// Whether it stands for an event of a kind.
    func stands(for kind: DayEvent.Kind) -> Bool { event.hasPrefix("\(kind.rawValue)/") }

    /// The maximum length of a name in characters, as for appointments that are typed.
    private static let longestName = 80

    /// Makes the item stand for an event. An item that was done but now ends later is to come
    /// again.
    fileprivate mutating func become(_ event: DayEvent, _ part: Range<Int64>, _ time: DayTime) {
        let short = String(event.name.prefix(Self.longestName)).prefix(bytes: 800)
        (name, emoji) = (short, event.kind.emoji)
        let local = time.local
        from = UInt32(clamping: local.reading(at: part.lowerBound).minutes)
        until =
            part.upperBound == time.end
            ? 1_440 : UInt32(clamping: local.reading(at: part.upperBound).minutes)
        best = from
        guard var step = steps.first else { return }
        step.action = RoutineAction(
            name: name, emoji: emoji,
            minutes: UInt32(clamping: (part.upperBound - part.lowerBound) / DayTime.minute),
            priority: 5)
        let hasMoved = (step.start, step.end) != (part.lowerBound, part.upperBound)
        (step.start, step.end) = (part.lowerBound, part.upperBound)
        if hasMoved, step.state == .done {
            (step.state, step.began, step.ended) = (.unspecified, 0, 0)
        }
        steps = [step]
    }
}
