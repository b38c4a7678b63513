import GRDB

extension Database {
    /// The steps by which SQLite finds the rows of a statement, such as “SEARCH … USING INDEX …”.
    public func steps(of sql: String, _ arguments: StatementArguments) throws -> [String] {
        try Row.fetchAll(self, sql: "EXPLAIN QUERY PLAN \(sql)", arguments: arguments)
            .map { $0["detail"] }
    }
}
