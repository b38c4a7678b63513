import Messages
import ServiceRuntime

/// Brings the people of a call up to date: everyone who is called at present has an open alert for
/// it, and nobody else. This is done in passes that may be interrupted anywhere, and restarted.
extension CallHandling {
    /// The maximum number of people told in one transaction, so that nothing urgent waits long.
    private static let mostAtOnce = 250

    /// Saves a call, sets its timers, and begins to tell its people.
    ///
    /// - Parameters:
    ///   - call: the call.
    ///   - kept: its row so far.
    ///   - isAgain: true if the time to its next repetition starts over.
    ///   - transaction: the transaction.
    /// - Returns: its row.
    @discardableResult
    static func settle(
        _ call: Call, _ kept: KeptCall? = nil, isAgain: Bool = true, in transaction: Transaction
    ) throws -> KeptCall {
        var call = call
        var kept = kept ?? KeptCall(call)
        call.setBack(to: transaction.now)
        let isLouder = call.loudness.isLouder(than: kept.call.loudness)
        (kept.call, kept.stage, kept.cursor) = (call, 0, "")
        let isOpen = call.state == .open
        if isAgain || !isOpen {
            try AlertHandling.setRepetition(
                callRepetition, of: call.id, due: call.repetitionDue(at: transaction.now),
                isLouder: isLouder, in: transaction)
        }
        try set(callExpiry, call, call.isLive ? call.expires : nil, transaction)
        try set(escalation, call, call.nextStep > 0 ? call.nextStep : nil, transaction)
        try set(reopening, call, call.reopenDue, transaction)
        // Save the row first, because what follows reads it.
        try kept.save(transaction.db)
        for person in try namedPeople(of: call, in: transaction) {
            try tell(person, of: kept, in: transaction)
        }
        try goOn(&kept, in: transaction)
        return kept
    }

    private static func set(
        _ timer: String, _ call: Call, _ due: Int64?, _ transaction: Transaction
    ) throws {
        guard let due else { return try transaction.cancelTimer(timer, subject: call.id) }
        try transaction.setTimer(timer, subject: call.id, due: due)
    }

    /// Continues a pass that was too long for one transaction.
    static func spread(_ id: String, due: Int64, in transaction: Transaction) throws {
        guard var kept = try keptCall(id, for: spreading, in: transaction) else { return }
        try goOn(&kept, in: transaction)
    }

    private static func goOn(_ kept: inout KeptCall, in transaction: Transaction) throws {
        var left = mostAtOnce
        while kept.stage >= 0, left > 0 {
            let told =
                try kept.stage == 0
                ? tellThoseTold(&kept, most: left, in: transaction)
                : tellAudience(&kept, most: left, in: transaction)
            left -= told
        }
        try kept.save(transaction.db)
        if kept.stage >= 0 {
            try transaction.setTimer(spreading, subject: kept.call.id, due: transaction.now)
        }
    }

    /// Tells those who have an alert of the call already.
    private static func tellThoseTold(
        _ kept: inout KeptCall, most: Int, in transaction: Transaction
    ) throws -> Int {
        let alerts = try CalledAlert.all(
            of: kept.call.id, after: kept.cursor, limit: most, transaction.db)
        for alert in alerts {
            let person = try person(alert.alert.address, in: transaction)
            try tell(person, of: kept, before: alert, in: transaction)
        }
        if let last = alerts.last, alerts.count == most {
            kept.cursor = last.alert.address.topic
        } else {
            // A call that is no longer open reaches nobody else.
            (kept.stage, kept.cursor) = (kept.call.state == .open ? 1 : -1, "")
        }
        return alerts.count
    }

    /// Tells those whom the call is for at present.
    private static func tellAudience(
        _ kept: inout KeptCall, most: Int, in transaction: Transaction
    ) throws -> Int {
        let audiences = kept.call.audiences
        guard audiences.indices.contains(kept.stage - 1) else {
            kept.stage = -1
            try tellDeputies(&kept, in: transaction)
            return 0
        }
        let people = try Member.candidates(
            for: audiences[kept.stage - 1], of: kept.call.organisation, after: kept.cursor,
            limit: most, transaction.db)
        for person in people { try tell(person, of: kept, in: transaction) }
        if let last = people.last, people.count == most {
            kept.cursor = last.id
        } else {
            (kept.stage, kept.cursor) = (kept.stage + 1, "")
        }
        return people.count
    }

    /// Tells those responsible for the organisation about a call that would reach nobody, or has a
    /// step that reaches nobody: whoever was told before that step has not answered.
    private static func tellDeputies(
        _ kept: inout KeptCall, in transaction: Transaction
    ) throws {
        guard kept.call.state == .open else { return }
        kept.reachesNobody = try !CalledAlert.isAnyOpen(of: kept.call.id, transaction.db)
        guard
            try kept.reachesNobody
                || !kept.hasDeputies && hasVainStep(kept.call, in: transaction)
        else { return }
        kept.hasDeputies = true
        for deputy in try Member.caretakers(of: kept.call.organisation, in: transaction)
        where deputy.organisation == kept.call.organisation {
            try tell(person(deputy, in: transaction), of: kept, in: transaction)
        }
    }

    /// True if a step was taken for an audience without people at present.
    private static func hasVainStep(_ call: Call, in transaction: Transaction) throws -> Bool {
        guard !call.stepAudiences.isEmpty else { return false }
        let named = try namedPeople(of: call, in: transaction)
        return try call.stepAudiences.contains { audience in
            try !named.contains(where: audience.includes)
                && !Member.isAnyone(in: audience, of: call.organisation, transaction.db)
        }
    }

    /// The people that a call names, and on a person's own machine its owner: account-service
    /// needn't know them.
    private static func namedPeople(
        of call: Call, in transaction: Transaction
    ) throws -> [Account] {
        var ids = Set(call.audiences.map(\.account) + [call.raised?.recipient ?? ""])
        let owner = Principal.machineOwner
        if !transaction.isBusShared, call.organisation == owner.organisation {
            ids.insert(owner.account)
        }
        return try ids.subtracting([""]).sorted().map {
            try person(
                AlertFeedAddress(organisation: call.organisation, recipient: $0), in: transaction)
        }
    }

    private static func person(
        _ address: AlertFeedAddress, in transaction: Transaction
    ) throws -> Account {
        if let known = try Member.known(address.recipient, transaction.db) { return known }
        let owner = Principal.machineOwner
        let isOwner =
            !transaction.isBusShared && address.recipient == owner.account
            && address.organisation == owner.organisation
        return Account(
            id: address.recipient, organisation: address.organisation,
            grants: isOwner ? owner.grants : [])
    }

    static func accountChanged(
        _ event: AccountChanged, _: Envelope, in transaction: Transaction
    ) throws {
        let before = try Member.save(event.account, transaction.db)
        let isSame =
            before?.grants == event.account.grants
            && before?.isDisabled == event.account.isDisabled
        if !isSame { try tell(event.account, in: transaction) }
    }

    /// Someone's roles have changed: tells them about the calls that now include them. If a call,
    /// or a step of it, then reaches nobody, those responsible are told; a pass under way does that
    /// at its end.
    static func tell(_ person: Account, in transaction: Transaction) throws {
        for var kept in try KeptCall.live(of: person.organisation, transaction.db)
        where kept.call.state == .open && !kept.isDamaged {
            try tell(person, of: kept, in: transaction)
            guard kept.stage < 0 else { continue }
            let hadDeputies = kept.hasDeputies
            try tellDeputies(&kept, in: transaction)
            if kept.hasDeputies != hadDeputies { try kept.save(transaction.db) }
        }
    }

    /// Account-service no longer knows someone, for example because it was restored from a backup:
    /// their calls end like those of a disabled account, so that others are told. The owner of a
    /// person's own machine needn't be known.
    static func tellForgotten(_ feed: AlertFeedAddress, in transaction: Transaction) throws {
        var former = try person(feed, in: transaction)
        former.isDisabled = former.grants.isEmpty
        try tell(former, in: transaction)
    }

    /// Updates someone's alert for a call.
    static func tell(
        _ person: Account, of kept: KeptCall, before: CalledAlert? = nil,
        in transaction: Transaction
    ) throws {
        let (call, db) = (kept.call, transaction.db)
        let address = AlertFeedAddress(organisation: call.organisation, recipient: person.id)
        let isDeputy =
            try kept.hasDeputies
            && Member.caretakers(of: call.organisation, in: transaction).contains(address)
        let wanted =
            call.state == .open ? call.telling(to: person, isDeputy: isDeputy) : nil
        let before = try before ?? CalledAlert.of(call.id, address, db)
        guard let before else {
            guard let wanted else { return }
            let alert = call.alert(
                id: "\(transaction.makeID())", for: person, wanted, at: transaction.now)
            try AlertHandling.settle(alert, .raised, in: transaction)
            return try CalledAlert(alert: alert, times: wanted.times).note(db)
        }
        var alert = before.alert
        guard let reason = alert.follow(call, wanted, before.times, at: transaction.now) else {
            return
        }
        try AlertHandling.settle(alert, reason, in: transaction)
        try CalledAlert(alert: alert, times: wanted?.times ?? before.times).note(db)
    }
}
