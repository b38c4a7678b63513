import Messages
import ServiceRuntime

/// The rules of a silence.
extension Silence {
    /// The maximum number of silences of a person.
    static let most = 50
    /// How long a silence may last: a year in milliseconds.
    static let longest: Int64 = 366 * 24 * 3600 * 1000

    /// Validates a person's request.
    ///
    /// - Throws: a `Refusal` that says what is wrong.
    func validate(at now: Int64) throws(Refusal) {
        guard !isEmpty else {
            throw .invalid("say which alerts to silence: by their source, kind, key or site")
        }
        guard until > now else { throw .invalid("the silence would be over already") }
        guard until - now <= Self.longest else {
            throw .invalid("a silence lasts at most a year")
        }
    }

    /// True when the silence is in force for an alert. A silence that was begun while the clock was
    /// ahead would last longer than its owner meant, so it is no longer in force once the clock is
    /// set back.
    func silences(_ alert: Alert, at now: Int64) -> Bool {
        guard now < until, urgentToo || alert.severity != .urgent else { return false }
        guard MessageID(id)?.isAhead(of: now) != true else { return false }
        return fits(alert.raised ?? AlertRaised(), from: alert.source)
    }
}

/// The messages about silences, and their timer.
extension Silence {
    static var handlers: [MessageHandler] {
        [.command(begin, .person), .command(end, .person), .query(list, .person)]
    }

    static var timers: [TimerHandler] { [.init(ending, over)] }
    /// The kind of the timer that ends a silence; the subject is its id.
    static let ending = "silence"

    /// Sets the timers of silences that an earlier version began, or whose timers were lost.
    static func prepare(_ transaction: Transaction) throws {
        for silence in try ends(transaction.db) {
            let due = try transaction.timerDue(ending, subject: silence.id)
            guard due == nil else { continue }
            try transaction.setTimer(ending, subject: silence.id, due: silence.until)
        }
    }

    static func begin(
        _ command: SilenceAlerts, in transaction: Transaction
    ) throws -> Silence {
        var silence = command.silence
        try silence.validate(at: transaction.now)
        let feed = try AlertFeedAddress("", asker: transaction.principal)
        guard try all(of: feed, at: transaction.now, transaction.db).count < most else {
            throw Refusal.conflict("you have \(most) silences; end one first")
        }
        silence.id = "\(transaction.id)"
        try silence.save(feed, transaction.db)
        try transaction.setTimer(ending, subject: silence.id, due: silence.until)
        return silence
    }

    static func end(_ command: EndSilence, in transaction: Transaction) throws -> Silence {
        let typed = try TypedID(command.id, of: "silence")
        let feed = try AlertFeedAddress("", asker: transaction.principal)
        let silence = try typed.only(
            all(of: feed, at: transaction.now, transaction.db).filter { typed.matches($0.id) })
        try transaction.cancelTimer(ending, subject: silence.id)
        try over(silence.id, due: transaction.now, in: transaction)
        return silence
    }

    /// Ends those that were begun while the clock was ahead: they are no longer in force, and must
    /// not be in force again when that time comes. The others are ended by their timers.
    static func endAhead(in transaction: Transaction) throws {
        for silence in try ends(transaction.db)
        where MessageID(silence.id)?.isAhead(of: transaction.now) == true {
            try transaction.cancelTimer(ending, subject: silence.id)
            try over(silence.id, due: silence.until, in: transaction)
        }
    }

    /// Ends a silence, and delivers what it held back and is still open, unless something else now
    /// holds it back: the most severe alerts, if there are very many.
    static func over(_ id: String, due: Int64, in transaction: Transaction) throws {
        let db = transaction.db
        guard let feed = try delete(id, db) else { return }
        for alert in try heldBack(by: id, of: feed, db) {
            _ = try transaction.sparingOthers("delivery") { () -> Alert? in
                let reason = DeliveryPlan.silenced(by: id)
                guard try AlertDelivery.wasSkipped(of: alert, because: reason, db) else {
                    return nil
                }
                try AlertDigest.listAgain(alert.id, at: transaction.now, db)
                try AlertHandling.deliver(alert, .changed, in: transaction)
                return alert
            } putAside: { _ in
            }
        }
    }

    private static func list(_: ListSilences, in transaction: Transaction) throws -> Silences {
        let feed = try AlertFeedAddress("", asker: transaction.principal)
        return Silences(silences: try all(of: feed, at: transaction.now, transaction.db))
    }
}
