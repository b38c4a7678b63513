import LocalTime
import Messages
import RoutineDay
import ServiceRuntime

/// Handles the people whose days are kept, and who may read or change them.
enum People {
    static var handlers: [MessageHandler] {
        [
            .command(change, .person),
            .query(read, .account),
        ]
    }

    static func change(
        _ command: ChangeDaySettings, in transaction: Transaction
    ) throws -> DaySettings {
        var row = try transaction.person("", toChange: true)
        let before = row.settings
        try row.settings.change(by: command)
        guard row.settings != before || row.isDamaged else { return row.settings }
        if row.settings.told.isEmpty {
            row.settings.name = ""
        } else if before.told != row.settings.told {
            row.settings.name = transaction.principal.name
        }
        try row.save(transaction.db)
        if (before.withMeetings, before.withShifts)
            != (row.settings.withMeetings, row.settings.withShifts)
        {
            try OutsideEvents.settle(row, in: transaction)
        }
        if before.warning == row.settings.warning {
            try DayWatch.settle(row, in: transaction)
        } else {
            try DayWatch.settleAll(row, in: transaction)
        }
        try Rhythms.spare(row, in: transaction)
        return row.settings
    }

    /// The handlers of events from account-service.
    static var events: [EventHandler] { [.init(accountChanged)] }

    /// Records for whom an account cares. Former carers are removed: they may neither change the
    /// person's days nor get copies of alerts, whatever was allowed before. Someone who wasn't a
    /// carer yet stays in the settings: the person may have named them before this service learns
    /// that they have become one. A person of whom something can't be read is put aside, because
    /// the account may care for others too: nobody may change the days of such a person.
    static func accountChanged(
        _ event: AccountChanged, _: Envelope, in transaction: Transaction
    ) throws {
        let account = event.account
        let people: Set<String> = account.isDisabled ? [] : Set(account.caresFor)
        let before = try CareStore.people(of: account.id, transaction.db)
        guard people != before else { return }
        try CareStore.save(people, of: account.id, in: account.organisation, transaction.db)
        for person in try PersonRow.naming(account.id, transaction.db) {
            let isCarer = people.contains(person)
            let wasCarer = before?.contains(person) ?? true
            guard isCarer != wasCarer else { continue }
            let row = try transaction.sparingOthers("day") { () -> PersonRow? in
                var row = try PersonRow.ofAccount(person, in: transaction)
                if !isCarer, row?.settings.leave(account.id) == true {
                    try row?.save(transaction.db)
                }
                return row
            } putAside: { _ in
            }
            try DayWatch.settle(
                person, row, former: isCarer ? nil : account.id, in: transaction)
        }
    }

    static func read(_ query: ReadDaySettings, in transaction: Transaction) throws -> DaySettings {
        try transaction.person(query.person, toChange: false).settings
    }
}

/// The rules of a person's settings.
extension DaySettings {
    /// Returns the default settings: the day lasts from seven in the morning to ten in the evening,
    /// and a warning comes five minutes before something else begins.
    static func usual(of person: String) -> DaySettings {
        DaySettings(person: person, wake: 420, sleep: 1_320, warning: 5)
    }

    /// Applies a command.
    ///
    /// - Throws: a refusal if a value is invalid; the settings must not be saved then.
    mutating func change(by command: ChangeDaySettings) throws(Refusal) {
        if let zone = command.timeZone {
            guard LocalTime(zone: zone) != nil else { throw .noZone(zone) }
            timeZone = zone
        }
        wake = command.wake ?? wake
        sleep = command.sleep ?? sleep
        try Self.validate(wake: wake, sleep: sleep)
        warning = command.warning ?? warning
        withMeetings = command.withMeetings ?? withMeetings
        withShifts = command.withShifts ?? withShifts
        guard warning <= 60 else { throw .invalid("a warning comes at most 60 minutes ahead") }
        if !command.removeEditor.isEmpty { editors.removeAll { $0 == command.removeEditor } }
        if !command.addEditor.isEmpty, !editors.contains(command.addEditor) {
            guard command.addEditor != person else {
                throw .invalid("you may already change your own days")
            }
            guard editors.count < 20 else { throw .conflict("at most 20 carers may change things") }
            editors.append(command.addEditor)
        }
        if !command.removeUrgent.isEmpty {
            urgent.removeAll { $0.nameKey == command.removeUrgent.nameKey }
        }
        let added = command.addUrgent.tidied
        if !added.isEmpty, !urgent.contains(where: { $0.nameKey == added.nameKey }) {
            try validateText(added, "what is urgent", 1...80)
            guard urgent.count < 20 else {
                throw .conflict("at most 20 things can be urgent")
            }
            urgent.append(added)
        }
        if !command.removeTold.isEmpty { told.removeAll { $0 == command.removeTold } }
        if !command.addTold.isEmpty, !told.contains(command.addTold) {
            guard command.addTold != person else {
                throw .invalid("you already get alerts about your own days")
            }
            guard told.count < 20 else { throw .conflict("at most 20 carers may get a copy") }
            told.append(command.addTold)
        }
    }

    /// Removes a former carer. Returns whether that changed anything.
    mutating func leave(_ carer: String) -> Bool {
        let before = (editors, told)
        editors.removeAll { $0 == carer }
        told.removeAll { $0 == carer }
        if told.isEmpty { name = "" }
        return before != (editors, told)
    }

    /// Refuses a day that ends before it begins.
    static func validate(wake: UInt32, sleep: UInt32) throws(Refusal) {
        guard wake < sleep, sleep <= 1_440 else {
            throw .invalid("you get up before you go to sleep, and both are within one day")
        }
    }
}

extension Transaction {
    /// Returns the person whose data a message concerns; an empty account stands for the caller.
    ///
    /// - Parameters:
    ///   - account: the account of the person; may be empty.
    ///   - toChange: whether the person's data is to be changed.
    /// - Throws: a `Refusal`; it is the same whether the person hasn't named the caller a carer or
    ///   doesn't exist.
    func person(_ account: String, toChange: Bool) throws -> PersonRow {
        let account = account.isEmpty ? principal.account : account
        guard principal.mayActFor(account) else {
            // The carer's token may be older than the grant; this code makes the client renew it.
            throw Refusal.forbidden(
                "there is no such person, or you are not named as their carer; that is done with "
                    + "steward carer add")
        }
        let known = try PersonRow.ofAccount(account, db)
        let row =
            known
            ?? PersonRow(
                account: account, organisation: principal.organisation,
                settings: .usual(of: account))
        let isOther = principal.kind == .account && account != principal.account
        guard !toChange || !isOther || row.settings.editors.contains(principal.account) else {
            throw Refusal.forbidden(
                "you may look at this person's days, not change them; they allow it with "
                    + "steward day settings --carer-changes")
        }
        // Whatever a person keeps belongs to an organisation.
        if toChange, known == nil { try row.save(db) }
        return row
    }
}

extension Refusal {
    /// The refusal for a time zone that doesn't exist.
    static func noZone(_ zone: String) -> Refusal {
        .invalid("there is no time zone “\(zone.prefix(60))”; give one like Europe/Oslo")
    }
}
