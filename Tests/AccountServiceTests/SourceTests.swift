import Bus
import Foundation
import Messages
import TestSupport
import Testing

extension Processes {
    /// Sources that are distinguished by the key of a message, over encrypted TCP.
    @Suite(.serialized) struct SourceTests {
        let system: System
        private let service: Program
        let bus = "tcp://127.0.0.1:\(Loopback.port())"
        private let invitations: [String]

        /// An account-service with the account ann, and two programs that people use.
        init() throws {
            let office = try Office()
            try office.person("ann")
            invitations = try (0..<2).map { _ in
                try office.ask(Invite(), for: Invitation.self).code
            }
            office.service.kill()
            system = office.system
            try system.makeKeys(["kiosk": .gateway, "laptop": .gateway])
            service = try Self.start(system, bus)
        }

        private static func start(_ system: System, _ bus: String) throws -> Program {
            let service = try system.launch(
                "account-service", bus: bus, adding: ["STEWARD_KEYS": system.path("keys")])
            try service.waitUntilReady()
            return service
        }

        private func client(_ process: String) throws -> Client {
            try system.client(of: .account, as: process, bus: bus, keys: "keys")
        }

        private func refusal(
            _ client: Client, _ message: some ProtobufMessage, id: MessageID? = nil
        ) throws -> String {
            do {
                _ = try client.ask(message, for: LoggedIn.self, id: id)
                return ""
            } catch ClientError.refused(let refusal) { return refusal.message }
        }

        private let right = LogIn(name: "ann", password: Office.password)
        private let wrong = LogIn(name: "ann", password: "a wrong secret")

        /// Makes the wait longer than a test on a busy machine. At first it lasts only a second
        /// from the last attempt.
        private func lengthenWait(_ kind: String) throws {
            try system.edit(
                .account, "UPDATE failure SET count = 40 WHERE kind = '\(kind)' AND count >= 5")
        }

        @Test func `failed attempts with one key don't lock out other keys`() throws {
            let (laptop, kiosk) = try (client("laptop"), client("kiosk"))

            for _ in 0..<5 { #expect(try refusal(laptop, wrong) == Refusal.wrong.message) }
            try lengthenWait("account")

            #expect(try refusal(laptop, right).hasPrefix("there were too many failed attempts"))
            #expect(try refusal(kiosk, right) == "")
        }

        @Test func `attempts are counted per key, whatever the name, even after a restart`() throws
        {
            // Forty failures: the wait is longer than this test.
            service.kill()
            try system.edit(
                .account,
                """
                INSERT INTO failure (kind, subject, count, last)
                VALUES ('source', 'key laptop', 40, \(WallClock.milliseconds()))
                """)
            let fresh = try Self.start(system, bus)
            let (laptop, kiosk) = try (client("laptop"), client("kiosk"))

            let late = try refusal(laptop, LogIn(name: "someone else", password: "a wrong secret"))

            #expect(late.hasPrefix("there were too many failed attempts"))
            #expect(try refusal(kiosk, right) == "")
            withExtendedLifetime(fresh) {}
        }

        @Test func `failed attempts in one browser don't lock out other browsers`() throws {
            let page = try client("web-service")
            func said(_ message: LogIn, _ place: String) -> LogIn {
                var message = message
                message.source = place
                return message
            }
            for _ in 0..<5 {
                #expect(try refusal(page, said(wrong, "192.0.2.1")) == Refusal.wrong.message)
            }
            try lengthenWait("account")
            let late = try refusal(page, said(right, "192.0.2.1"))
            #expect(late.hasPrefix("there were too many failed attempts"))
            #expect(try refusal(page, said(right, "192.0.2.2")) == "")
        }

        @Test func `guessing invitation codes in one browser doesn't lock out others`() throws {
            let page = try client("web-service")
            func refusal(at place: String) throws -> String {
                let guess = SignUp(
                    name: "newcomer", password: "correct horse battery", invitation: "ABCD-EFGH",
                    source: place)
                do { _ = try page.ask(guess, for: Account.self) } catch ClientError.refused(let no)
                {
                    return no.message
                }
                return ""
            }
            let wrong = try refusal(at: "192.0.2.2")
            for _ in 0..<20 { #expect(try refusal(at: "192.0.2.1") == wrong) }
            try lengthenWait("source")
            #expect(try refusal(at: "192.0.2.1").hasPrefix("there were too many failed attempts"))
            #expect(try refusal(at: "192.0.2.2") == wrong)
        }

        @Test func `only a service may state a person's address`() throws {
            let laptop = try client("laptop")
            for number in 0..<5 {
                var attempt = wrong
                attempt.source = "192.0.2.\(number)"
                #expect(try refusal(laptop, attempt) == Refusal.wrong.message)
            }
            try lengthenWait("account")
            var attempt = right
            attempt.source = "192.0.2.9"
            #expect(
                try refusal(laptop, attempt).hasPrefix("there were too many failed attempts"))
        }

        @Test func `a reset code lets the person in again from every key`() throws {
            let laptop = try client("laptop")
            for _ in 0..<5 { _ = try refusal(laptop, wrong) }
            try lengthenWait("account")
            #expect(try refusal(laptop, right).hasPrefix("there were too many"))
            let failures = "SELECT count(*) FROM failure WHERE kind = 'account' AND count > 0"
            #expect(try system.query(.account, failures) == [["1"]])

            service.kill()
            let local = try system.start("account-service")
            let code = try system.client(of: .account)
                .ask(ResetPassword(account: "ann"), for: ResetCode.self).code
            local.kill()

            #expect(try system.query(.account, failures) == [["0"]])
            for key in ["laptop", "kiosk"] {
                let fresh = try Self.start(system, bus)
                let isIn = try refusal(client(key), LogIn(name: "ann", password: code)) == ""
                // The code works once.
                #expect(isIn == (key == "laptop"), "\(key)")
                fresh.kill()
            }
        }

        @Test func `a reply to one stranger is never given to another`() throws {
            let (laptop, kiosk) = try (client("laptop"), client("kiosk"))
            let id = laptop.makeID()
            let signUp = SignUp(
                name: "bob", password: Office.password, invitation: invitations[0])

            let account = try laptop.ask(signUp, for: Account.self, id: id)
            let again = try laptop.ask(signUp, for: Account.self, id: id)
            let stolen = try refusal(kiosk, SignUp(name: "x"), id: id)

            #expect(account.id != "\(id)")
            #expect(again == account)
            #expect(stolen == "another command has this id")
            #expect(
                try system.query(.account, "SELECT DISTINCT asker FROM inbox WHERE asker <> ''")
                    == [["anonymous at laptop"]])
        }

        @Test func `denials by this service are in its audit, with the key`() throws {
            let kiosk = try client("kiosk")

            for _ in 0..<3 { #expect(try refusal(kiosk, WhoAmI()).hasPrefix("this needs an")) }

            #expect(
                try system.query(
                    .account, "SELECT who, detail, count FROM audit WHERE action = 'denied'")
                    == [["", "account.WhoAmI to account-service, from the key kiosk", "1"]])
        }
    }
}
