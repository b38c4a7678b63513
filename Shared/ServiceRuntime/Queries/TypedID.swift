import GRDB
import Messages

/// An id as a person types it: all of it, or as many of its first characters as tell it apart.
///
/// Ids are UUIDs in lower case; upper case means the same. A query finds the rows by ``condition``
/// and ``arguments``, two at most, and ``only(_:)`` takes the one that was meant:
///
///     let typed = try TypedID(id, of: "shift")
///     return try typed.only(fetch(db, "WHERE \(TypedID.condition) LIMIT 2", typed.arguments))
public struct TypedID: Sendable {
    /// With fewer characters it is a slip, or a search for everything.
    public static let shortest = 4
    /// What of a row's `id` makes it one that may be meant.
    public static let condition = "id >= :firstID AND id < :endOfIDs"

    private let text: String
    private let noun: String

    /// An id of a thing such as a “shift”, which the refusals name.
    ///
    /// - Throws: a `Refusal` when it is too short to mean one thing.
    public init(_ typed: String, of noun: String) throws(Refusal) {
        guard typed.utf8.count >= Self.shortest else {
            throw .invalid("“\(typed)” is too short for an id; give its first four characters")
        }
        // No id is longer than 36 bytes, so that what is compared is short.
        text = typed.prefix(bytes: 100).lowercased()
        self.noun = noun
    }

    /// The values that ``condition`` asks for.
    public var arguments: StatementArguments {
        ["firstID": text, "endOfIDs": text + "\u{10FFFF}"]
    }

    /// True for an id that may be meant.
    public func matches(_ id: String) -> Bool { id.hasPrefix(text) }

    /// The one that was meant, of those found.
    ///
    /// - Throws: a `Refusal` when there is none, or more than one.
    public func only<Row>(_ found: [Row]) throws(Refusal) -> Row {
        guard let row = found.first else { throw .notFound("there is no \(noun) “\(text)”") }
        guard found.count == 1 else {
            throw .conflict("several \(noun)s begin with “\(text)”; give more of the id")
        }
        return row
    }
}
