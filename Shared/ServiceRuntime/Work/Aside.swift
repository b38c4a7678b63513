import GRDB
import Messages

/// Reports to people what could not be done and was put aside.
extension Transaction {
    /// Does something with one row of many. If that fails, whatever it did is undone, and the row
    /// is put aside and reported, so that it holds up no other.
    ///
    /// - Parameters:
    ///   - kind: the kind of errand that the row is about.
    ///   - body: reads the row and does something with it.
    ///   - putAside: changes the row so that it isn't the next one again, and gets the reason: that
    ///     what is kept of it can't be read, and why.
    /// - Returns: the result of `body`; nil if the row was put aside.
    public func sparingOthers<R>(
        _ kind: String, _ body: () throws -> R?, putAside: (String) throws -> Void
    ) throws -> R? {
        do { return try turn.attempt(body) } catch let error where !Outage.isOutage(error) {
            let reason = Self.reason(error)
            try putAside(reason)
            try noteRow(kind, reason)
            return nil
        }
    }

    /// Reads one row of many. If it can't be read, that is reported, and it holds up no other. A
    /// snapshot reports it itself: without a snapshot, followers would learn nothing of the other
    /// rows, and nobody would get their alerts.
    ///
    /// - Parameters:
    ///   - kind: what the row is, for people.
    ///   - subject: the subject of the events about it, by which a snapshot names it.
    ///   - read: reads the row, and changes nothing.
    /// - Returns: the result of `read`; nil if the row can't be read.
    public func readable<R>(
        _ kind: String, of subject: String = "", _ read: () throws -> R
    ) throws -> R? {
        do { return try read() } catch let error where !Outage.isOutage(error) {
            let reason = Self.reason(error)
            if let leaveOut = turn.leaveOut {
                try leaveOut(kind, subject, reason)
            } else {
                try noteRow(kind, reason)
            }
            return nil
        }
    }

    private static func reason(_ error: any Error) -> String {
        let fault = (error as? Refusal)?.message ?? "\(error)"
        return "what is kept of it can't be read: \(fault)".prefix(bytes: 3000)
    }

    private func noteRow(_ kind: String, _ reason: String) throws {
        turn.counted?("errands.setAside")
        turn.log.write(.error, "row put aside", [.message: kind, .error: reason])
        try noteAside(.errand, kind, reason: reason, log: turn.log)
    }

    /// How often people are told again of a problem that lasts, in milliseconds: each day. While
    /// the alert is open, that changes nothing.
    static let asideInterval: Int64 = 86_400_000

    /// Reports that something was put aside. If that fails, the log still has it.
    func noteAside(_ kind: SetAside.Kind, _ type: String, reason: String, log: Log) throws {
        try attemptToTell(log) {
            let count = kind == .letter ? try DeadLetter.count(db) : 1
            // Report the first one, and then each doubling of the number.
            guard count.nonzeroBitCount == 1 else { return }
            try tellAside(kind, type, reason: reason, count: count)
        }
    }

    /// Reports how many timers fail again and again: 0 when none does any more. If that fails, the
    /// log still has it.
    func noteFailingTimers(_ count: UInt64, _ type: String, reason: String) throws {
        try attemptToTell(turn.log) { try tellAside(.timer, type, reason: reason, count: count) }
    }

    /// Reports that no more events of a producer are applied, because too many were put aside. If
    /// that fails, the log still has it.
    func noteStopped(_ producer: String, at type: String, reason: String, log: Log) throws {
        let reason =
            "so many events of \(producer) were put aside that no more are applied until some are "
            + "retried or dropped (steward dead-letters); the next one: \(reason)"
        log.write(.error, "following stopped", [.producer: producer, .error: reason])
        try attemptToTell(log) {
            try tellAside(.letter, type, reason: reason, count: try DeadLetter.count(db))
        }
    }

    /// Reports that no events of a producer are applied, because its state is too large for a
    /// snapshot. If that fails, the log still has it.
    func noteTooLarge(_ producer: String, log: Log) throws {
        let reason =
            "the state of \(producer) has more than \(Snapshot.mostBytes >> 20) MiB, so none of "
            + "its events are applied until some of it is deleted there"
        try noteAside(.errand, ReplayPage.protobufName, reason: reason, log: log)
    }

    /// Reports that no events of a producer are applied, because what was applied before can't be
    /// deleted in favour of its present state. If that fails, the log still has it.
    func noteUnforgotten(_ producer: String, reason: String, log: Log) throws {
        let reason =
            "what is kept here of \(producer) can't be replaced by its present state, so none of "
            + "its events are applied: \(reason)"
        log.write(.error, "following stopped", [.producer: producer, .error: reason])
        try noteAside(.errand, ReplayPage.protobufName, reason: reason, log: log)
    }

    /// Reports that no events of a producer are applied, because it has long refused to
    /// send those that are missing. If that fails, the log still has it.
    func noteRefused(_ producer: String, reason: String, log: Log) throws {
        let reason =
            "\(producer) has not sent what is missing here for ten minutes or more, so none of its "
            + "events are applied: \(reason)"
        log.write(.error, "following stopped", [.producer: producer, .error: reason])
        try noteAside(.errand, ReplayPage.protobufName, reason: reason, log: log)
    }

    /// Reports that no dead letter is left, if that is so.
    func noteLettersGone() throws {
        guard try DeadLetter.count(db) == 0 else { return }
        try tellAside(.letter, "", reason: "", count: 0)
    }

    private func attemptToTell(_ log: Log, _ body: () throws -> Void) throws {
        do { try turn.attempt(body) } catch let error where !Outage.isOutage(error) {
            log.write(.error, "could not report what was put aside", [.error: "\(error)"])
        }
    }

    private func tellAside(
        _ kind: SetAside.Kind, _ type: String, reason: String, count: UInt64
    ) throws {
        let event = SetAside(
            kind: kind, type: type.prefix(bytes: 200), reason: reason.prefix(bytes: 4000),
            count: count)
        try turn.asideNoted?(event, self)
    }
}

extension DeadLetter {
    /// Passes the number of letters and the newest one to a snapshot.
    static func pass(_ db: Database, to receiver: SnapshotReceiver) throws {
        let row = try Row.fetchOne(
            db, sql: "SELECT type, reason FROM deadLetter ORDER BY id DESC LIMIT 1")
        guard let row else { return }
        let reason = (row["reason"] as String).prefix(bytes: 4000)
        try receiver(
            SetAside(kind: .letter, type: row["type"], reason: reason, count: try count(db)), "")
    }
}
