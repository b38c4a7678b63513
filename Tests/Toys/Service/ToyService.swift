#if DEBUG
    import Bus
    import Foundation
    import GRDB
    import Messages
    import ServiceRuntime
    @testable import ToyMessages

    /// A service that does a little of everything. It runs under the name of a real one.
    struct ToyService: Service {
        static let name = ServiceName.transitAlert
        static let tokenIssuer = ServiceName.account

        static let belongings: [Belonging] = []
        static var migrator: DatabaseMigrator {
            var migrator = DatabaseMigrator()
            migrator.registerMigration("toy: accounts") { db in
                try db.execute(
                    sql: """
                        CREATE TABLE entry (
                            position INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
                            command TEXT NOT NULL, account TEXT NOT NULL, amount INTEGER NOT NULL,
                            note BLOB NOT NULL
                        ) STRICT;
                        CREATE TABLE account (
                            name TEXT NOT NULL PRIMARY KEY, balance INTEGER NOT NULL
                        ) STRICT;
                        CREATE TABLE woken (
                            position INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
                            name TEXT NOT NULL, due INTEGER NOT NULL, time INTEGER NOT NULL
                        ) STRICT;
                        CREATE TABLE alert (key TEXT NOT NULL PRIMARY KEY, raised BLOB NOT NULL)
                        STRICT;
                        """)
            }
            ToyErrands.register(in: &migrator)
            return migrator
        }

        static var handlers: [MessageHandler] {
            [
                .command(deposit, .account), .command(breakDown, .account),
                .command(muddle, .account), .command(setAlarm, .account),
                .command(raise, .account), .command(say, .account),
                .command(ToyErrands.entrust, .account),
                .command(
                    glance, keeping: { Balance(account: $0.account) }, renewed: lookAgain,
                    .account),
                .command(withdraw, .role(minimum: .siteManager, at: .site)),
                .secret(whisper, .role(minimum: .administrator, at: .organisation)),
                .slow(prepare: beginPondering, work: ponder, finish: endPondering, .account),
                .job(check: checkWork, work: work, finish: finish, .account),
                .query(read, .anyone),
            ]
        }
        static var timers: [TimerHandler] {
            [.init("wake", wake), .init("look", atAnyTime: wake)]
        }
        static var errands: [ErrandHandler] { [ToyErrands.handler] }

        static func prepare(_ transaction: Transaction) throws {
            try ToyErrands.recover(transaction)
        }

        static func pass(_ transaction: Transaction, to receiver: SnapshotReceiver) throws {
            while FileManager.default.fileExists(atPath: transaction.dataDirectory + "/telling") {
                usleep(10_000)
            }
            let accounts = try Row.fetchCursor(
                transaction.db, sql: "SELECT name, balance FROM account ORDER BY name")
            while let row = try accounts.next() {
                let event = Deposited(
                    account: row["name"], amount: row["balance"], balance: row["balance"])
                try receiver(event, event.account)
            }
            let alerts = try Data.fetchCursor(
                transaction.db, sql: "SELECT raised FROM alert ORDER BY key")
            while let raised = try alerts.next() {
                let event = try AlertRaised(unpacking: [UInt8](raised))
                try receiver(event, event.key)
            }
        }

        // MARK: Commands

        static func deposit(_ command: Deposit, in transaction: Transaction) throws -> Deposited {
            guard command.amount > 0 else { throw Refusal.invalid("the amount must be at least 1") }
            var reply = try book(command.account, command.amount, command.note, transaction)
            reply.ballast = ballast(command.ballast)
            return reply
        }

        static func withdraw(_ command: Withdraw, in transaction: Transaction) throws -> Deposited {
            let deposited = try book(command.account, -command.amount, [], transaction)
            guard deposited.balance >= 0 else {
                throw Refusal.conflict("\(command.account) does not hold that much")
            }
            return deposited
        }

        static func breakDown(_ command: Break, in transaction: Transaction) throws -> Deposited {
            let deposited = try book(command.account, 1, [], transaction)
            try failUntilMended(transaction)
            return deposited
        }

        static func failUntilMended(_ transaction: Transaction) throws {
            struct Defect: Error {}
            let cure = transaction.dataDirectory + "/mended"
            guard FileManager.default.fileExists(atPath: cure) else { throw Defect() }
        }

        static func muddle(_ command: Muddle, in transaction: Transaction) throws -> Muddled {
            let event = Muddled(account: command.account)
            try transaction.publish(event, subject: command.account)
            return event
        }

        static func setAlarm(_ command: Wake, in transaction: Transaction) throws -> Woke {
            try transaction.setTimer(
                command.name.hasPrefix("look") ? "look" : "wake", subject: command.name,
                due: command.due)
            return Woke(name: command.name, due: command.due)
        }

        /// A defect that ends every process, as long as there is no file `mended`.
        static func die(of name: String, in directory: String) {
            guard name == "deadly" else { return }
            let cure = directory + "/mended"
            precondition(FileManager.default.fileExists(atPath: cure), "this is deadly")
        }

        static func wake(_ name: String, due: Int64, in transaction: Transaction) throws {
            die(of: name, in: transaction.dataDirectory)
            if name == "broken" { try failUntilMended(transaction) }
            try transaction.db.execute(
                sql: "INSERT INTO woken (name, due, time) VALUES (?, ?, ?)",
                arguments: [name, due, transaction.now])
            try transaction.publish(Woke(name: name, due: due), subject: name)
        }

        static func raise(_ command: Raise, in transaction: Transaction) throws -> Raised {
            let alert = AlertRaised(
                key: command.key, kind: "toy", severity: .warning, title: command.title,
                subject: command.key, recipient: command.recipient)
            try transaction.db.execute(
                sql: "INSERT OR REPLACE INTO alert (key, raised) VALUES (?, ?)",
                arguments: [command.key, Data(alert.packed())])
            try transaction.publish(alert, subject: command.key)
            return Raised()
        }

        static func say(_ command: Say, in transaction: Transaction) throws -> Raised {
            if !command.alert.isEmpty {
                let alert = try AlertRaised(unpacking: command.alert)
                try transaction.publish(alert, subject: alert.key)
            }
            if !command.withdrawn.isEmpty {
                try transaction.publish(
                    AlertWithdrawn(key: command.withdrawn), subject: command.withdrawn)
            }
            if !command.mail.isEmpty {
                let mail = try MailRequested(unpacking: command.mail)
                if command.unchecked {
                    try transaction.publish(mail, subject: mail.key)
                } else {
                    try transaction.request(mail)
                }
            }
            return Raised()
        }

        static func whisper(_ command: Whisper, in transaction: Transaction) throws -> Whispered {
            guard !command.account.isEmpty else { throw Refusal.invalid("whose secret?") }
            _ = try book(command.account, 1, [], transaction)
            let ballast = String(decoding: ballast(command.ballast), as: UTF8.self)
            return Whispered(secret: "secret \(transaction.makeID())" + ballast)
        }

        static func glance(_ command: Glance, in transaction: Transaction) throws -> Balance {
            guard !command.account.isEmpty else { throw Refusal.invalid("at what?") }
            let deposited = try book(command.account, 1, [], transaction)
            return Balance(account: command.account, balance: deposited.balance)
        }

        static func lookAgain(_ kept: Balance, in transaction: Transaction) throws -> Balance {
            if kept.account == "broken" { try failUntilMended(transaction) }
            return try read(ReadBalance(account: kept.account), in: transaction)
        }

        static func beginPondering(
            _ command: Ponder, in transaction: Transaction
        ) throws -> Thought {
            _ = try book(command.account, 0, [], transaction)
            guard command.refusal != "prepare" else { throw Refusal.conflict("prepare") }
            return Thought(command: command, directory: transaction.dataDirectory)
        }

        /// The input of a slow command.
        struct Thought: Sendable {
            let command: Ponder
            let directory: String
        }

        @Sendable static func ponder(_ thought: Thought) throws -> Int64 {
            let command = thought.command
            let barrier = thought.directory + "/pondering"
            while FileManager.default.fileExists(atPath: barrier) { usleep(10_000) }
            usleep(command.pause * 1000)
            die(of: command.account, in: thought.directory)
            guard command.refusal != "work" else { throw Refusal.conflict("work") }
            return command.amount
        }

        static func endPondering(
            _ command: Ponder, _ amount: Int64, in transaction: Transaction
        ) throws -> Deposited {
            var deposited = try book(command.account, amount, [], transaction)
            deposited.ballast = ballast(command.ballast)
            switch command.refusal {
            case "finish": throw Refusal.conflict("finish")
            case "noted": throw NotedRefusal(.conflict("noted"))
            default: return deposited
            }
        }

        static func read(_ query: ReadBalance, in transaction: Transaction) throws -> Balance {
            // Reading the account “slow” takes as long as a test wants.
            let barrier = transaction.dataDirectory + "/reading"
            while query.account == "slow", FileManager.default.fileExists(atPath: barrier) {
                usleep(10_000)
            }
            let balance = try Int64.fetchOne(
                transaction.db, sql: "SELECT balance FROM account WHERE name = ?",
                arguments: [query.account])
            return Balance(
                account: query.account, balance: balance ?? 0,
                ballast: ballast(query.ballast))
        }

        private static func ballast(_ size: UInt32) -> [UInt8] {
            [UInt8](repeating: 7, count: Int(min(size, 2 << 20)))
        }

        @discardableResult
        static func book(
            _ account: String, _ amount: Int64, _ note: [UInt8], _ transaction: Transaction
        ) throws -> Deposited {
            let command = "\(transaction.id)"
            try transaction.db.execute(
                sql: "INSERT INTO entry (command, account, amount, note) VALUES (?, ?, ?, ?)",
                arguments: [command, account, amount, Data(note)])
            let balance = try Int64.fetchOne(
                transaction.db,
                sql: """
                    INSERT INTO account (name, balance) VALUES (?, ?)
                    ON CONFLICT DO UPDATE SET balance = balance + excluded.balance
                    RETURNING balance
                    """,
                arguments: [account, amount])
            let event = Deposited(
                command: command, account: account, amount: amount, balance: balance ?? 0)
            try transaction.publish(event, subject: account)
            return event
        }

        // MARK: Work

        @Sendable static func checkWork(_ request: Work, _: Transaction) throws {
            guard request.steps > 0 else { throw Refusal.invalid("there is nothing to do") }
        }

        @Sendable static func work(_ request: Work, _ context: JobContext) throws -> Worked {
            let last = UInt64(request.steps)
            let barrier = context.dataDirectory + "/working"
            for step in 1...last {
                // The last step takes as long as a test wants.
                while step == last, FileManager.default.fileExists(atPath: barrier) {
                    usleep(10_000)
                }
                usleep(request.pause * 1000)
                die(of: request.account, in: context.dataDirectory)
                guard context.report(done: step, total: last, "working") else {
                    throw JobContext.Cancelled()
                }
            }
            guard request.failure.isEmpty else { throw Refusal.conflict(request.failure) }
            return Worked(account: request.account)
        }

        @Sendable static func finish(_ result: Worked, _ transaction: Transaction) throws {
            _ = try book(result.account, 1, [], transaction)
        }
    }
#endif
