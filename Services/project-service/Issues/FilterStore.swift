import Foundation
import GRDB
import Messages
import ServiceRuntime
import Texts

/// Filters for lists of issues, each kept under a name for a person or a project.
enum FilterStore {
    /// The owner of a filter.
    enum Owner {
        case account(String, organisation: String)
        /// The people who work for the project with an id.
        case project(String)

        fileprivate var table: String {
            switch self {
            case .account: "ownFilter"
            case .project: "sharedFilter"
            }
        }

        fileprivate var id: String {
            switch self {
            case .account(let id, _), .project(let id): id
            }
        }
    }

    static func save(_ filter: IssueFilter, of owner: Owner, _ db: Database) throws {
        let keys: StatementArguments = [owner.id, FoldedText.name(filter.name)]
        let values: StatementArguments = [Data(filter.packed())]
        switch owner {
        case .account(_, let organisation):
            try db.cachedStatement(
                sql: """
                    INSERT OR REPLACE INTO ownFilter (owner, name, filter, organisation)
                    VALUES (?, ?, ?, ?)
                    """
            ).execute(arguments: keys + values + [organisation])
        case .project:
            try db.cachedStatement(
                sql: "INSERT OR REPLACE INTO sharedFilter (owner, name, filter) VALUES (?, ?, ?)"
            ).execute(arguments: keys + values)
        }
    }

    static func delete(_ name: String, of owner: Owner, _ db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM \(owner.table) WHERE owner = ? AND name = ?")
            .execute(arguments: [owner.id, FoldedText.name(name)])
    }

    static func named(_ name: String, of owner: Owner, _ db: Database) throws -> IssueFilter? {
        try fetch(owner.table, "owner = ? AND name = ?", [owner.id, FoldedText.name(name)], db)
            .first
    }

    /// All filters of an owner, by name.
    static func all(of owner: Owner, _ db: Database) throws -> [IssueFilter] {
        try fetch(owner.table, "owner = ? ORDER BY name", [owner.id], db)
    }

    /// The shared filters of all projects of an organisation, or those with a name.
    static func shared(
        named name: String? = nil, of scope: OrganisationScope, limit: Int, _ db: Database
    ) throws -> [IssueFilter] {
        try fetch(
            "sharedFilter",
            """
            owner IN (SELECT id FROM project WHERE \(OrganisationScope.condition))
                AND name = coalesce(:name, name) ORDER BY name, owner LIMIT :limit
            """, ["name": name.map(FoldedText.name), "limit": limit] + scope.arguments, db)
    }

    private static func fetch(
        _ table: String, _ condition: String, _ arguments: StatementArguments, _ db: Database
    ) throws -> [IssueFilter] {
        try Data.fetchAll(
            db.cachedStatement(sql: "SELECT filter FROM \(table) WHERE \(condition)"),
            arguments: arguments
        ).map { try IssueFilter(stored: [UInt8]($0)) }
    }
}

/// When somebody last looked at their issues.
struct LookRow {
    let account: String
    /// The number of the newest entry of any journal at that time.
    let entry: Int64
    /// Milliseconds since 1970.
    let time: Int64

    func save(_ db: Database) throws {
        try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO looked (account, entry, time) VALUES (?, ?, ?)"
        ).execute(arguments: [account, entry, time])
    }

    static func of(_ account: String, _ db: Database) throws -> LookRow? {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT entry, time FROM looked WHERE account = ?"),
            arguments: [account]
        ).map { LookRow(account: account, entry: $0[0], time: $0[1]) }
    }
}

extension ProjectStore {
    static let filters = """
        CREATE TABLE ownFilter (
            owner TEXT NOT NULL, name TEXT NOT NULL, filter BLOB NOT NULL,
            PRIMARY KEY (owner, name)
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE sharedFilter (
            owner TEXT NOT NULL REFERENCES project ON DELETE CASCADE, name TEXT NOT NULL,
            filter BLOB NOT NULL, PRIMARY KEY (owner, name)
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE looked (
            account TEXT NOT NULL PRIMARY KEY, entry INTEGER NOT NULL, time INTEGER NOT NULL
        ) WITHOUT ROWID, STRICT;
        """
}
