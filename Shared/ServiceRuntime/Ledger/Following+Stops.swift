import Bus
import Messages

/// Why a producer isn't followed for a while, and who hears of it.
extension Following {
    /// Deletes what was applied of the producer, in favour of a snapshot. If that ends the process
    /// again and again, it is given up until the next day, or the next version.
    ///
    /// - Returns: false if it can't be done, which is reported.
    func deleteApplied(except present: [Envelope], at now: Int64) throws -> Bool {
        let day = now / Transaction.asideInterval
        let act = "forget \(producer.rawValue) \(stewardVersion) \(day)"
        if let reason = suspects.reason(against: act) {
            try giveUpForgetting(reason, at: now)
            return false
        }
        let id = turn.ids.next(at: now)
        let transaction = Transaction(
            db: db, now: now, principal: .system, id: id, correlation: id, turn: turn)
        suspects.begin(act)
        do { try turn.attempt { try forget(producer, present, transaction) } } catch let error
            where !Outage.isOutage(error)
        {
            try giveUpForgetting("\(error)", at: now)
            return false
        }
        try suspects.clear(act, db)
        return true
    }

    /// Applies nothing for a while, and reports that.
    func stop(at type: String, reason: String, at now: Int64) throws {
        hold(for: Self.fullPause, at: now)
        try reportStop(at: now) {
            try $0.noteStopped(
                producer.rawValue, at: type, reason: reason.prefix(bytes: 3000), log: log)
        }
    }

    /// Applies nothing for a while, because what was applied before can't be deleted in favour of a
    /// snapshot. Ending the process would end it at each start.
    private func giveUpForgetting(_ reason: String, at now: Int64) throws {
        hold(for: Self.snapshotPause, at: now)
        try reportStop(at: now) {
            try $0.noteUnforgotten(
                producer.rawValue, reason: reason.prefix(bytes: 3000), log: log)
        }
    }

    /// Reports that nothing is applied, once, and again each day.
    func reportStop(at now: Int64, _ report: (Transaction) throws -> Void) throws {
        if let stopReported, abs(now - stopReported) < Transaction.asideInterval { return }
        stopReported = now
        let id = turn.ids.next(at: now)
        try report(
            Transaction(
                db: db, now: now, principal: .system, id: id, correlation: id, turn: turn))
    }
}
