import LocalTime
import Messages
import ServiceRuntime

/// The people whose days are kept, and who may look at them or change them.
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
        guard row.settings != before else { return row.settings }
        if row.settings.told.isEmpty {
            row.settings.name = ""
        } else if before.told != row.settings.told {
            row.settings.name = transaction.principal.name
        }
        try row.save(transaction.db)
        try DayWatch.tell(row, in: transaction)
        try Rhythms.settle(row, in: transaction)
        return row.settings
    }

    /// What account-service says that matters here.
    static var events: [EventHandler] { [.init(accountChanged)] }

    /// Whoever is no longer someone's carer neither changes anything of theirs nor gets a copy of
    /// what they are told, whatever they had agreed to.
    static func accountChanged(
        _ event: AccountChanged, _: Envelope, in transaction: Transaction
    ) throws {
        let account = event.account
        for var row in try PersonRow.all(transaction.db) {
            let isCarer = account.caresFor.contains(row.account) && !account.isDisabled
            guard !isCarer, row.settings.leave(account.id) else { continue }
            try row.save(transaction.db)
            try DayWatch.tell(row, in: transaction)
        }
    }

    static func read(_ query: ReadDaySettings, in transaction: Transaction) throws -> DaySettings {
        try transaction.person(query.person, toChange: false).settings
    }
}

/// The rules of how a person's days are.
extension DaySettings {
    /// How they are until someone says otherwise: from seven in the morning to ten in the evening,
    /// told five minutes before something else begins.
    static func usual(of person: String) -> DaySettings {
        DaySettings(person: person, wake: 420, sleep: 1_320, warning: 5)
    }

    /// Changes what the command says.
    ///
    /// - Throws: a refusal of what can't be; then nothing is to be kept.
    mutating func change(by command: ChangeDaySettings) throws(Refusal) {
        if let zone = command.timeZone {
            guard LocalTime(zone: zone) != nil else { throw .noZone(zone) }
            timeZone = zone
        }
        wake = command.wake ?? wake
        sleep = command.sleep ?? sleep
        try Self.check(wake: wake, sleep: sleep)
        warning = command.warning ?? warning
        guard warning <= 60 else { throw .invalid("a warning comes at most 60 minutes ahead") }
        if !command.removeEditor.isEmpty { editors.removeAll { $0 == command.removeEditor } }
        if !command.addEditor.isEmpty, !editors.contains(command.addEditor) {
            guard command.addEditor != person else {
                throw .invalid("you may change your own days already")
            }
            guard editors.count < 20 else { throw .conflict("at most 20 carers may change things") }
            editors.append(command.addEditor)
        }
        if !command.removeTold.isEmpty { told.removeAll { $0 == command.removeTold } }
        if !command.addTold.isEmpty, !told.contains(command.addTold) {
            guard command.addTold != person else {
                throw .invalid("you are told of your own days already")
            }
            guard told.count < 20 else { throw .conflict("at most 20 carers may get a copy") }
            told.append(command.addTold)
        }
    }

    /// Takes someone out who is no carer any more; true when that changed something.
    mutating func leave(_ carer: String) -> Bool {
        let before = (editors, told)
        editors.removeAll { $0 == carer }
        told.removeAll { $0 == carer }
        if told.isEmpty { name = "" }
        return before != (editors, told)
    }

    /// Refuses a day that ends before it begins.
    static func check(wake: UInt32, sleep: UInt32) throws(Refusal) {
        guard wake < sleep, sleep <= 1_440 else {
            throw .invalid("you get up before you go to sleep, and both are within one day")
        }
    }
}

extension Transaction {
    /// The person whose things a message is about: the asker for an empty one.
    ///
    /// - Parameter toChange: true when something of theirs is to be changed.
    /// - Throws: a `Refusal`, the same for someone who hasn't named the asker a carer as for no
    ///   one at all.
    func person(_ account: String, toChange: Bool) throws -> PersonRow {
        let account = account.isEmpty ? principal.account : account
        guard principal.mayActFor(account) else {
            // The proof of a carer may be older than the grant: this code has it renewed.
            throw Refusal.forbidden(
                "there is no such person, or you are not named as their carer; that is done with "
                    + "steward carer add")
        }
        let row =
            try PersonRow.ofAccount(account, db)
            ?? PersonRow(
                account: account, organisation: principal.organisation,
                settings: .usual(of: account))
        let isOther = principal.kind == .account && account != principal.account
        guard !toChange || !isOther || row.settings.editors.contains(principal.account) else {
            throw Refusal.forbidden(
                "you may look at this person's days, not change them; they allow it with "
                    + "steward day settings --carer-changes")
        }
        return row
    }
}

extension Refusal {
    /// There is no such time zone.
    static func noZone(_ zone: String) -> Refusal {
        .invalid("there is no time zone “\(zone.prefix(60))”; give one like Europe/Oslo")
    }
}
