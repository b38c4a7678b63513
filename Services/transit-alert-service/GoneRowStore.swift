import GRDB
import ServiceRuntime

/// Rows that were given up: nobody finds them any more, and they are deleted in stretches, because
/// there may be very many. A table names the things to which they belong.
struct GoneRows: Sendable {
    /// The maximum number of rows that are deleted in a stretch, and of bytes; one row may be
    /// larger.
    static let mostRows = 2_000
    static let mostBytes = 2 << 20
    /// How long the deletion rests between two stretches, so that others have their turns: 50 ms.
    private static let pause: Int64 = 50

    private let table: String
    private let thing: String
    private let key: String
    private let contents: String
    private let gone: String
    private let kind: String
    private let arePrivate: Bool

    /// - Parameters:
    ///   - table: the table with the rows.
    ///   - thing: its columns that say to which thing a row belongs.
    ///   - key: the columns that tell the rows of a thing apart, as an index has them.
    ///   - contents: the column that takes up most of the space.
    ///   - gone: the table of the things whose rows are given up, which has the columns `thing`.
    ///   - kind: the kind of the timer that deletes them.
    ///   - arePrivate: whether nothing of them may be left in the files of the store.
    init(
        of table: StaticString, by thing: StaticString, key: StaticString, contents: StaticString,
        goneIn gone: StaticString, timer kind: String, arePrivate: Bool = false
    ) {
        (self.table, self.thing, self.key) = (table.description, thing.description, key.description)
        (self.contents, self.gone) = (contents.description, gone.description)
        (self.kind, self.arePrivate) = (kind, arePrivate)
    }

    /// The timer that deletes what was given up.
    var timer: TimerHandler {
        TimerHandler(kind) { _, _, transaction in try sweep(in: transaction) }
    }

    /// Deletes the next of the rows that were given up, and sets the timer if there are more.
    func sweep(in transaction: Transaction) throws {
        let before = transaction.db.totalChangesCount
        let isMore = try sweep(transaction.db)
        // This holds for the last stretch, too.
        if arePrivate, transaction.db.totalChangesCount > before { transaction.erase() }
        guard isMore else { return }
        try transaction.setTimer(kind, subject: "", due: transaction.now + Self.pause)
    }

    /// Deletes the next of the rows that were given up.
    ///
    /// - Returns: true when more are left.
    func sweep(_ db: Database) throws -> Bool {
        var (rowsLeft, bytesLeft) = (Self.mostRows, Self.mostBytes)
        while let row = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT \(thing) FROM \(gone) LIMIT 1"))
        {
            let owner = Array(row.databaseValues)
            let isOwner = "(\(thing)) = (\(Self.marks(owner)))"
            if let last = try lastKey(
                where: isOwner, owner, rows: &rowsLeft, bytes: &bytesLeft, db)
            {
                try db.cachedStatement(
                    sql: """
                        DELETE FROM \(table)
                        WHERE \(isOwner) AND (\(key)) <= (\(Self.marks(last)))
                        """
                ).execute(arguments: StatementArguments(owner + last))
            }
            guard rowsLeft > 0, bytesLeft > 0 else { return true }
            // A thing without rows costs something, too.
            rowsLeft -= 1
            try db.cachedStatement(sql: "DELETE FROM \(gone) WHERE \(isOwner)")
                .execute(arguments: StatementArguments(owner))
        }
        return false
    }

    /// The key of the last row of a thing that is deleted in this stretch; nil if it has none.
    private func lastKey(
        where isOwner: String, _ owner: [DatabaseValue], rows rowsLeft: inout Int,
        bytes bytesLeft: inout Int, _ db: Database
    ) throws -> [DatabaseValue]? {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT length(\(contents)), \(key) FROM \(table)
                WHERE \(isOwner) ORDER BY \(key) LIMIT ?
                """, arguments: StatementArguments(owner + [rowsLeft.databaseValue]))
        var last: [DatabaseValue]?
        while rowsLeft > 0, bytesLeft > 0, let row = try rows.next() {
            rowsLeft -= 1
            bytesLeft -= row[0] as Int
            last = Array(row.databaseValues.dropFirst())
        }
        return last
    }

    private static func marks(_ values: [DatabaseValue]) -> String {
        values.map { _ in "?" }.joined(separator: ", ")
    }
}
