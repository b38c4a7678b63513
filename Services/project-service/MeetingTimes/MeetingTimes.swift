import Calendars

/// A possible time for a meeting.
package struct MeetingSlot: Hashable, Sendable {
    package let span: TimeSpan
    /// The optional people who can't come, in the order in which they were named.
    package let missing: [String]
    /// The sum of their weights.
    package let missedWeight: Int
    /// The people for whom the time is tentatively taken.
    package let unsure: [String]
    /// The maximum number of minutes by which the middle of the meeting is off the middle of a
    /// person's working day, including the person's earlier burden.
    package let worst: Int64
    /// The sum of these minutes for all who come, without their earlier burdens.
    package let total: Int64
    /// The cost computed by the caller; nil without a cost function.
    package var cost: Int64?
}

/// The possible times, or why there are none.
package struct MeetingAnswer: Hashable, Sendable {
    /// The times, best first.
    package let slots: [MeetingSlot]
    /// The number of all possible times.
    package let count: Int
    /// Nil when there is a time.
    package let impasse: Impasse?
}

/// Finds times at which people can meet.
package enum MeetingTimes {
    /// The times at which all required people can meet, best first.
    ///
    /// They are ordered by the caller's cost; by the weight of those who can't come; by the number
    /// of people for whom the time is tentatively taken; by how far it is off the middle of the day
    /// for the person it suits least, including earlier burdens; by the sum of that for all; and by
    /// time.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - people: the people.
    ///   - cost: returns the cost of a time, less being better. It is called for the best times by
    ///     the rest of the order, at most `mostCosted`, and only those are returned.
    /// - Throws: `MeetingFault`.
    package static func find(
        _ request: MeetingRequest, _ people: [Attendee], cost: ((TimeSpan) -> Int64)? = nil
    ) throws(MeetingFault) -> MeetingAnswer {
        try request.validate(people)
        let rules = Beginnings(request)
        var common = [TimeSpan(request.window.start, request.window.end - request.length + 1)]
        for person in people where person.isRequired {
            common = TimeSpan.intersection(common, rules.suiting(person))
        }
        let beginnings = Grid(request).all(in: common)
        guard !beginnings.isEmpty else {
            return MeetingAnswer(slots: [], count: 0, impasse: Impasse(request, people))
        }
        var slots = rated(beginnings, request, people, rules)
        slots.sort(by: isBetter)
        if let cost {
            slots = slots.prefix(request.mostCosted).map { slot in
                var slot = slot
                slot.cost = cost(slot.span)
                return slot
            }
            slots.sort(by: isBetter)
        }
        return MeetingAnswer(
            slots: Array(slots.prefix(request.most)), count: beginnings.count, impasse: nil)
    }

    private static func isBetter(_ one: MeetingSlot, _ other: MeetingSlot) -> Bool {
        let (cost, otherCost) = (one.cost ?? 0, other.cost ?? 0)
        if cost != otherCost { return cost < otherCost }
        if one.missedWeight != other.missedWeight { return one.missedWeight < other.missedWeight }
        if one.unsure.count != other.unsure.count { return one.unsure.count < other.unsure.count }
        if one.worst != other.worst { return one.worst < other.worst }
        if one.total != other.total { return one.total < other.total }
        return one.span < other.span
    }

    /// Rates the beginnings.
    private static func rated(
        _ beginnings: [Int64], _ request: MeetingRequest, _ people: [Attendee],
        _ rules: Beginnings
    ) -> [MeetingSlot] {
        var missing = [[String]](repeating: [], count: beginnings.count)
        var unsure = missing
        var weights = [Int](repeating: 0, count: beginnings.count)
        var worst = [Int64](repeating: 0, count: beginnings.count)
        var total = worst
        for person in people {
            var suiting = Sweep(person.isRequired ? [] : rules.suiting(person))
            var tentative = Sweep(
                request.usesTentative ? rules.busy(person) { $0 == .tentative } : [])
            var day = WorkingDays(person.working.compactMap { $0.clipped(to: rules.nearby) })
            for (index, beginning) in beginnings.enumerated() {
                guard person.isRequired || suiting.contains(beginning) else {
                    missing[index].append(person.id)
                    weights[index] += person.weight ?? 0
                    continue
                }
                if tentative.contains(beginning) { unsure[index].append(person.id) }
                let off = day.minutesOff(beginning, request.length)
                worst[index] = max(worst[index], off + person.burden)
                total[index] += off
            }
        }
        return beginnings.indices.map { index in
            MeetingSlot(
                span: TimeSpan(beginnings[index], beginnings[index] + request.length),
                missing: missing[index], missedWeight: weights[index], unsure: unsure[index],
                worst: worst[index], total: total[index])
        }
    }
}

/// A person's working days, in any zone: runs of work periods with gaps of less than four hours.
struct WorkingDays {
    private static let pause: Int64 = 4 * 3_600
    private var days: [TimeSpan] = []
    private var index = 0

    init(_ working: [TimeSpan]) {
        for span in TimeSpan.union(working) {
            if let last = days.last, span.start - last.end < Self.pause {
                days[days.count - 1] = TimeSpan(last.start, span.end)
            } else {
                days.append(span)
            }
        }
    }

    /// How far the middle of a meeting is off the middle of the working day in which it begins, in
    /// whole minutes. The beginnings must be passed in increasing order.
    mutating func minutesOff(_ beginning: Int64, _ length: Int64) -> Int64 {
        while index < days.count, days[index].end <= beginning { index += 1 }
        guard index < days.count, days[index].start <= beginning else { return 0 }
        let twice = 2 * beginning + length - days[index].start - days[index].end
        return abs(twice) / 120
    }
}
