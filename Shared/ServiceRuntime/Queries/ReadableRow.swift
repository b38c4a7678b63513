import Foundation
import GRDB
import Messages

extension ProtobufMessage {
    /// The message in a row; nil if it can't be read.
    public static func readable(_ bytes: Data) -> Self? {
        do { return try Self(stored: [UInt8](bytes)) } catch { return nil }
    }

    /// Calls `body` with each message that a query returns, for a snapshot, one at a time. One that
    /// can't be read is left out, and the snapshot names it.
    ///
    /// - Parameters:
    ///   - kind: what the messages are, for people.
    ///   - sql: the query; its first column is the message, and its second the subject of the
    ///     events about it.
    ///   - arguments: those of the query.
    ///   - transaction: the transaction in which the snapshot is made.
    ///   - body: gets the message and its row.
    public static func eachRow(
        _ kind: String, _ sql: String, _ arguments: StatementArguments = [],
        in transaction: Transaction, _ body: (Self, Row) throws -> Void
    ) throws {
        let rows = try Row.fetchCursor(transaction.db, sql: sql, arguments: arguments)
        while let row = try rows.next() {
            let message = try transaction.readable(kind, of: row[1]) {
                try Self(stored: [UInt8](row[0] as Data))
            }
            if let message { try body(message, row) }
        }
    }
}
