import Bus
import Foundation
import GRDB
import Messages

/// Everything that one message may do: read and write the store, publish, set timers, begin work.
/// All of it happens, or nothing.
public struct Transaction {
    /// The store.
    public let db: Database
    /// The time of this transaction: milliseconds since 1970. The only clock a handler knows.
    public let now: Int64
    /// Who asks.
    public let principal: Principal
    /// The id of the message: of the command, of the event, or fresh for a timer. A handler that
    /// makes an entity gives it this id.
    public let id: MessageID
    /// Where the service may keep files of its own beside the store.
    public var dataDirectory: String { turn.dataDirectory }
    /// The settings of single services, by the names of their variables.
    public var settings: [String: String] { turn.settings }
    /// True when others than the owner of the machine account may reach the bus: then what a
    /// subscriber receives is guarded by more than the directory of the sockets.
    public var isBusShared: Bool { turn.isBusShared }
    let correlation: MessageID
    let turn: Turn

    /// Appends an event to the outbox. It leaves the process after the commit.
    ///
    /// - Parameter subject: id of the entity that it is about.
    public func publish(_ event: some ProtobufMessage, subject: String) throws {
        try turn.publish(event, subject: subject, cause: self)
    }

    /// Sends a message on the service's alert endpoint after the commit. It is not kept: a
    /// subscriber that misses it asks for it.
    public func deliver(_ message: some ProtobufMessage, topic: String) throws {
        try turn.deliver(message, topic: topic, cause: self)
    }

    /// Sets a timer, or sets it anew. It fires at the first turn at or after `due`, also when the
    /// service was down then.
    ///
    /// - Parameters:
    ///   - kind: which of the service's timer handlers.
    ///   - subject: id of the entity that it is about; one timer of a kind for each.
    ///   - due: milliseconds since 1970.
    public func setTimer(_ kind: String, subject: String, due: Int64) throws {
        try turn.timers.set(kind, subject, due, db)
    }

    /// Takes a timer back; nothing happens when it is not set.
    public func cancelTimer(_ kind: String, subject: String) throws {
        try turn.timers.cancel(kind, subject, db)
    }

    /// Does something outside the store once the commit is done, e.g. deletes a file that nothing
    /// names any more. It may be lost by a crash, so it must be done again at the next start.
    public func afterCommit(_ action: @escaping () -> Void) { turn.afterCommit.append(action) }

    /// Erases what this transaction deletes or replaces: soon after the commit no file of the store
    /// has it any more, the write-ahead log included. A backup that was made before still has it.
    public func erase() { turn.mustErase = true }

    /// The ids of the jobs that have not ended, as text.
    public func jobsUnderWay() throws -> [String] {
        try String.fetchAll(
            db, sql: "SELECT id FROM job WHERE state IN (?, ?)",
            arguments: [Job.State.queued.rawValue, Job.State.running.rawValue])
    }

    /// A fresh id, in the order of time.
    public func makeID() -> MessageID { turn.ids.next(at: now) }
}
