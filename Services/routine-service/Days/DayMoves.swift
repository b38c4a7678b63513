import DayPlan
import LocalTime
import Messages
import Phrases
import RoutineDay

/// The times that a person gives to the routines of a day.
extension Day {
    /// Makes a routine begin at a certain time, which may lie outside of its usual time.
    ///
    /// - Throws: a refusal if it can't begin at a time of the person's choice, or that has passed.
    mutating func move(
        _ move: MoveItem, _ time: DayTime, at now: Int64
    ) throws(Refusal) -> Said<DayPhrase> {
        let index = try movable(move.item)
        guard move.start < 1_440 else {
            throw .invalid("give a time of the day, 00:00 to 23:59")
        }
        let clock = LocalTime.text(minutes: Int(move.start))
        guard now < time.instant(move.start) + DayTime.minute else {
            throw .conflict("\(clock) has passed; give a time that is still to come")
        }
        begin(index, at: move.start)
        return Said(.moved, ["clock": .text(clock), "name": .text(items[index].title)])
    }

    /// Swaps two routines: the later one begins when the earlier one did, and the earlier one when
    /// the later one did, or after it if there is no room before.
    ///
    /// - Throws: a refusal if one of them has no time in the day or can't be moved.
    mutating func swap(_ swap: SwapItems, _ time: DayTime) throws(Refusal) -> Said<DayPhrase> {
        let (one, other) = (try movable(swap.one), try movable(swap.other))
        guard one != other else { throw .invalid("name two different routines") }
        var places: [(index: Int, start: Int64)] = []
        for index in [one, other] {
            guard let start = items[index].steps.filter(\.isToCome).map(\.start).min() else {
                throw .conflict(
                    "“\(items[index].title)” has no time in this day; give it one with "
                        + "steward day move")
            }
            places.append((index, start))
        }
        places.sort { $0.start < $1.start }
        let pause = Int64(DayProblem.usualPause) * DayTime.minute
        let second = max(
            places[1].start, places[0].start + items[places[1].index].length + pause)
        guard second < time.end else {
            throw .conflict("there is no room for “\(items[places[0].index].title)” so late")
        }
        begin(places[1].index, at: time.minutes(places[0].start))
        begin(places[0].index, at: time.minutes(second))
        return Said(
            .swapped, ["name": .text(items[one].title), "other": .text(items[other].title)])
    }

    /// Removes from routines why they were moved: their person has just moved them.
    mutating func movedByPerson(_ ids: Set<String>) {
        for place in toCome where ids.contains(items[place.item].id) { self[place].reason = nil }
    }

    /// Returns the index of a routine that has not begun.
    private func movable(_ item: String) throws(Refusal) -> Int {
        let index = try index(of: item)
        let item = items[index]
        guard !item.isAppointment else {
            throw .invalid("“\(item.title)” has a fixed time; remove it and add it at the new one")
        }
        guard
            state == .proposed || !item.steps.contains(where: { $0.began > 0 || $0.ended > 0 })
        else { throw .conflict("“\(item.title)” has begun already") }
        return index
    }

    /// Fixes the beginning of a routine, in minutes after midnight, and widens its time so that
    /// there is room.
    private mutating func begin(_ index: Int, at start: UInt32) {
        let minutes = UInt32(clamping: items[index].length / DayTime.minute)
        items[index].wanted = start
        items[index].from = min(items[index].from, start)
        items[index].until = min(1_440, max(items[index].until, start + minutes))
    }
}
