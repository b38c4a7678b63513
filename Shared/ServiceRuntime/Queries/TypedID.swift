import GRDB
import Messages

/// An id as a person types it: in full, or as many of its first characters as identify it.
///
/// Ids are UUIDs in lower case; upper case is equivalent. A query finds at most two rows by
/// ``condition`` and ``arguments``, and ``only(_:)`` returns the one that was meant:
///
///     let typed = try TypedID(id, of: "shift")
///     return try typed.only(fetch(db, "WHERE \(TypedID.condition) LIMIT 2", typed.arguments))
public struct TypedID: Sendable {
    /// The minimum number of characters; fewer are a typo, or a search for everything.
    public static let shortest = 4
    /// The condition on a row's `id`.
    public static let condition = "id >= :firstID AND id < :endOfIDs"

    private let text: String
    private let noun: String

    /// Makes the id of an entity such as a “shift”; refusals use the noun.
    ///
    /// - Throws: a `Refusal` when it is too short to identify anything.
    public init(_ typed: String, of noun: String) throws(Refusal) {
        guard typed.utf8.count >= Self.shortest else {
            throw Refusal.invalid(
                "“\(typed)” is too short for an id; give its first four characters"
            ).because(.idShort, of: typed)
        }
        // No id is longer than 36 bytes, so nothing longer needs comparing.
        text = typed.prefix(bytes: 100).lowercased()
        self.noun = noun
    }

    /// The arguments of ``condition``.
    public var arguments: StatementArguments {
        ["firstID": text, "endOfIDs": text + "\u{10FFFF}"]
    }

    /// True when an id begins with the typed text.
    public func matches(_ id: String) -> Bool { id.hasPrefix(text) }

    /// The one row that was meant, of those found.
    ///
    /// - Throws: a `Refusal` when there is none, or more than one.
    public func only<Row>(_ found: [Row]) throws(Refusal) -> Row {
        guard let row = found.first else {
            throw Refusal.notFound("there is no \(noun) “\(text)”")
                .because(.idMissing, of: text, ["thing": noun])
        }
        guard found.count == 1 else {
            throw Refusal.conflict("several \(noun)s begin with “\(text)”; give more of the id")
                .because(.idAmbiguous, of: text, ["thing": noun])
        }
        return row
    }
}
