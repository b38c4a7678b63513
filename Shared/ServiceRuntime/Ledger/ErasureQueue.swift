import Foundation
import GRDB
import Messages

/// The erasures that are not complete, at most two for each person: the one under way, and one of
/// all that was requested meanwhile.
///
/// A service that uses them has ``timer(reading:)`` among its timers, and a table `erasure` with
/// the columns `id` and `erasure`, both texts and the first its key. An erasure has two rows there:
/// how far it has come, and the ids that it erases, which are written only once.
extension Erasure {
    private static let kind = "erase"
    /// How long an erasure rests between two stretches, so that others have their turns: 50 ms.
    private static let pause: Int64 = 50

    /// Begins this erasure. While one for the same person is under way, all erasures requested
    /// meanwhile wait for its end as one.
    ///
    /// - Parameters:
    ///   - id: the person whose traces are erased, as the service knows them.
    ///   - transaction: the transaction that deletes the entities.
    public func begin(_ id: String, in transaction: Transaction) throws {
        let db = transaction.db
        if try Self.kept(id, db) == nil {
            try save(id, db)
            try saveSubjects(id, db)
            try transaction.setTimer(Self.kind, subject: id, due: transaction.now)
        } else {
            let next = Self.next(after: id)
            var all = self
            all.subjects.formUnion(try Self.kept(next, db)?.subjects ?? [])
            try all.save(next, db)
            try all.saveSubjects(next, db)
        }
        transaction.erase()
    }

    /// The timer that carries erasures out, a stretch at a time.
    ///
    /// - Parameter types: see ``advance(_:reading:)``.
    public static func timer(reading types: [any ProtobufMessage.Type] = []) -> TimerHandler {
        TimerHandler(kind) { id, _, transaction in
            guard var erasure = try kept(id, transaction.db) else { return }
            if try erasure.advance(transaction, reading: types) {
                try erasure.save(id, transaction.db)
            } else {
                guard try replaceByNext(id, transaction.db) else { return }
            }
            try transaction.setTimerInTurn(kind, subject: id, pause: pause)
        }
    }

    private static func kept(_ id: String, _ db: Database) throws -> Erasure? {
        guard var erasure = try read(Erasure.self, from: id, db) else { return nil }
        if let subjects = try read(Set<String>.self, from: subjects(of: id), db) {
            erasure.subjects = subjects
        } else {
            // An earlier version has begun it.
            try erasure.saveSubjects(id, db)
        }
        return erasure
    }

    private func save(_ id: String, _ db: Database) throws { try Self.write(self, to: id, db) }

    private func saveSubjects(_ id: String, _ db: Database) throws {
        try Self.write(subjects, to: Self.subjects(of: id), db)
    }

    private static func read<Kept: Decodable>(
        _: Kept.Type, from id: String, _ db: Database
    ) throws -> Kept? {
        try String.fetchOne(db, sql: "SELECT erasure FROM erasure WHERE id = ?", arguments: [id])
            .map { try JSONDecoder().decode(Kept.self, from: Data($0.utf8)) }
    }

    private static func write(_ kept: some Encodable, to id: String, _ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO erasure (id, erasure) VALUES (?, ?)",
            arguments: [id, String(decoding: try JSONEncoder().encode(kept), as: UTF8.self)])
    }

    /// Where the ids that an erasure erases are kept.
    private static func subjects(of id: String) -> String { id + " subjects" }

    /// The id of the erasure that waits for the end of another.
    private static func next(after id: String) -> String { id + " next" }

    /// Deletes an erasure, and puts the one that waits for its end in its place.
    ///
    /// - Returns: false if none waits.
    private static func replaceByNext(_ id: String, _ db: Database) throws -> Bool {
        let next = next(after: id)
        for (row, following) in [(subjects(of: id), subjects(of: next)), (id, next)] {
            try db.execute(sql: "DELETE FROM erasure WHERE id = ?", arguments: [row])
            try db.execute(
                sql: "UPDATE erasure SET id = ? WHERE id = ?", arguments: [row, following])
        }
        return db.changesCount > 0
    }
}
