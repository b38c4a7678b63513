import Foundation
import GRDB
import Messages
import ServiceRuntime

/// The to-dos of the sites while no shift is open there: those that the last one left open, and
/// those that were added or completed since.
enum StandingTodo {
    /// The tables.
    static let schema = """
        CREATE TABLE standingTodo (
            site TEXT NOT NULL, position INTEGER NOT NULL, id TEXT NOT NULL,
            isOpen INTEGER NOT NULL CHECK (isOpen IN (0, 1)),
            isArchived INTEGER NOT NULL CHECK (isArchived IN (0, 1)), todo BLOB NOT NULL,
            PRIMARY KEY (site, position), UNIQUE (site, id)
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE numberBlock (
            site TEXT NOT NULL, device TEXT NOT NULL, block INTEGER NOT NULL,
            used INTEGER NOT NULL, PRIMARY KEY (site, device), UNIQUE (site, block)
        ) WITHOUT ROWID, STRICT;
        """

    /// The to-dos of a site, in the order in which they were kept.
    static func all(at site: String, _ db: Database) throws -> [CarriedTodo] {
        let statement = try db.cachedStatement(
            sql: "SELECT todo FROM standingTodo WHERE site = ? ORDER BY position")
        return try Data.fetchAll(statement, arguments: [site])
            .map { try CarriedTodo(stored: [UInt8]($0)) }
    }

    /// The to-do with an id; nil when the site keeps none.
    static func ofID(_ id: String, at site: String, _ db: Database) throws -> CarriedTodo? {
        try Data.fetchOne(
            db.cachedStatement(sql: "SELECT todo FROM standingTodo WHERE site = ? AND id = ?"),
            arguments: [site, id]
        ).map { try CarriedTodo(stored: [UInt8]($0)) }
    }

    /// Calls `body` with the to-dos of all sites, each with its site, for a snapshot.
    static func each(
        in transaction: Transaction, _ body: (_ site: String, _ todo: CarriedTodo) throws -> Void
    ) throws {
        try CarriedTodo.eachRow(
            "to-do", "SELECT todo, id, site FROM standingTodo ORDER BY site, position",
            in: transaction
        ) { todo, row in try body(row[2], todo) }
    }

    /// The number of to-dos that a site keeps.
    static func count(at site: String, _ db: Database) throws -> Int {
        try Int.fetchOne(
            db, sql: "SELECT count(*) FROM standingTodo WHERE site = ?", arguments: [site]) ?? 0
    }

    /// Keeps a to-do after the others, or replaces the one with its id.
    ///
    /// - Parameters:
    ///   - todo: the to-do.
    ///   - site: the id of the site.
    ///   - isArchived: true if the log of a shift has the change; otherwise it has to get into the
    ///     log of the next one.
    ///   - db: the store.
    static func keep(
        _ todo: CarriedTodo, at site: String, isArchived: Bool, _ db: Database
    ) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO standingTodo (site, position, id, isOpen, isArchived, todo) VALUES (
                    ?1, (SELECT coalesce(max(position), 0) + 1 FROM standingTodo WHERE site = ?1),
                    ?2, ?3, ?4, ?5
                ) ON CONFLICT (site, id) DO UPDATE SET isOpen = excluded.isOpen,
                    isArchived = min(isArchived, excluded.isArchived), todo = excluded.todo
                """)
        try statement.execute(
            arguments: [site, todo.id, todo.mark == .open, isArchived, Data(todo.packed())])
    }

    /// Deletes the completed to-dos of a site that are entirely in the logs of its shifts.
    static func forgetArchived(at site: String, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM standingTodo WHERE site = ? AND isOpen = 0 AND isArchived = 1",
            arguments: [site])
    }

    /// Deletes a to-do that a shift has taken over.
    static func forget(_ id: String, at site: String, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM standingTodo WHERE site = ? AND id = ?", arguments: [site, id])
    }
}

/// The blocks from which the devices of a site take the numbers of their to-dos; each device keeps
/// its own. The service has one too.
enum NumberBlock {
    /// The name under which the service has its block; devices have names of at least a byte.
    private static let service = ""
    /// The numbers of a block.
    private static let size: Int64 = 999
    /// The distance from a block to the one that continues it.
    private static let step: Int64 = 10_000_000
    /// The number of the last block. Devices get only those before it, so that the service has one
    /// even if it needs it late.
    static let last: Int64 = 9_999
    /// The maximum number of blocks of an account at a site: one account can't use up those of
    /// everyone. To-dos that are added on its other devices are numbered as they come in.
    static let mostOfAccount = 500

    /// The block of a device; 0 when all blocks are given away, or the account has enough.
    ///
    /// - Parameters:
    ///   - device: the device.
    ///   - site: the id of the site.
    ///   - account: whose the device is if it gets a block now.
    ///   - db: the store.
    static func of(
        _ device: String, at site: String, by account: String = "", _ db: Database
    ) throws -> UInt32 {
        let statement = try db.cachedStatement(
            sql: "SELECT block FROM numberBlock WHERE site = ? AND device = ?")
        if let block = try Int64.fetchOne(statement, arguments: [site, device]) {
            return UInt32(clamping: block)
        }
        let highest =
            try Int64.fetchOne(
                db, sql: "SELECT max(block) FROM numberBlock WHERE site = ?", arguments: [site])
            ?? 0
        let isFree =
            try device == service
            ? highest < last : mayGive(highest + 1, to: account, at: site, db)
        guard isFree else { return 0 }
        try db.execute(
            sql: """
                INSERT INTO numberBlock (site, device, block, used, account)
                VALUES (?, ?, ?, 0, ?)
                """,
            arguments: [site, device, highest + 1, account])
        return UInt32(clamping: highest + 1)
    }

    /// True if a device of an account may get a new block. The owner of the machine has no limit:
    /// everyone on the machine may act as that account.
    private static func mayGive(
        _ block: Int64, to account: String, at site: String, _ db: Database
    ) throws -> Bool {
        guard block < last else { return false }
        guard account != Principal.machineOwner.account else { return true }
        let given = try Int.fetchOne(
            db.cachedStatement(
                sql: "SELECT count(*) FROM numberBlock WHERE site = ? AND account = ?"),
            arguments: [site, account])
        return (given ?? 0) < mostOfAccount
    }

    /// A number of the service's own block that was never given before; 0 when it has none.
    static func next(at site: String, _ db: Database) throws -> UInt32 {
        let block = Int64(try of(service, at: site, db))
        guard block > 0 else { return 0 }
        let used =
            try Int64.fetchOne(
                db,
                sql: """
                    UPDATE numberBlock SET used = used + 1 WHERE site = ? AND device = ?
                    RETURNING used
                    """, arguments: [site, service]) ?? 1
        // After a hundred continuations there are none; no site has made 99,000 such to-dos.
        guard used <= size * 99 else { return 0 }
        return UInt32(clamping: block * 1_000 + (used - 1) / size * step + (used - 1) % size + 1)
    }
}
