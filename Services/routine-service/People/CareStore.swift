import GRDB

/// Whom accounts care for, as account-service says.
enum CareStore {
    /// An account has a row for each person that it cares for, and one without a person, which says
    /// that it is known. Accounts that have not changed since this table was made have no row.
    static let table = """
        CREATE TABLE care (
            carer TEXT NOT NULL, person TEXT NOT NULL, organisation TEXT NOT NULL,
            PRIMARY KEY (carer, person)
        ) WITHOUT ROWID, STRICT;
        """

    /// Returns the people that an account cares for; nil when that isn't known.
    static func people(of carer: String, _ db: Database) throws -> Set<String>? {
        let people = try String.fetchAll(
            db.cachedStatement(sql: "SELECT person FROM care WHERE carer = ?"),
            arguments: [carer])
        return people.isEmpty ? nil : Set(people).subtracting([""])
    }

    /// Replaces the people that an account of an organisation cares for.
    static func save(
        _ people: Set<String>, of carer: String, in organisation: String, _ db: Database
    ) throws {
        try db.cachedStatement(sql: "DELETE FROM care WHERE carer = ?")
            .execute(arguments: [carer])
        let insert = try db.cachedStatement(
            sql: "INSERT INTO care (carer, person, organisation) VALUES (?, ?, ?)")
        for person in people.union([""]) {
            try insert.execute(arguments: [carer, person, organisation])
        }
    }
}

extension PersonRow {
    /// Returns the accounts that get copies of the person's alerts: those that the person has
    /// named, except any that is known not to care for the person.
    func carersTold(_ db: Database) throws -> [String] {
        let find = try db.cachedStatement(
            sql: "SELECT person FROM care WHERE carer = ? AND person IN ('', ?)")
        return try settings.told.filter { carer in
            let found = try String.fetchAll(find, arguments: [carer, account])
            return found.isEmpty || found.contains(account)
        }
    }
}
