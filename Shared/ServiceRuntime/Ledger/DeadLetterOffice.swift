import Bus
import Foundation
import GRDB
import Messages

/// Lists the events that could not be applied, applies them again, or drops them.
struct DeadLetterOffice {
    private let followings: [String: Following]
    private let suspects: Suspects

    init(_ followings: [Following], suspects: Suspects) {
        self.suspects = suspects
        self.followings = Dictionary(
            uniqueKeysWithValues: followings.map { ($0.producer.rawValue, $0) })
    }

    /// For the owner only: an event that can't be applied may be about anyone, in any organisation.
    var handlers: [MessageHandler] {
        [.query(list, .owner), .command(retry, .owner), .command(drop, .owner)]
    }

    private func list(_: ListDeadLetters, in transaction: Transaction) throws -> DeadLetters {
        let rows = try Row.fetchAll(
            transaction.db,
            // Without the envelopes, each of which may have 1 MiB.
            sql: """
                SELECT id, producer, sequence, type, reason, time, newer
                FROM deadLetter ORDER BY id LIMIT 200
                """)
        return DeadLetters(
            letters: rows.map {
                DeadLetters.Letter(
                    id: UInt64(clamping: $0["id"] as Int64), producer: $0["producer"],
                    sequence: UInt64(clamping: $0["sequence"] as Int64), type: $0["type"],
                    reason: $0["reason"], time: $0["time"],
                    newer: UInt64(clamping: $0["newer"] as Int64))
            })
    }

    private func retry(
        _ command: RetryDeadLetter, in transaction: Transaction
    ) throws -> DeadLetterRetried {
        let row = try letter(command.id, transaction.db)
        guard let envelope = DeadLetter.Kept(row).envelope else {
            throw Refusal.conflict("the event can't be read any more; drop it")
        }
        if row["producer"] == transaction.turn.service.rawValue {
            try transaction.setTimer(
                envelope.type, subject: envelope.subject, due: transaction.now)
            try remove(command.id, transaction)
            return DeadLetterRetried(id: command.id)
        }
        guard let following = followings[row["producer"]] else {
            throw Refusal.conflict("\(row["producer"] as String) is no longer followed")
        }
        let newer = row["newer"] as Int64
        guard newer == 0 || command.evenIfOlder else {
            throw Refusal.conflict(
                "event \(newer) about the same thing was applied since, and this one may undo what "
                    + "it did; drop it, or apply it anyway")
        }
        // If applying it ends the process, the sender repeats the command: so do not try again.
        let act = "letter \(transaction.id)"
        guard !suspects.hasFailed(in: act) else {
            throw Refusal.conflict("the process failed while it applied the event")
        }
        suspects.begin(act)
        defer { suspects.rest() }
        do { try following.handle(envelope, at: transaction.now) } catch {
            guard !Outage.isOutage(error) else { throw error }
            throw Refusal.conflict("the event still can't be applied: \(error)")
        }
        try remove(command.id, transaction)
        return DeadLetterRetried(id: command.id)
    }

    private func drop(
        _ command: DropDeadLetter, in transaction: Transaction
    ) throws -> DeadLetterDropped {
        _ = try letter(command.id, transaction.db)
        try remove(command.id, transaction)
        return DeadLetterDropped(id: command.id)
    }

    private func letter(_ id: UInt64, _ db: Database) throws -> Row {
        let row = try Row.fetchOne(
            db, sql: "SELECT * FROM deadLetter WHERE id = ?", arguments: [Int64(clamping: id)])
        guard let row else { throw Refusal.notFound("there is no dead letter \(id)") }
        return row
    }

    private func remove(_ id: UInt64, _ transaction: Transaction) throws {
        try transaction.db.execute(
            sql: "DELETE FROM deadLetter WHERE id = ?", arguments: [Int64(clamping: id)])
        try transaction.noteLettersGone()
    }
}
