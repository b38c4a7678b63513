import ActionLibrary
import Dates
import LocalTime
import Messages
import RoutineDay
import ServiceRuntime

/// Handles measured durations and the statistics of what was kept up.
enum Measures {
    static var handlers: [MessageHandler] {
        [
            .command(adopt, .person),
            .query(list, .account),
            .query(statistics, .account),
        ]
    }

    /// The maximum number of actions in a list.
    private static let most = 500
    /// How many days back statistics can reach.
    private static let farthest: UInt32 = 92

    static func list(
        _ query: ListMeasuredActions, in transaction: Transaction
    ) throws -> MeasuredActions {
        let person = try transaction.person(query.person, toChange: false).account
        return MeasuredActions(
            actions: Array(try all(of: person, in: transaction).prefix(most)))
    }

    static func adopt(
        _ command: AdoptMeasured, in transaction: Transaction
    ) throws -> MeasuredAction {
        let person = try transaction.person(command.person, toChange: true).account
        let all = try all(of: person, in: transaction)
        let keys = [
            RoutineAction(name: command.action).measureKey,
            LibraryAction.ofKey(command.action)?.key
                ?? LibraryAction.named(command.action.tidied)?.key ?? "",
        ]
        let found = keys.lazy.compactMap { key in all.first { $0.action?.measureKey == key } }.first
        guard let found, let action = found.action else {
            throw Refusal.notFound(
                "“\(command.action.prefix(100))” was not measured yet; see steward action measured")
        }
        guard found.times >= Measure.enough else {
            throw Refusal.conflict(
                "it was measured \(found.times) times; after \(Measure.enough) times it can be "
                    + "taken over")
        }
        let limits = RoutineLimits.minutes
        guard limits.contains(found.minutes) else {
            throw Refusal.conflict(
                "it took \(found.minutes) minutes, and an action takes \(limits.lowerBound) to "
                    + "\(limits.upperBound); make several actions of it")
        }
        let key = action.measureKey
        for var routine in try Routine.all(of: person, transaction.db) {
            guard routine.adopt(found.minutes, for: key) else { continue }
            routine.noteChange(after: routine.changed, in: transaction)
            try routine.save(of: person, transaction.db)
        }
        for var own in try OwnAction.all(of: person, transaction.db)
        where own.action?.measureKey == key {
            own.action?.minutes = found.minutes
            try own.save(of: person, transaction.db)
        }
        return try Self.all(of: person, in: transaction).first { $0.action?.measureKey == key }
            ?? found
    }

    static func statistics(
        _ query: ReadDayStatistics, in transaction: Transaction
    ) throws -> DayStatistics {
        let person = try transaction.person(query.person, toChange: false)
        let days = query.days == 0 ? 28 : query.days
        guard days <= farthest else {
            throw Refusal.invalid("statistics reach back 1 to \(farthest) days")
        }
        let until = try transaction.date("", of: person, mayBePast: true)
        let last = LocalTime.day(until) ?? 0
        let from = CivilDate(daysSince1970: max(0, Int(last) - Int(days) + 1)).iso
        return DayStatistics(
            of: try Day.all(of: person.account, from: from, until: until, transaction.db),
            from: from, until: until)
    }

    /// Returns the measures of the actions in a person's routines and of their own actions.
    private static func all(
        of person: String, in transaction: Transaction
    ) throws -> [MeasuredAction] {
        let lengths = try MeasureStore.lengths(of: person, transaction.db)
        var planned: [String: RoutineAction] = [:]
        let known =
            try Routine.all(of: person, transaction.db).flatMap(\.actions)
            + OwnAction.all(of: person, transaction.db).compactMap(\.action)
        for action in known where lengths[action.measureKey] != nil {
            let key = action.measureKey
            if (planned[key]?.minutes ?? 0) < action.minutes { planned[key] = action }
        }
        return planned.compactMap { key, action -> MeasuredAction? in
            guard let all = lengths[key], let minutes = Measure.minutes(of: all) else { return nil }
            return MeasuredAction(
                action: action, times: UInt32(all.count), minutes: minutes,
                isOffered: all.count >= Measure.enough && minutes != action.minutes
                    && RoutineLimits.minutes.contains(minutes))
        }.sorted { one, other in
            guard one.isOffered == other.isOffered else { return one.isOffered }
            return (one.title, one.key) < (other.title, other.key)
        }
    }
}

extension MeasuredAction {
    fileprivate var title: String { action?.title(in: .english) ?? "" }
    fileprivate var key: String { action?.measureKey ?? "" }
}

extension Routine {
    /// Sets the minutes of each action with a key. Returns whether that changed anything.
    fileprivate mutating func adopt(_ minutes: UInt32, for key: String) -> Bool {
        let before = actions
        for index in actions.indices where actions[index].measureKey == key {
            actions[index].minutes = minutes
        }
        return actions != before
    }
}
