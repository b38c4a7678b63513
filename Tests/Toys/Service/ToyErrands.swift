#if DEBUG
    import Foundation
    import GRDB
    import ServiceRuntime
    @testable import ToyMessages

    /// The errands of the toy service. Each is a row, and each time its work is done, that adds a
    /// line to the file `worked` next to the store.
    enum ToyErrands {
        /// An errand under way.
        struct Errand: Sendable {
            let id: String
            let account: String
            let file: String
        }

        static func register(in migrator: inout DatabaseMigrator) {
            migrator.registerMigration("toy: errands") { db in
                try db.execute(
                    sql: """
                        CREATE TABLE errand (
                            id TEXT NOT NULL PRIMARY KEY, account TEXT NOT NULL,
                            isUnderWay INTEGER NOT NULL
                        ) STRICT;
                        """)
            }
        }

        static var handler: ErrandHandler {
            ErrandHandler(
                "toy", atOnce: 1, take: take, name: \.id, work: work, finish: finish,
                giveUp: giveUp)
        }

        static func recover(_ transaction: Transaction) throws {
            try transaction.db.execute(sql: "UPDATE errand SET isUnderWay = 0")
        }

        static func entrust(_ command: Entrust, in transaction: Transaction) throws -> Entrusted {
            try transaction.db.execute(
                sql: "INSERT INTO errand (id, account, isUnderWay) VALUES (?, ?, 0)",
                arguments: ["\(transaction.id)", command.account])
            return Entrusted()
        }

        private static func take(_ transaction: Transaction) throws -> Errand? {
            let row = try Row.fetchOne(
                transaction.db,
                sql: """
                    UPDATE errand SET isUnderWay = 1 WHERE id = (
                        SELECT min(id) FROM errand WHERE isUnderWay = 0
                    ) RETURNING id, account
                    """)
            return row.map {
                Errand(
                    id: $0["id"], account: $0["account"],
                    file: transaction.dataDirectory + "/worked")
            }
        }

        private static func giveUp(
            _ errand: Errand, _ reason: String, in transaction: Transaction
        ) throws {
            try ToyService.book("given up", 1, Array(reason.utf8), transaction)
            try transaction.db.execute(
                sql: "DELETE FROM errand WHERE id = ?", arguments: [errand.id])
        }

        @Sendable private static func work(_ errand: Errand) -> Bool {
            let directory = (errand.file as NSString).deletingLastPathComponent
            ToyService.die(of: errand.account, in: directory)
            let file = open(errand.file, O_WRONLY | O_CREAT | O_APPEND, 0o600)
            let line = Array("\(errand.account)\n".utf8)
            let isWritten = write(file, line, line.count) == line.count
            close(file)
            while FileManager.default.fileExists(atPath: directory + "/working") { usleep(10_000) }
            return isWritten
        }

        private static func finish(
            _ errand: Errand, _ isWritten: Bool, in transaction: Transaction
        ) throws {
            try ToyService.book(errand.account, isWritten ? 1 : -1, [], transaction)
            try transaction.db.execute(
                sql: "DELETE FROM errand WHERE id = ?", arguments: [errand.id])
            if errand.account == "broken" { try ToyService.failUntilMended(transaction) }
        }
    }
#endif
