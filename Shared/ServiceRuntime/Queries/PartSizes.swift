import GRDB

/// How much of a kind of thing, such as plans, each organisation keeps: the number of things, and
/// the size of the rows that belong to them.
///
/// They are the rows of a table named after the thing, such as `planSize`. Triggers keep them, so
/// that a limit is checked without looking at what it limits. A row that belongs to a thing must
/// not be written with `INSERT OR REPLACE`, which runs no trigger for the row that it replaces.
public struct PartSizes: Sendable {
    /// What a row takes besides its contents, in bytes.
    public static let overhead = 100

    /// What an organisation keeps.
    public struct Total: Hashable, Sendable {
        /// The number of things.
        public let count: Int
        /// The size of what belongs to them in bytes.
        public let bytes: Int

        /// Makes a total.
        public init(count: Int, bytes: Int) { (self.count, self.bytes) = (count, bytes) }
    }

    /// The table of the things, which is also the column with their ids elsewhere.
    private let thing: String

    /// The sizes of things of a kind, `plan` for one.
    ///
    /// - Parameter thing: their table. It has the columns `id` and `organisation`.
    public init(of thing: StaticString) { self.thing = thing.description }

    /// Makes the table and its triggers, and adds up what is there.
    ///
    /// - Parameters:
    ///   - parts: the tables with rows that belong to things, and their columns of variable size.
    ///     Each table has the id of the thing in a column named after it.
    ///   - db: the store.
    public func makeTable(for parts: KeyValuePairs<String, [String]>, _ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE \(thing)Size (
                    organisation TEXT NOT NULL, \(thing) TEXT NOT NULL, bytes INTEGER NOT NULL,
                    PRIMARY KEY (organisation, \(thing))
                ) WITHOUT ROWID, STRICT;
                INSERT INTO \(thing)Size (organisation, \(thing), bytes)
                    SELECT organisation, id, 0 FROM \(thing);
                CREATE TRIGGER \(thing)Kept AFTER INSERT ON \(thing) BEGIN
                    INSERT INTO \(thing)Size (organisation, \(thing), bytes)
                        VALUES (NEW.organisation, NEW.id, 0);
                END;
                CREATE TRIGGER \(thing)Gone AFTER DELETE ON \(thing) BEGIN
                    DELETE FROM \(thing)Size
                        WHERE organisation = OLD.organisation AND \(thing) = OLD.id;
                END;
                """)
        for (part, columns) in parts { try count(part, columns, db) }
    }

    private func count(_ part: String, _ columns: [String], _ db: Database) throws {
        func isOf(_ row: String) -> String {
            """
            organisation = (SELECT organisation FROM \(thing) WHERE id = \(row).\(thing))
                AND \(thing) = \(row).\(thing)
            """
        }
        let (old, new) = (size(of: columns, in: "OLD"), size(of: columns, in: "NEW"))
        let changed = columns.joined(separator: ", ")
        try db.execute(
            sql: """
                UPDATE \(thing)Size SET bytes = bytes + (
                    SELECT ifnull(sum(\(size(of: columns, in: part))), 0) FROM \(part)
                    WHERE \(part).\(thing) = \(thing)Size.\(thing));
                CREATE TRIGGER \(part)OfKept AFTER INSERT ON \(part) BEGIN
                    UPDATE \(thing)Size SET bytes = bytes + \(new) WHERE \(isOf("NEW"));
                END;
                CREATE TRIGGER \(part)OfChanged AFTER UPDATE OF \(changed) ON \(part)
                WHEN \(new) <> \(old) BEGIN
                    UPDATE \(thing)Size SET bytes = bytes + \(new) - (\(old)) WHERE \(isOf("NEW"));
                END;
                CREATE TRIGGER \(part)OfGone AFTER DELETE ON \(part) BEGIN
                    UPDATE \(thing)Size SET bytes = bytes - (\(old)) WHERE \(isOf("OLD"));
                END;
                """)
    }

    /// What an organisation keeps.
    public func total(of organisation: String, _ db: Database) throws -> Total {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT count(*), ifnull(sum(bytes), 0) FROM \(thing)Size WHERE organisation = ?
                    """), arguments: [organisation])
        return Total(count: row?[0] as Int? ?? 0, bytes: row?[1] as Int? ?? 0)
    }
}

/// How many rows of some tables each owner has, and how large they are: see ``PartSizes``.
public struct RowSizes: Sendable {
    private let table: String
    /// The column with the owner, in this table and in those whose rows are counted.
    private let owner: String

    /// The sizes in a table, by owner.
    ///
    /// - Parameters:
    ///   - table: the table with the sizes.
    ///   - owner: the column with the owner, an account or an organisation.
    public init(in table: StaticString, of owner: StaticString) {
        (self.table, self.owner) = (table.description, owner.description)
    }

    /// Makes the table and its triggers, and adds up what is there.
    ///
    /// - Parameters:
    ///   - rows: the tables whose rows are counted, and their columns of variable size.
    ///   - db: the store.
    public func makeTable(for rows: KeyValuePairs<String, [String]>, _ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE \(table) (
                    \(owner) TEXT NOT NULL PRIMARY KEY, count INTEGER NOT NULL,
                    bytes INTEGER NOT NULL
                ) WITHOUT ROWID, STRICT;
                """)
        for (name, columns) in rows { try count(name, columns, db) }
    }

    private func count(_ rows: String, _ columns: [String], _ db: Database) throws {
        let (old, new) = (size(of: columns, in: "OLD"), size(of: columns, in: "NEW"))
        let changed = columns.joined(separator: ", ")
        try db.execute(
            sql: """
                INSERT INTO \(table) (\(owner), count, bytes)
                    SELECT \(owner), count(*), sum(\(size(of: columns, in: rows))) FROM \(rows)
                    WHERE true GROUP BY \(owner)
                    ON CONFLICT DO UPDATE SET count = count + excluded.count,
                        bytes = bytes + excluded.bytes;
                CREATE TRIGGER \(rows)Counted AFTER INSERT ON \(rows) BEGIN
                    INSERT INTO \(table) (\(owner), count, bytes) VALUES (NEW.\(owner), 1, \(new))
                        ON CONFLICT DO UPDATE SET count = count + 1, bytes = bytes + excluded.bytes;
                END;
                CREATE TRIGGER \(rows)Resized AFTER UPDATE OF \(changed) ON \(rows)
                WHEN \(new) <> \(old) BEGIN
                    UPDATE \(table) SET bytes = bytes + \(new) - (\(old))
                        WHERE \(owner) = NEW.\(owner);
                END;
                CREATE TRIGGER \(rows)Uncounted AFTER DELETE ON \(rows) BEGIN
                    UPDATE \(table) SET count = count - 1, bytes = bytes - (\(old))
                        WHERE \(owner) = OLD.\(owner);
                END;
                """)
    }

    /// Removes the triggers of a table. From then on, whatever writes its rows must call ``add``.
    ///
    /// This is for rows that are written by the thousand. SQLite can undo a statement that runs a
    /// trigger, so for each such statement it sets aside every page that the statement changes,
    /// and FTS5 writes out the words that it would otherwise gather until the commit.
    ///
    /// - Parameters:
    ///   - rows: the table.
    ///   - db: the store.
    public func dropTriggers(of rows: StaticString, _ db: Database) throws {
        for change in ["Counted", "Resized", "Uncounted"] {
            try db.execute(sql: "DROP TRIGGER \(rows.description)\(change)")
        }
    }

    /// Adds to what an owner has.
    ///
    /// - Parameters:
    ///   - growth: the number of rows added, and by how many bytes the rows have grown, with
    ///     ``PartSizes/overhead`` for each new one.
    ///   - owner: their owner.
    ///   - db: the store.
    public func add(_ growth: PartSizes.Total, to owner: String, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO \(table) (\(self.owner), count, bytes) VALUES (?, ?, ?)
                    ON CONFLICT DO UPDATE SET count = count + excluded.count,
                        bytes = bytes + excluded.bytes
                """
        ).execute(arguments: [owner, growth.count, growth.bytes])
    }

    /// What an owner has.
    public func total(of owner: String, _ db: Database) throws -> PartSizes.Total {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: "SELECT count, bytes FROM \(table) WHERE \(self.owner) = ?"),
            arguments: [owner])
        return PartSizes.Total(count: row?[0] as Int? ?? 0, bytes: row?[1] as Int? ?? 0)
    }
}

/// The size of a row with its columns of variable size, as SQL.
private func size(of columns: [String], in row: String) -> String {
    columns.map { "length(\(row).\($0))" }.joined(separator: " + ") + " + \(PartSizes.overhead)"
}
