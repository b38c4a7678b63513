import Messages
import ServiceRuntime

/// The rules of maintenance.
extension MaintenanceWindow {
    /// The maximum number of an organisation's windows that have not ended.
    static let most = 50
    /// How long one may last: 30 days in milliseconds.
    static let longest: Int64 = 30 * 24 * 3600 * 1000
    /// How far ahead one may begin: a year in milliseconds.
    static let farthest: Int64 = 366 * 24 * 3600 * 1000

    /// Validates a person's request.
    ///
    /// - Throws: a `Refusal` that says what is wrong.
    func validate(at now: Int64) throws(Refusal) {
        guard !isEmpty else {
            throw .invalid("say which alerts wait: by their source, kind, key or site")
        }
        guard !EscalationPolicy.personal.contains(source) else {
            throw .invalid(
                "alerts of \(source) are about people's own rides and days; they don't wait for "
                    + "maintenance")
        }
        guard until > now, until > from else {
            throw .invalid("the maintenance would be over already")
        }
        guard from - now <= Self.farthest, until - max(from, now) <= Self.longest else {
            throw .invalid("maintenance begins within a year and lasts at most 30 days")
        }
    }

    /// True when an alert waits for its end. Those about a person's own rides and days don't:
    /// whatever an organisation is working on, its people have to get off. Maintenance that was
    /// begun while the clock was ahead is no longer in force once the clock is set back, because it
    /// would hold back alerts at a time that nobody has chosen.
    func holds(_ raised: AlertRaised, _ severity: Severity, from source: String, at now: Int64)
        -> Bool
    {
        from <= now && now < until && (urgentToo || severity != .urgent)
            && MessageID(id)?.isAhead(of: now) != true
            && !EscalationPolicy.personal.contains(source) && fits(raised, from: source)
    }
}

extension Call {
    /// The maintenance during which the call doesn't escalate; nil for none.
    func maintenance(in transaction: Transaction) throws -> MaintenanceWindow? {
        guard policy != nil, raised != nil else { return nil }
        let alert = Alert(
            source: source, raised: raised, state: state, time: time, severity: loudness)
        return try .holding(alert, of: organisation, at: transaction.now, transaction.db)
    }
}

/// The messages about maintenance.
extension MaintenanceWindow {
    static var handlers: [MessageHandler] {
        [
            .command(begin, .administrators), .command(end, .administrators),
            .query(list, .administrators),
        ]
    }

    private static func begin(
        _ command: BeginMaintenance, in transaction: Transaction
    ) throws -> MaintenanceWindow {
        let (now, db, principal) = (transaction.now, transaction.db, transaction.principal)
        var window = command.window
        try window.validate(at: now)
        try prune(endedBefore: now, db)
        guard try all(of: principal.organisation, at: now, db).count < most else {
            throw Refusal.conflict("there are \(most) windows already; end one first")
        }
        (window.id, window.by) = ("\(transaction.id)", principal.account)
        window.from = max(window.from, now)
        try window.save(principal.organisation, db)
        return window
    }

    static func end(
        _ command: EndMaintenance, in transaction: Transaction
    ) throws -> MaintenanceWindow {
        let (now, db) = (transaction.now, transaction.db)
        let organisation = transaction.principal.organisation
        let typed = try TypedID(command.id, of: "maintenance")
        let window = try typed.only(
            all(of: organisation, at: now, db).filter { typed.matches($0.id) })
        try window.delete(db)
        // Waiting alerts continue immediately.
        for kept in try KeptCall.live(of: organisation, db) where kept.call.nextStep > 0 {
            try transaction.setTimer(
                CallHandling.escalation, subject: kept.call.id, due: kept.call.nextStep)
        }
        for kept in try KeptChannel.waiting(until: window.until, of: organisation, db) {
            try kept.release(in: transaction)
        }
        try Mail.release(
            Mail.waiting(until: window.until, of: organisation, db), in: transaction)
        return window
    }

    private static func list(
        _: ListMaintenance, in transaction: Transaction
    ) throws -> MaintenanceWindows {
        MaintenanceWindows(
            windows: try all(
                of: transaction.principal.organisation, at: transaction.now, transaction.db))
    }
}
