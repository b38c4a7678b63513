import Bus
import Foundation
import GRDB
import Messages

/// Everything that one message may do: read and write the store, publish, set timers, start work.
/// All of it happens, or nothing.
public struct Transaction {
    /// The store.
    public let db: Database
    /// The time of this transaction in milliseconds since 1970. Handlers use no other clock.
    public let now: Int64
    /// The time by which what is old is deleted for good, in milliseconds since 1970: ``now``, but
    /// a leap of the clock of more than six hours counts only after the clock has run for a day
    /// since. Whatever can't be brought back is deleted by this time; for everything else use
    /// ``now``.
    public var retentionTime: Int64 { turn.believed.time(at: now) }
    /// Who sent the message.
    public let principal: Principal
    /// The id of the message: of the command, of the event, or fresh for a timer. An entity that a
    /// handler makes gets this id.
    public let id: MessageID
    /// The directory where the service may keep files of its own, next to the store.
    public var dataDirectory: String { turn.dataDirectory }
    /// The settings of single services, by the names of their variables.
    public var settings: [String: String] { turn.settings }
    /// True when others than the owner of the machine account may reach the bus: the directory of
    /// the sockets alone then doesn't protect what a subscriber receives.
    public var isBusShared: Bool { turn.isBusShared }
    /// The token with which a thread of this process may send its own service what is declared
    /// ``Access/worker``. Each start makes a new one.
    public var workerToken: [UInt8] { turn.workerToken }
    let correlation: MessageID
    let turn: Turn

    /// Appends an event to the outbox. It is sent after the commit.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - subject: the id of the entity that it is about.
    public func publish(_ event: some ProtobufMessage, subject: String) throws {
        try turn.publish(event, subject: subject, cause: self)
    }

    /// Sends a message on the service's alert endpoint after the commit. It is not kept: a
    /// subscriber that misses it asks for it.
    public func deliver(_ message: some ProtobufMessage, topic: String) throws {
        try turn.deliver(message, topic: topic, cause: self)
    }

    /// Sets a timer, or resets it. It fires in the first turn at or after `due`, even if the
    /// service was down then. Its ``TimerHandler`` decides what happens if the clock is set back
    /// meanwhile.
    ///
    /// - Parameters:
    ///   - kind: which of the service's timer handlers to call.
    ///   - subject: the id of the entity that it is about; each has at most one timer of a kind.
    ///   - due: when it fires, in milliseconds since 1970.
    public func setTimer(_ kind: String, subject: String, due: Int64) throws {
        try turn.timers.set(kind, subject, due, at: now, db)
    }

    /// Sets a timer for the next stretch of long work, after all timers of its kind that are set:
    /// however many such works are under way, a turn does a stretch of one of them.
    ///
    /// - Parameters:
    ///   - kind: as for ``setTimer(_:subject:due:)``.
    ///   - subject: what the work is about.
    ///   - pause: how long there is time for others before it fires, in milliseconds.
    public func setTimerInTurn(_ kind: String, subject: String, pause: Int64) throws {
        let last = try turn.timers.lastDue(kind, at: now, db) ?? now
        try setTimer(kind, subject: subject, due: max(now, last) + pause)
    }

    /// Cancels a timer; does nothing when it is not set.
    public func cancelTimer(_ kind: String, subject: String) throws {
        try turn.timers.cancel(kind, subject, db)
    }

    /// When a timer fires, in milliseconds since 1970; nil when it is not set.
    public func timerDue(_ kind: String, subject: String) throws -> Int64? {
        try turn.timers.due(kind, subject, db)
    }

    /// When to look again whether something that can't be brought back has ended, in milliseconds
    /// since 1970; nil when it has. While a leap of the clock isn't believed (see
    /// ``retentionTime``), something that began before it and has ended only by the clock goes on.
    ///
    /// - Parameters:
    ///   - end: when it ends, in milliseconds since 1970.
    ///   - begin: when it began.
    public func nextLook(until end: Int64, since begin: Int64) -> Int64? {
        let believed = believedTime(since: begin)
        guard end > believed else { return nil }
        // A leap may be believed at any time.
        return now + (believed < now ? min(end - believed, Self.doubtfulInterval) : end - believed)
    }

    /// The time by which something that began at `begin` ends: leaps before that don't count.
    func believedTime(since begin: Int64) -> Int64 { turn.believed.time(at: now, since: begin) }

    /// How often to look again while a leap isn't believed: every hour, in milliseconds.
    private static let doubtfulInterval: Int64 = 3_600_000

    /// Runs an action outside the store after the commit, e.g. deleting a file that nothing names
    /// any more. A crash may lose it, so it must be done again at the next start.
    public func afterCommit(_ action: @escaping () -> Void) { turn.afterCommit.append(action) }

    /// Erases what this transaction deletes or replaces: soon after the commit no file of the store
    /// contains it, including the write-ahead log. Earlier backups still do.
    public func erase() { turn.mustErase = true }

    /// The ids of the jobs that have not ended, as text.
    public func jobsUnderWay() throws -> [String] {
        try String.fetchAll(
            db, sql: "SELECT id FROM job WHERE state IN (?, ?)",
            arguments: [Job.State.queued.rawValue, Job.State.running.rawValue])
    }

    /// Makes a fresh id; later ids are greater.
    public func makeID() -> MessageID { turn.ids.next(at: now) }
}
