import Bus
import Foundation
import Messages
import TestSupport
import Testing

extension Processes {
    /// How the owner logs in for the first time if access to the bus makes no one the owner.
    @Suite(.serialized) struct OwnerCodeTests {
        let system: System
        let bus = "tcp://127.0.0.1:\(Loopback.port())"
        var path: String { system.path("data/owner-code") }

        init() throws { system = try System() }

        @Test func `the owner logs in over TCP with the code, once, and sets a password`() throws {
            let service = try system.start("account-service", bus: bus)
            let code = try code()
            let client = try system.client(of: .account, bus: bus)

            let login = try logIn(client, code)
            #expect(login.mustChangePassword)
            #expect(throws: ClientError.refused(.wrong)) { try logIn(client, code) }
            let granted = try client.ask(
                RefreshAccess(
                    refreshToken: login.refreshToken, audiences: ["account-service"]),
                for: AccessGranted.self)
            client.token = try #require(granted.tokens["account-service"])
            _ = try client.ask(
                ChangePassword(present: code, new: Office.password), for: Account.self)
            client.token = []
            service.kill()
            try system.start("account-service", bus: bus)

            #expect(!FileManager.default.fileExists(atPath: path))
            #expect(try !logIn(client, Office.password).mustChangePassword)
        }

        @Test func `only the user who runs the service can read the code`() throws {
            let service = try system.start("account-service", bus: bus)

            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(!service.err.contains(try code()))
        }

        @Test func `each start makes a new code, and the previous one no longer works`() throws {
            let service = try system.start("account-service", bus: bus)
            let former = try code()
            service.kill()
            try system.start("account-service", bus: bus)

            #expect(try code() != former)
            let client = try system.client(of: .account, bus: bus)
            #expect(throws: ClientError.refused(.wrong)) { try logIn(client, former) }
            #expect(try logIn(client, code()).mustChangePassword)
        }

        @Test func `there is no code where everyone who reaches the bus is the owner`() throws {
            try system.start("account-service", bus: bus).kill()
            try system.start("account-service")

            #expect(!FileManager.default.fileExists(atPath: path))
        }

        private func code() throws -> String {
            try String(contentsOfFile: path, encoding: .utf8)
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }

        private func logIn(_ client: Client, _ password: String) throws -> LoggedIn {
            let owner = try #require(
                try system.query(.account, "SELECT name FROM account WHERE isOwner = 1").first)
            return try client.ask(
                LogIn(name: owner[0], password: password), for: LoggedIn.self)
        }
    }
}
