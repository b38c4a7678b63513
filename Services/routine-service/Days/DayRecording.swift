import Messages
import Phrases
import RoutineDay
import ServiceRuntime

/// What a device recorded for a day while it could not reach the service.
enum DayRecording {
    static var handlers: [MessageHandler] { [.command(record, .person)] }

    /// The maximum number of operations kept for a day. Each may add an item to it, and with its
    /// routines and appointments a day has at most 1,000.
    static let most = 900
    /// The maximum number of operations in a command.
    private static let mostAtOnce = 200

    static func record(_ command: RecordDay, in transaction: Transaction) throws -> Day {
        guard command.operations.count <= mostAtOnce else {
            throw Refusal.invalid(
                "a device sends at most \(mostAtOnce) operations at once, not "
                    + "\(command.operations.count)")
        }
        let person = try transaction.person(command.person, toChange: true)
        let date = try transaction.date(command.date, of: person, mayBePast: true)
        let before = try transaction.day(date, of: person)
        let time = try transaction.time(of: before)
        let now = transaction.now
        var day = before
        let urgent = person.settings.urgent
        try day.settle(at: now, time, urgent: urgent)
        var journal = DayJournal(
            day, entries: try DayOperationStore.all(of: person.account, date, in: transaction))
        var versions: [Day] = []
        for operation in command.operations {
            let earlier = journal.day
            journal.apply(try operation.checked(time, at: now))
            guard journal.day != earlier else { continue }
            // Only those that will be kept are written, because writing all of them could take
            // long.
            versions = versions.suffix(Day.mostBefore - 1) + [earlier]
            let text = said(of: operation, in: journal)
            journal.day.note(text, in: transaction)
        }
        guard journal.entries.count <= most else {
            throw Refusal.conflict("devices have sent too many operations for \(date)")
        }
        try Day.keepBefore(versions, transaction.db)
        try DayOperationStore.save(
            journal.entries, of: person.account, date, transaction.db)
        let told = journal.day
        day = told
        if told != before { try day.settle(at: now, time, urgent: urgent, mustFit: true) }
        try DayWatch.keep(day, unlike: before, of: person, time, in: transaction)
        return try transaction.day(date, of: person)
    }

    private static func said(
        of operation: DayOperation, in journal: DayJournal
    ) -> Said<DayPhrase> {
        var (operation, phrase) = (operation, DayPhrase.done)
        if case .undone(let id) = operation.what {
            phrase = .takenBack
            operation = journal.entries.first { $0.operation.id == id }?.operation ?? operation
        } else if operation.state == .skipped {
            phrase = .skipped
        }
        return Said(phrase, ["name": operation.action?.said() ?? .text("")])
    }
}

extension DayOperation {
    /// The operation as it is kept: at a time within its day, and not in the future.
    ///
    /// - Throws: a refusal of anything that no device of this version sends.
    fileprivate func checked(_ day: DayTime, at now: Int64) throws(Refusal) -> DayOperation {
        guard id.count == 16, what != nil, state == nil || action != nil else {
            throw .invalid("what a device has kept has an id, and says what was done")
        }
        try validateText(name, "the name of a routine", 0...80)
        try validateText(routine, "the id of a routine", 0...100)
        var operation = self
        if var action {
            try validateText(action.library, "the key of an action", 0...100)
            try validateText(action.name, "the name of an action", 0...80)
            try validateText(action.emoji, "the emoji of an action", 0...4)
            // Whatever its planned time was: something that was done isn't refused for its length.
            action.minutes = min(
                max(action.minutes, RoutineLimits.minutes.lowerBound),
                RoutineLimits.minutes.upperBound)
            operation.action = action
        }
        operation.time = max(day.begin, min(time, now, day.end - 1))
        return operation
    }
}
