import Foundation
import GRDB
import Messages

/// The steps in which the things of a service were edited: what was done, and what undoes it.
///
/// They are the rows of its table `step`, with the id of the thing, the step's number, the step as
/// a message (`step`) and its changes as a message (`changes`).
public struct StepRows: Sendable {
    /// The maximum number of steps of a thing that can be undone; older ones are deleted.
    public static let mostSteps = 1_000
    /// The maximum size of the changes of all steps of a thing, in bytes.
    public static let mostBytes = 64 << 20
    /// The size of a step, in bytes, from which the total is computed; smaller steps never reach
    /// the maximum.
    public static let largeStep = 48 << 10

    /// The column with the id of the thing, which says what it is.
    private let thing: String

    /// The steps of things of a kind, `plan` for one.
    ///
    /// - Parameter thing: the column with their ids, which is also what they are called.
    public init(of thing: StaticString) { self.thing = thing.description }

    /// Adds a step after the newest one that is not undone. Undone steps can't be redone after it
    /// and are deleted, as are the oldest if there are too many.
    ///
    /// - Parameters:
    ///   - number: the number of the step.
    ///   - step: what was done, packed.
    ///   - changes: its changes, packed.
    ///   - other: another column of the row, and its value.
    ///   - id: the id of the thing.
    ///   - db: the store.
    /// - Returns: the number of steps that can then be undone.
    public func add(
        _ number: UInt64, _ step: [UInt8], _ changes: [UInt8],
        beside other: (column: StaticString, value: String)? = nil, to id: String, _ db: Database
    ) throws -> UInt32 {
        let number = Int64(clamping: number)
        try db.cachedStatement(sql: "DELETE FROM step WHERE \(thing) = ? AND number >= ?")
            .execute(arguments: [id, number])
        let column = other.map { ", \($0.column)" } ?? ""
        try db.cachedStatement(
            sql: """
                INSERT INTO step (\(thing), number, step, changes\(column))
                VALUES (?, ?, ?, ?\(other == nil ? "" : ", ?"))
                """
        ).execute(
            arguments: [id, number, Data(step), Data(changes)]
                + StatementArguments(other.map { [$0.value] } ?? []))
        try forget(upTo: number - Int64(Self.mostSteps), of: id, db)
        if changes.count > Self.largeStep { try forgetLarge(of: id, db) }
        let oldest = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT min(number) FROM step WHERE \(thing) = ?"),
            arguments: [id])
        return UInt32(clamping: number + 1 - (oldest ?? number + 1))
    }

    /// The changes of a step.
    ///
    /// - Throws: a `Refusal` if the step is missing, which it never should be.
    public func changes<Changes: ProtobufMessage>(
        of number: UInt64, in id: String, as _: Changes.Type, _ db: Database
    ) throws -> Changes {
        let packed = try Data.fetchOne(
            db.cachedStatement(sql: "SELECT changes FROM step WHERE \(thing) = ? AND number = ?"),
            arguments: [id, Int64(clamping: number)])
        guard let packed else {
            throw Refusal(code: .internal, message: "step \(number) of the \(thing) is missing")
        }
        // Changes packed by this service itself may be larger than a message.
        let limits = UnpackLimits(
            maximumSize: packed.count, maximumMemory: max(16 << 20, 40 * packed.count),
            checksFields: false)
        return try Changes(unpacking: [UInt8](packed), limits: limits)
    }

    /// The steps before one, newest first.
    public func all<Step: ProtobufMessage>(
        of id: String, before number: UInt64, limit: Int, _ db: Database
    ) throws -> [Step] {
        try Data.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT step FROM step WHERE \(thing) = ? AND number < ?
                    ORDER BY number DESC LIMIT ?
                    """),
            arguments: [id, Int64(clamping: number), limit]
        ).map { try Step(stored: [UInt8]($0)) }
    }

    private func forget(upTo number: Int64, of id: String, _ db: Database) throws {
        guard number > 0 else { return }
        try db.cachedStatement(sql: "DELETE FROM step WHERE \(thing) = ? AND number <= ?")
            .execute(arguments: [id, number])
    }

    /// The newest step stays, however large it is.
    private func forgetLarge(of id: String, _ db: Database) throws {
        let last = try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT max(number) FROM (
                        SELECT number, sum(length(changes)) OVER (ORDER BY number DESC) AS bytes,
                            max(number) OVER () AS newest FROM step WHERE \(thing) = ?)
                    WHERE bytes > ? AND number < newest
                    """),
            arguments: [id, Self.mostBytes])
        if let last { try forget(upTo: last, of: id, db) }
    }
}
