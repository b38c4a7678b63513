import GRDB

/// The deletion of things that may have very many rows, such as a project with a gigabyte of
/// history. It is done in stretches, one for each turn, because deleting all at once takes seconds.
///
/// Meanwhile the thing belongs to no organisation, and ``visible`` is false of its row.
public struct LongDeletion: Sendable {
    /// A table with rows that belong to things, which it names in a column named after them.
    public struct Part: Sendable {
        let table: String
        let key: String
        let contents: String

        /// Makes a part.
        ///
        /// - Parameters:
        ///   - table: the table.
        ///   - key: the columns that tell the rows of a thing apart, as an index has them.
        ///   - contents: the column that takes up most of the space.
        public init(_ table: StaticString, by key: StaticString, contents: StaticString) {
            self.table = table.description
            (self.key, self.contents) = (key.description, contents.description)
        }
    }

    /// The maximum number of rows that are deleted in a stretch, and of bytes; one row may be
    /// larger.
    static let mostRows = 1_000
    static let mostBytes = TurnLimits.bytes / 2
    private static let kind = "delete"
    /// How long a deletion rests between two stretches, so that others have their turns: 50 ms.
    private static let pause: Int64 = 50

    /// The organisation of a thing that is being deleted. No organisation has this id.
    private static let none = "*"
    /// The condition on a row's `organisation` that its thing is not being deleted.
    public static let visible = "organisation <> '\(none)'"

    private let thing: String
    private let name: String
    private let parts: [Part]

    /// The deletion of things of a kind, `project` for one. The table of that name has the columns
    /// `id` and `organisation`, and the sizes of things are counted: see ``PartSizes``.
    ///
    /// - Parameters:
    ///   - thing: their table. When a row of it goes, all that belongs to it goes, too.
    ///   - name: a column of it that is unique in an organisation.
    ///   - parts: the tables that may have many of a thing's rows.
    public init(of thing: StaticString, named name: StaticString, _ parts: [Part]) {
        (self.thing, self.name, self.parts) = (thing.description, name.description, parts)
    }

    /// Deletes a thing, or the first part of it if it is large.
    ///
    /// - Parameters:
    ///   - id: the thing.
    ///   - transaction: the transaction.
    ///   - hide: deletes what must not be found any more while the rest is being deleted.
    public func begin(
        _ id: String, in transaction: Transaction, hide: (Database) throws -> Void
    ) throws {
        let db = transaction.db
        guard try advance(id, db) else { return }
        try db.execute(
            sql: """
                DELETE FROM \(thing)Size
                WHERE organisation = (SELECT organisation FROM \(thing) WHERE id = ?1)
                    AND \(thing) = ?1
                """, arguments: [id])
        try db.execute(
            sql: "UPDATE \(thing) SET organisation = ?, \(name) = id WHERE id = ?",
            arguments: [Self.none, id])
        try hide(db)
        try transaction.setTimerInTurn(Self.kind, subject: id, pause: Self.pause)
    }

    /// The timer that carries deletions out, a stretch at a time.
    public var timer: TimerHandler {
        TimerHandler(Self.kind) { id, _, transaction in
            guard try advance(id, transaction.db) else { return }
            try transaction.setTimerInTurn(Self.kind, subject: id, pause: Self.pause)
        }
    }

    /// Deletes the next rows of a thing, and at last the thing itself.
    ///
    /// - Returns: true when more is left.
    func advance(_ id: String, _ db: Database) throws -> Bool {
        var (rowsLeft, bytesLeft) = (Self.mostRows, Self.mostBytes)
        for part in parts {
            guard
                let last = try lastKey(of: part, id, rows: &rowsLeft, bytes: &bytesLeft, db)
            else { continue }
            let marks = last.map { _ in "?" }.joined(separator: ", ")
            try db.cachedStatement(
                sql: """
                    DELETE FROM \(part.table) WHERE \(thing) = ? AND (\(part.key)) <= (\(marks))
                    """
            ).execute(arguments: StatementArguments([id.databaseValue] + last))
            guard rowsLeft > 0, bytesLeft > 0 else { return true }
        }
        try db.execute(sql: "DELETE FROM \(thing) WHERE id = ?", arguments: [id])
        return false
    }

    /// The key of the last row of a part that is deleted in this stretch; nil if it has none.
    private func lastKey(
        of part: Part, _ id: String, rows: inout Int, bytes: inout Int, _ db: Database
    ) throws -> [DatabaseValue]? {
        let cursor = try Row.fetchCursor(
            db,
            sql: """
                SELECT length(\(part.contents)), \(part.key) FROM \(part.table)
                WHERE \(thing) = ? ORDER BY \(part.key) LIMIT ?
                """, arguments: [id, rows])
        var last: [DatabaseValue]?
        while rows > 0, bytes > 0, let row = try cursor.next() {
            rows -= 1
            bytes -= row[0] as Int
            last = Array(row.databaseValues.dropFirst())
        }
        return last
    }
}
