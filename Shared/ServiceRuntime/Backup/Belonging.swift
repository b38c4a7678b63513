import GRDB

/// What happens to a table when a store is restored for one organisation only.
///
/// A service names every table of its own, so that none is forgotten. Rows are deleted in the order
/// of the list: a table comes before those that its condition or its references name.
public struct Belonging: Sendable {
    enum Kept: Sendable {
        case all, none
        /// The rows for which a condition holds.
        case rows(String)
        /// The same; a backup without such a row doesn't have the organisation.
        case one(String)
    }

    let table: String
    let kept: Kept

    /// The rows of an organisation.
    public static let ofOrganisation = "organisation = :organisation"

    /// Keeps the rows that belong to the organisation.
    ///
    /// - Parameters:
    ///   - table: the table; one of full-text search is named by its `rowid`.
    ///   - condition: true of what stays, in SQL. `:organisation` is the organisation's id, which
    ///     has only letters, digits and hyphens.
    public static func rows(
        of table: String, where condition: String = ofOrganisation
    ) -> Belonging {
        Belonging(table: table, kept: .rows(condition))
    }

    /// Keeps the row that stands for the organisation itself. Without one, the backup is refused.
    public static func row(of table: String, where condition: String) -> Belonging {
        Belonging(table: table, kept: .one(condition))
    }

    /// Keeps a whole table, because it belongs to the installation.
    public static func all(of table: String) -> Belonging {
        Belonging(table: table, kept: .all)
    }

    /// Empties a table.
    public static func none(of table: String) -> Belonging {
        Belonging(table: table, kept: .none)
    }

    /// The tables of the runtime. `standingAlert` is not among them: its rows have no column of
    /// their organisation.
    static let ofRuntime = [
        all(of: "epoch"), all(of: "cursor"), all(of: "accessKey"), all(of: "accessRevocation"),
        none(of: "inbox"), none(of: "outbox"), none(of: "follower"), none(of: "deadLetter"),
        all(of: "deadLetterCount"), none(of: "job"), none(of: "suspect"), none(of: "mailAllowance"),
        none(of: "replyAllowance"), all(of: "timer"), all(of: "failingTimer"),
        all(of: "clockSeen"), all(of: "clockLeap"), all(of: "deletedReply"),
    ]
}
