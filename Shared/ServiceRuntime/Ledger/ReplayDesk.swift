import Bus
import GRDB
import Messages

/// Answers followers that missed events: with the events, or with the present state when those are
/// no longer there.
final class ReplayDesk {
    /// A snapshot that is being fetched: all its parts tell the state of one moment.
    private struct Snapshot {
        let sequence: UInt64
        let parts: [[[UInt8]]]
    }

    private let ledger: Ledger
    private let tell: (Transaction) throws -> [(any ProtobufMessage, subject: String)]
    private var kept: Snapshot?

    init(
        ledger: Ledger,
        tell: @escaping (Transaction) throws -> [(any ProtobufMessage, subject: String)]
    ) {
        self.ledger = ledger
        self.tell = tell
    }

    /// A page holds at most this much, far below the size of a message.
    static let pageEvents = 500
    static let pageBytes = 256 << 10

    var queries: [QueryHandler] { [QueryHandler(replay)] }

    private func replay(_ query: Replay, in transaction: Transaction) throws -> ReplayPage {
        if !query.follower.isEmpty, query.epoch == ledger.epoch {
            guard ServiceName(rawValue: query.follower) != nil else {
                throw Refusal.invalid("“\(query.follower)” is not a service")
            }
            // What a follower has passed may be forgotten, so no one reports for another.
            guard transaction.principal.peer.map({ $0.name == query.follower }) ?? true else {
                throw Refusal.forbidden("this is not the key of \(query.follower)")
            }
            try transaction.db.execute(
                sql: """
                    INSERT INTO follower (name, sequence, reported) VALUES (?, ?, ?)
                    ON CONFLICT DO UPDATE SET sequence = excluded.sequence,
                        reported = excluded.reported
                    """,
                arguments: [query.follower, Int64(clamping: query.after), transaction.now])
        }
        guard query.limit > 0 else { return ReplayPage(epoch: ledger.epoch, head: ledger.head) }
        guard try canContinue(query, transaction.db) else {
            return try snapshot(query, transaction)
        }
        return ReplayPage(
            epoch: ledger.epoch, head: ledger.head,
            events: try ledger.events(
                after: query.after, limit: min(Int(query.limit), Self.pageEvents),
                bytes: Self.pageBytes))
    }

    /// True when the events that follow on the position are all here and belong to its history.
    private func canContinue(_ query: Replay, _ db: Database) throws -> Bool {
        guard query.after <= ledger.head else { return false }
        let oldest = try Int64.fetchOne(db, sql: "SELECT min(sequence) FROM outbox")
        let first = oldest.map { UInt64(clamping: $0) } ?? ledger.head + 1
        guard query.after + 1 >= first else { return false }
        if query.epoch == ledger.epoch || query.epoch == 0 { return true }
        // An older history is the same as this one up to where the next history began.
        let branch = try Int64.fetchOne(
            db, sql: "SELECT start FROM epoch WHERE epoch > ? ORDER BY epoch LIMIT 1",
            arguments: [Int64(clamping: query.epoch)])
        let known = try Bool.fetchOne(
            db, sql: "SELECT count(*) > 0 FROM epoch WHERE epoch = ?",
            arguments: [Int64(clamping: query.epoch)])
        guard let branch, known == true else { return false }
        return query.after <= UInt64(clamping: branch)
    }

    /// The part that is asked for, or the first part of a fresh snapshot. The last one that goes
    /// out lets go of it.
    private func snapshot(_ query: Replay, _ transaction: Transaction) throws -> ReplayPage {
        let snapshot: Snapshot
        let part: Int
        if let kept, kept.sequence == query.snapshotSequence, query.part < kept.parts.count {
            (snapshot, part) = (kept, Int(query.part))
        } else {
            let events = try tell(transaction).map { event, subject in
                pack(event, subject: subject, transaction)
            }
            (snapshot, part) = (Snapshot(sequence: ledger.head, parts: Self.parts(events)), 0)
        }
        kept = part + 1 < snapshot.parts.count ? snapshot : nil
        return ReplayPage(
            epoch: ledger.epoch, head: ledger.head, events: snapshot.parts[part], snapshot: true,
            snapshotSequence: snapshot.sequence, part: UInt32(part),
            parts: UInt32(snapshot.parts.count))
    }

    /// The events in runs of at most a page; one part at least, which may be empty.
    private static func parts(_ events: [[UInt8]]) -> [[[UInt8]]] {
        var parts: [[[UInt8]]] = [[]]
        var size = 0
        for event in events {
            if size + event.count > pageBytes, size > 0 {
                parts.append([])
                size = 0
            }
            parts[parts.count - 1].append(event)
            size += event.count
        }
        return parts
    }

    private func pack<M: ProtobufMessage>(
        _ event: M, subject: String, _ transaction: Transaction
    ) -> [UInt8] {
        Envelope(
            id: transaction.makeID().bytes, type: M.protobufName,
            source: transaction.turn.service.rawValue, subject: subject, time: transaction.now,
            sequence: ledger.head, epoch: ledger.epoch,
            correlationId: transaction.correlation.bytes, causationId: transaction.id.bytes,
            data: event.packed()
        ).packed()
    }
}
